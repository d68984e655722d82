/**
 * Faults that users of servers like this one reported, sent to ours as they were, answered as they should be: groups J (JFR), P
 * (pprof), C (text) and Q (names and times). What is in them is asked again after a new start: the same bytes, the same answer.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { jfrChunk } from '../../packages/profile/dist/testing/jfr-drawing.js';
import { joinedBytes, pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { ingest, query } from './api.mjs';
import { startServer } from './server-process.mjs';

const NOW = Date.now();
const RANGE = { start: NOW - 60_000, end: NOW + 60_000 };
const FROM = { from: Math.floor(NOW / 1_000) };
const CPU = ['cpu/nanoseconds'];

let server;
/** What each service answered, to be compared after the new start. */
const answers = new Map();

before(async (t) => {
  server = await startServer(t);
});

/** Sends a body under a name and gives back status and message. */
async function send(name, body, more = {}) {
  const { status, json } = await ingest(server.url, { name, ...FROM, ...more }, body);
  return status === 200 ? '200' : `${status} ${json.code}: ${json.message}`;
}

const pprof = (drawing) => pprofFromDrawing({ types: CPU, ...drawing });

/** The stacks a service has, `main;a 5`, in the order of the flame graph. */
async function stacks(service) {
  const selector = `{service_name=${JSON.stringify(service)}}`;
  const { json } = await query(server.url, 'LabelValues', { name: '__profile_type__', matchers: [selector], ...RANGE });
  const [profileTypeID] = json.names ?? [];
  if (profileTypeID === undefined) return [];
  const { json: merged } = await query(server.url, 'SelectMergeProfile', {
    profileTypeID,
    labelSelector: selector,
    ...RANGE,
  });
  const text = (index) => merged.stringTable[Number(index ?? 0)];
  const names = new Map(merged.function.map((one) => [one.id, text(one.name)]));
  const lines = new Map(
    merged.location.map((one) => [
      one.id,
      one.line.map(({ functionId, line }) => `${names.get(functionId)}${line ? `:${line}` : ''}`),
    ]),
  );
  const found = merged.sample.map(({ locationId, value }) => {
    return `${locationId
      .flatMap((id) => lines.get(id))
      .reverse()
      .join(';')} ${value[0]}`;
  });
  answers.set(service, found.sort());
  return answers.get(service);
}

async function reasons(service) {
  const refusals = await server.client.refusals();
  return Object.fromEntries(
    refusals.filter((one) => one.service === service).map(({ reason, count }) => [reason, count]),
  );
}

