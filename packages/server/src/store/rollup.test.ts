/** Whatever is uploaded late, killed or dropped: an answer out of roll-ups is that of the profiles themselves, which a list in this test adds up. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Engine } from './engine.js';
import { PARTITION_SECONDS, ROLLUPS } from './schema.js';
import { selectCallTree, selectProfile } from './select.js';
import { STORE_DEFAULTS, Store } from './store.js';
import { CPU, exampleUpload } from './testing/example-upload.js';
import { temporaryFolder } from './testing/temporary-folder.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AGE_SECONDS = 3 * 86_400;
const START = Math.floor(1_796_000_000_000 / DAY) * DAY + 5 * HOUR;

interface Kept {
  readonly timeMs: number;
  readonly receivedMs: number;
  readonly pod: string;
  readonly leaf: string;
  readonly value: number;
}

/** A place in time, relative to now: on the edges of hours and days, one beside them, and anywhere. */
const ago = fc
  .tuple(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 1, -1, HOUR / 2, 12_345))
  .map(([hours, rest]) => hours * HOUR + rest);
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        step: fc.constant('upload' as const),
        sampledAgo: ago,
        // Mostly at once; else it waited in the log while the engine was away.
        arrivedAgo: fc.constantFrom(0, 0, 0, HOUR, 5 * HOUR),
        pod: fc.constantFrom('p0', 'p1'),
        leaf: fc.constantFrom('a', 'b', 'c'),
        duringRollUp: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ step: fc.constant('wait' as const), hours: fc.constantFrom(1, 2, 13, 24, 30) }),
    },
    { weight: 3, arbitrary: fc.record({ step: fc.constant('roll up' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant('kill' as const),
        within: fc.constantFrom('rollUp' as const, 'retain' as const),
        statements: fc.integer({ min: 0, max: 8 }),
        lastOneDone: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('retain' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        step: fc.constant('ask' as const),
        from: ago,
        length: ago,
        pod: fc.constantFrom(undefined, 'p0'),
      }),
    },
  ),
  { minLength: 8, maxLength: 24 },
);

test('any range, any late upload, any kill: the answer is that of the profiles', { timeout: 300_000 }, async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, async (run) => {
      const world = await World.open(t);
      try {
        for (const step of run) await world.take(step);
        for (const from of [100 * HOUR, 49 * HOUR + 1, 30 * HOUR]) await world.ask(from, from + HOUR, undefined);
      } finally {
        await world.store.close();
      }
    }),
    { numRuns: Number(process.env.PILOTLIGHT_ROLLUP_RUNS ?? 6) },
  );
});

test('hours and days that are over are taken from their roll-ups', async (t) => {
  const world = await World.open(t);
  t.after(() => world.store.close());
  world.now += 49 * HOUR;
  await Promise.all(Array.from({ length: 12 }, (_, i) => world.upload(0, (49 - 4 * i) * HOUR, 'p0', 'a')));
  await world.store.rollUp();
  const { engine } = world.store;
  const asked: string[] = [];
  const { query } = engine;
  engine.query = (sql, parameters) => {
    asked.push(sql);
    return query(sql, parameters);
  };
  await world.ask(49 * HOUR, 49 * HOUR, undefined);
  assert.match(asked.join(), /profiles_1h/);
  assert.match(asked.join(), /profiles_1d/);
  // The profiles themselves are not there for the answer.
  await engine.execute('TRUNCATE TABLE pilotlight.profiles');
  await world.ask(49 * HOUR, 48 * HOUR, undefined);
  await world.ask(44 * HOUR, 30 * HOUR, 'p0');
  for (const { table } of Object.values(ROLLUPS)) await engine.execute(`TRUNCATE TABLE ${table}`);
  await assert.rejects(world.ask(49 * HOUR, 48 * HOUR, undefined));
});

test('what is drained late opens its hour and day again, also over a restart; a day that lost an hour is not believed', async (t) => {
  const world = await World.open(t);
  t.after(() => world.store.close());
  const all = () => world.ask(100 * HOUR, 100 * HOUR, undefined);
  world.now += 49 * HOUR;
  for (const arrivedAgo of [49, 45, 40, 20]) await world.upload(0, arrivedAgo * HOUR, 'p0', 'a');
  await world.store.rollUp();
  await all();
  await world.upload(0, 40 * HOUR, 'p0', 'a');
  await all();
  await world.store.rollUp();
  await all();
  await world.upload(0, 45 * HOUR, 'p1', 'b');
  await world.reopen();
  await all();
  await world.store.rollUp();
  await all();
  // The oldest hour is three days old, the others of its day are not.
  world.now = START + AGE_SECONDS * 1_000 + HOUR;
  await world.retain();
  await all();
  await world.store.rollUp();
  await world.reopen();
  await all();
});

