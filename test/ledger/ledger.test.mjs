/** A short ledger: what `npm run ledger` does for minutes, and that its account notices what it is there to notice. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ledger } from './ledger.mjs';
import { buildShim } from './power/shim.mjs';
import { CPU, PERIOD, requestOf, SAMPLES, SHARED } from './pushes.mjs';
import { LedgerRun } from './run.mjs';
import { MAIN } from './server.mjs';

const KILLS = 4;

for (const variant of ['kill', 'power']) {
  test(`nothing acknowledged is lost or doubled: ${variant}`, async (t) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), `pilotlight-ledger-${variant}-`)));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const shim = variant === 'power' ? buildShim(folder) : undefined;
    if (shim?.absent !== undefined) {
      if (process.env.CI === 'true') assert.fail(shim.absent);
      return t.skip(`skipped: ${shim.absent}`);
    }
    const seed = Date.now() % 1_000_000_007;
    const say = (line) => t.diagnostic(line);
    const run = new LedgerRun({ folder, seed, kills: KILLS, program: MAIN, library: shim?.library, say });
    const { pushes, acknowledged, found, kills, faults, notes } = await run.run();
    t.diagnostic(
      `seed ${seed}: ${pushes} pushes, ${acknowledged} acknowledged, ${found} found, ${kills} kills ${notes}`,
    );
    assert.deepEqual(faults, [], `seed ${seed}`);
    assert.ok(kills >= KILLS && acknowledged > 0 && found >= acknowledged);
  });
}

const PUSH = {
  id: 7,
  kind: 'pprof',
  service: 'a',
  labels: { only: 'only_7' },
  timeMs: 1_796_000_000_000,
  parts: [{ leaf: 'push_7_0', count: 5, shared: 2 }],
};
const PAIR = {
  ...PUSH,
  id: 8,
  kind: 'push',
  labels: {},
  parts: [
    { leaf: 'push_8_0', count: 3, shared: 1 },
    { leaf: 'push_8_1', count: 4, shared: 1 },
  ],
};

/** What a server would answer that holds these functions, each so many samples. */
function held(self, { only = {} } = {}) {
  return [CPU, SAMPLES].map((profileType) => {
    const unit = profileType === CPU ? PERIOD : 1;
    const values = Object.entries(self).map(([name, value]) => [name, value * unit]);
    const total = values.reduce((sum, [, value]) => sum + value, 0);
    const series = new Map(Object.entries(only).map(([name, value]) => [name, value * unit]));
    return { service: 'a', profileType, self: new Map(values), total, seriesTotal: total, only: series };
  });
}

const RIGHT = { push_7_0: 5, push_8_0: 3, push_8_1: 4, [SHARED]: 4 };
const ONLY = { only_7: 7 };

/** The kinds of faults of an answer, each once. */
function faultsOf(answer, { acknowledged = true } = {}) {
  const ledger = new Ledger();
  for (const push of [PUSH, PAIR]) {
    const entry = ledger.add(push);
    if (acknowledged) ledger.acknowledge(entry);
  }
  const faults = ledger.check(answer, ledger.now(), true);
  return [...new Set(faults.map((fault) => fault.slice(0, fault.indexOf(':'))))].sort();
}

test('an answer that agrees has no faults', () => {
  assert.deepEqual(faultsOf(held(RIGHT, { only: ONLY })), []);
});

test('what is lost, doubled, torn, wrong or unknown is a fault', () => {
  assert.deepEqual(faultsOf(held({})), ['lost']);
  assert.deepEqual(faultsOf(held({ push_7_0: 5, [SHARED]: 2 }, { only: ONLY })), ['lost']);
  assert.deepEqual(faultsOf(held({ ...RIGHT, push_7_0: 10 }, { only: ONLY })), ['doubled']);
  assert.deepEqual(faultsOf(held({ ...RIGHT, push_7_0: 6 }, { only: ONLY })), ['wrong']);
  assert.deepEqual(faultsOf(held({ ...RIGHT, [SHARED]: 5 }, { only: ONLY })), ['wrong']);
  assert.deepEqual(faultsOf(held({ ...RIGHT, '[unknown stack]': 1 }, { only: ONLY })), ['unknown', 'wrong']);
  assert.deepEqual(faultsOf(held(RIGHT)), ['wrong'], 'the series with a label of its own is missing');
});

test('what was not acknowledged may be there or not, but whole and once', () => {
  const not = { acknowledged: false };
  assert.deepEqual(faultsOf(held({}), not), []);
  assert.deepEqual(faultsOf(held(RIGHT, { only: ONLY }), not), []);
  assert.deepEqual(faultsOf(held({ push_8_0: 3, [SHARED]: 1 }), not), ['torn']);
  assert.deepEqual(faultsOf(held({ push_8_0: 6, push_8_1: 8, [SHARED]: 2 }), not), ['doubled']);
});

test('an acknowledgment after the question does not count yet', () => {
  const ledger = new Ledger();
  const entry = ledger.add(PUSH);
  const asOf = ledger.now();
  ledger.acknowledge(entry);
  assert.deepEqual(ledger.check(held({}), asOf, false), []);
  assert.notDeepEqual(ledger.check(held({}), ledger.now(), false), []);
});

test('each sending of a push has other bytes', () => {
  for (const kind of ['pprof', 'collapsed', 'push']) {
    const bodies = Array.from({ length: 12 }, (_, sending) =>
      requestOf({ ...PAIR, kind }, sending).body.toString('latin1'),
    );
    assert.equal(new Set(bodies).size, 12, kind);
  }
});