describe('pprof', () => {
  it('P1: function 0 costs the name of a frame, location 0 and mapping 0 nothing', async () => {
    const body = pprof({
      functions: [
        { id: 0, name: 'zero' },
        { id: 1, name: 'ok' },
      ],
      locations: [
        { id: 0, lines: [[0]], address: 0x10 },
        { id: 1, lines: [[1]] },
      ],
      samples: [
        { stack: [0], values: [10] },
        { stack: [1], values: [20] },
      ],
    });
    assert.equal(await send('p1', body), '200');
    const found = await stacks('p1');
    assert.ok(found.includes('ok 20'), String(found));
    assert.ok((await reasons('p1')).function_id_zero > 0);
  });

  it('P3: a location whose function is missing is shown by its address', async () => {
    const body = pprof({
      functions: [{ id: 1, name: 'ok' }],
      locations: [
        { id: 1, address: 0x1234, lines: [[99]] },
        { id: 2, lines: [[1]] },
      ],
      samples: [{ stack: [1, 2], values: [7] }],
    });
    assert.equal(await send('p3', body), '200');
    assert.deepEqual(await stacks('p3'), ['ok;0x1234 7']);
    assert.deepEqual(await reasons('p3'), { missing_function: 1 });
  });

  it('P5: values that do not match the types, and joined files, are refused whole', async () => {
    const one = { functions: [{ id: 1, name: 'main' }], locations: [{ id: 1, lines: [[1]] }] };
    const four = ['a/count', 'b/bytes', 'c/count', 'd/bytes'];
    const values = (list) => pprof({ ...one, types: four, samples: [{ stack: [1], values: list }] });
    const valid = pprof({ ...one, samples: [{ stack: [1], values: [5] }] });
    assert.match(await send('p5', values([1, 2])), /^422 .*sample 0 has 2 values, the profile has 4/);
    assert.match(await send('p5', values([1, 2, 3, 4, 5, 6])), /^422 .*sample 0 has 6 values, the profile has 4/);
    assert.match(await send('p5', Buffer.from(joinedBytes(valid, valid))), /^422 malformed_profile: pprof: /);
    assert.deepEqual(await stacks('p5'), []);
  });

  it('P7: negative values of a difference are kept, and no bar is wider than its parent', async () => {
    const body = pprof({
      types: ['inuse_space/bytes'],
      functions: ['main', 'a', 'b'].map((name, i) => ({ id: i + 1, name })),
      locations: [1, 2, 3].map((id) => ({ id, lines: [[id]] })),
      samples: [
        { stack: [2, 1], values: [100] },
        { stack: [3, 1], values: [-40] },
      ],
    });
    assert.equal(await send('p7', body), '200');
    const kept = await stacks('p7');
    const counted = await reasons('p7');
    assert.ok(
      isDeepStrictEqual(kept, ['main;a 100', 'main;b -40']) || counted.negative_value === 1,
      JSON.stringify({ kept, counted }),
    );
    const { json } = await query(server.url, 'SelectMergeStacktraces', {
      profileTypeID: 'memory:inuse_space:bytes::',
      labelSelector: '{service_name="p7"}',
      ...RANGE,
    });
    const { levels, total } = json.flamegraph;
    for (const { values } of levels) {
      const widths = values.filter((_, i) => i % 4 === 1).map(Number);
      assert.ok(
        widths.every((width) => width >= 0),
        String(widths),
      );
      assert.ok(widths.reduce((sum, width) => sum + width, 0) <= Number(total), String(widths));
    }
  });

  it('P9: inlined callers at one address, without a mapping', async () => {
    const names = ['inner2', 'inner1', 'outer', 'main'];
    const body = pprof({
      functions: names.map((name, i) => ({ id: i + 1, name })),
      locations: [
        {
          id: 1,
          lines: [
            [1, 3],
            [2, 2],
            [3, 1],
          ],
        },
        { id: 2, lines: [[4, 9]] },
      ],
      samples: [{ stack: [1, 2], values: [5] }],
    });
    assert.equal(await send('p9', body), '200');
    assert.deepEqual(await stacks('p9'), ['main:9;outer:1;inner1:2;inner2:3 5']);
  });

  it('P11: text that is no UTF-8 is replaced, its neighbours stay', async () => {
    const body = pprof({
      functions: [
        { id: 1, name: Buffer.from([0xc3, 0x28]) },
        { id: 2, name: 'ok' },
      ],
      locations: [
        { id: 1, lines: [[1]] },
        { id: 2, lines: [[2]] },
      ],
      samples: [
        { stack: [1], values: [3], labels: [{ key: 'user', text: Buffer.from([0xff, 0xfe, 0x41]) }] },
        { stack: [2], values: [4] },
      ],
    });
    assert.equal(await send('p11', body), '200');
    assert.deepEqual(await stacks('p11'), ['ok 4', '\ufffd( 3']);
    const { json } = await query(server.url, 'LabelValues', {
      name: 'user',
      matchers: ['{service_name="p11"}'],
      ...RANGE,
    });
    assert.deepEqual(json.names ?? [], ['\ufffd\ufffdA']);
  });
});

describe('text', () => {
  const lines = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const text = async (service, body) => {
    assert.equal(await send(`${service}.alloc_objects`, body), '200');
    return stacks(service);
  };

  it('C1: line ends and byte-order marks', async () => {
    const content = 'a;b 1\r\na;c 2\r\n\r\n';
    const forms = [Buffer.from(content), Buffer.from(`\ufeff${content}`), Buffer.from(`\ufeff${content}`, 'utf16le')];
    for (const [i, form] of forms.entries()) assert.deepEqual(await text(`c1-${i}`, form), ['a;b 1', 'a;c 2']);
  });

  it('C3: blanks in names', async () => {
    const body = 'Web Content;main;foo 3\nmy app 1;f 2\n  main;  foo 3\nmain;foo bar(int, char) 4\n';
    assert.deepEqual(await text('c3', Buffer.from(body)), [
      'Web Content;main;foo 3',
      'main;foo 3',
      'main;foo bar(int, char) 4',
      'my app 1;f 2',
    ]);
  });

  it('C7: bytes that are no UTF-8 are one frame, whatever comes after', async () => {
    const body = lines('main;caf', Buffer.from([0xe9]), ';', Buffer.from([0xad, 0xad]), ' 3\n');
    assert.deepEqual(await text('c7', lines(body, body)), ['main;caf\ufffd;\ufffd\ufffd 6']);
  });
});