class World {
  now = START;
  private kept: Kept[] = [];
  private uploads = 0;

  private constructor(
    private readonly t: TestContext,
    private readonly folder: string,
    public store: Store,
  ) {}

  static async open(t: TestContext): Promise<World> {
    const folder = temporaryFolder(t);
    const clock = { now: START };
    const world = new World(t, folder, await openStore(t, folder, clock));
    Object.defineProperty(world, 'now', { get: () => clock.now, set: (now: number) => (clock.now = now) });
    return world;
  }

  async take(step: typeof steps extends fc.Arbitrary<(infer Step)[]> ? Step : never): Promise<void> {
    if (step.step === 'upload') {
      const rolling = step.duringRollUp ? this.store.rollUp() : undefined;
      await this.upload(step.sampledAgo, step.arrivedAgo, step.pod, step.leaf);
      await rolling;
    } else if (step.step === 'wait') this.now += step.hours * HOUR;
    else if (step.step === 'roll up') await this.store.rollUp();
    else if (step.step === 'retain') await this.retain();
    else if (step.step === 'ask') await this.ask(step.from, step.length, step.pod);
    else {
      const restore = dieAfter(this.store.engine, step.statements, step.lastOneDone);
      await this.store[step.within]().catch(() => {});
      restore();
      await this.reopen();
      await this.retain();
    }
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = await openStore(this.t, this.folder, this);
  }

  async upload(sampledAgo: number, arrivedAgo: number, pod: string, leaf: string): Promise<void> {
    const receivedMs = this.now - arrivedAgo;
    const timeMs = receivedMs - sampledAgo;
    const value = ++this.uploads;
    await this.store.append([exampleUpload({ stacks: `main;${leaf} ${value}`, labels: { pod }, timeMs, receivedMs })]);
    await this.store.caughtUp();
    this.kept.push({ timeMs, receivedMs, pod, leaf, value });
  }

  async retain(): Promise<void> {
    await this.store.retain();
    const oldest = this.now / 1_000 - AGE_SECONDS;
    const endOf = ({ receivedMs }: Kept) =>
      (Math.floor(receivedMs / 1_000 / PARTITION_SECONDS) + 1) * PARTITION_SECONDS;
    this.kept = this.kept.filter((one) => endOf(one) > oldest);
  }

  async ask(fromAgo: number, length: number, pod: string | undefined): Promise<void> {
    const startMs = this.now - fromAgo;
    const endMs = startMs + length;
    const expected = new Map<string, number>();
    for (const one of this.kept) {
      if (one.timeMs < startMs || one.timeMs >= endMs || (pod !== undefined && one.pod !== pod)) continue;
      expected.set(one.leaf, (expected.get(one.leaf) ?? 0) + one.value);
    }
    const matchers = pod === undefined ? [] : [{ name: 'pod', operator: '=' as const, value: pod }];
    const selection = { tenant: 'anonymous', profileType: CPU, matchers, startMs, endMs };
    const tree = await selectCallTree(this.store, selection);
    const found = new Map<string, number>();
    for (let i = 0; i < tree.length; i++) {
      if (tree.self[i] !== 0) found.set(tree.names[tree.name[i] as number] as string, tree.self[i] as number);
    }
    assert.deepEqual([...found].sort(), [...expected].sort());
    const { samples } = await selectProfile(this.store, selection);
    const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);
    assert.equal(sum(samples.values[0] ?? []), sum(expected.values()));
  }
}

function openStore(t: TestContext, folder: string, clock: { now: number }): Promise<Store> {
  return Store.open({
    folder,
    retentionAgeSeconds: AGE_SECONDS,
    retentionBytes: 1e12,
    ...STORE_DEFAULTS,
    onTrouble: (message) => t.diagnostic(message),
    now: () => clock.now,
  });
}

/** From the n-th statement that writes on, nothing reaches the engine; the n-th itself does, or does not. Returns what makes it whole again. */
function dieAfter(engine: Engine, statements: number, lastOneDone: boolean): () => void {
  const { derive, execute } = engine;
  let left = statements;
  const guard =
    <Arguments extends unknown[]>(write: (...given: Arguments) => Promise<void>) =>
    async (...given: Arguments) => {
      if (left-- > 0) return write(...given);
      if (left === -1 && lastOneDone) await write(...given);
      throw new Error('killed');
    };
  engine.derive = guard(derive);
  engine.execute = guard(execute);
  return () => Object.assign(engine, { derive, execute });
}