describe('names and times', () => {
  const GOOD = Buffer.from('main 5');

  it('Q1: braces and blanks are kept, what is refused is told with place and sign', async () => {
    assert.equal(await send('my app{path=/users/{id},q=a b}', GOOD), '200');
    const { json } = await query(server.url, 'Series', {
      matchers: ['{path="/users/{id}", q="a b"}'],
      labelNames: ['service_name'],
      ...RANGE,
    });
    assert.deepEqual(json.labelsSet, [{ labels: [{ name: 'service_name', value: 'my app' }] }]);
    // A label without a value is none.
    for (const [service, name] of Object.entries({ 'q1-a': 'q1-a{}', 'q1-b': 'q1-b{a=}' })) {
      assert.equal(await send(name, GOOD), '200');
      assert.deepEqual(await stacks(service), ['main 50000000']);
      const values = await query(server.url, 'LabelValues', {
        name: 'a',
        matchers: [`{service_name="${service}"}`],
        ...RANGE,
      });
      assert.deepEqual(values.json, {});
    }
    assert.match(
      await send('app{a=1,a=2}', GOOD),
      /^400 malformed_name: name, character 9: the label "a" a second time/,
    );
    assert.match(await send('{a=1}', GOOD), /^400 malformed_name: name, character 1: the application name is missing/);
    assert.match(await send('app{', GOOD), /^400 malformed_name: name, character 5: the closing '}' is missing/);
  });

  it('Q5: who names the service wins over what a sample says', async () => {
    const body = pprof({
      functions: [{ id: 1, name: 'main' }],
      locations: [{ id: 1, lines: [[1]] }],
      samples: [{ stack: [1], values: [5], labels: [{ key: 'service_name', text: 'q5-b' }] }],
    });
    assert.equal(await send('q5-a', body), '200');
    assert.deepEqual(await stacks('q5-a'), ['main 5']);
    assert.deepEqual(await stacks('q5-b'), []);
  });

  it('Q7: times that can not be are refused with the window, 0 is the time of arrival', async () => {
    const at = (timeNanos) =>
      pprof({
        timeNanos,
        functions: [{ id: 1, name: 'main' }],
        locations: [{ id: 1, lines: [[1]] }],
        samples: [{ stack: [1], values: [5] }],
      });
    const own = { from: '' };
    assert.match(await send('q7', at(1_000n), own), /^422 outside_time_window: .*1970.*older than the retention/);
    assert.match(
      await send('q7', at(BigInt(NOW + 86_400_000) * 1_000_000n), own),
      /^422 outside_time_window: .*more than 600 s ahead/,
    );
    assert.match(await send('q7', at(2n ** 63n - 1n), own), /^422 outside_time_window: .*ahead/);
    assert.equal(await send('q7', at(0n), own), '200');
    assert.deepEqual(await stacks('q7'), ['main 5']);
    assert.deepEqual(await reasons('q7'), { outside_time_window: 3 });
  });
});

describe('JFR', () => {
  const ONE = { stacks: ['Main.main:3;Main.work:5'], events: [['jdk.ExecutionSample', { stackTrace: 1 }]] };
  const jfr = (service, ...chunks) => send(service, Buffer.from(joinedBytes(...chunks)), { format: 'jfr' });

  it('J3: what is before an event of size 0 is kept, and the place is named', async () => {
    const damaged = jfrChunk({ ...ONE, events: [...ONE.events, Uint8Array.of(0), ...ONE.events] });
    const status = await jfr('j3', damaged);
    const found = await stacks('j3');
    assert.equal(status, '200');
    assert.equal(found.length, 1);
    const refusals = (await server.client.refusals()).filter(({ service }) => service === 'j3');
    assert.equal(refusals.length, 1);
    assert.match(refusals[0].message, /chunk 1, .*\d+/);
  });

  it('J7: an unfinished chunk alone is refused, after a good one it costs itself', async () => {
    const unfinished = Buffer.concat([Buffer.from('FLR\0'), Buffer.alloc(64)]);
    assert.match(await jfr('j7-a', unfinished), /^422 malformed_profile: no finished chunk/);
    assert.match(await jfr('j7-c', unfinished.subarray(0, 67)), /^422 malformed_profile: no finished chunk.*68/);
    assert.equal(await jfr('j7-b', jfrChunk(ONE), unfinished), '200');
    assert.equal((await stacks('j7-b')).length, 1);
    assert.deepEqual(await reasons('j7-b'), { unfinished_chunk: 1 });
  });
});

describe('after SIGKILL and a new start', () => {
  it('every answer is the same', async (t) => {
    const before = new Map(answers);
    await server.kill('SIGKILL');
    await server.restart();
    for (const [service, found] of before) assert.deepEqual(await stacks(service), found, service);
    assert.ok(before.size > 10);
    t.diagnostic(`${before.size} of ${before.size} compared`);
  });
});
