/** Every query of the API, on profiles whose answers are known by heart. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readPprof } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import { pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { ingest, query, request, selectMergeProfile } from './api.mjs';
import { startServer } from './server-process.mjs';

const CPU = 'process_cpu:cpu:nanoseconds::';
const SPACE = 'memory:inuse_space:bytes::';
/** A whole quarter of a minute, ten minutes ago. */
const T0 = Math.floor(Date.now() / 15_000 - 40) * 15_000;
const RANGE = { start: T0 - 60_000, end: T0 + 120_000 };

let server;
before(async (t) => {
  server = await startServer(t);
  await push('shop{pod=a,zone=eu-west,deployment.environment=test/real}', 'main;a 5', 'main;b 7');
  await push('shop{pod=b,zone=eu.west}', 'main;a 11');
  await push('till{pod=a}', 'main;c 100');
  await push('heap', 'main;alloc 1000', { types: ['inuse_space/bytes'] });
  for (const offset of [-15_000, -1, 0, 15_000, 15_001, 30_000, 30_001]) {
    await push('steps', `main;a ${10 + (offset % 7)}`, `other;a 1`, { timeMs: T0 + offset });
  }
});

/** `main;a 5` a stack, root first. */
async function push(name, ...rest) {
  const options = typeof rest.at(-1) === 'string' ? {} : rest.pop();
  const { types = ['cpu/nanoseconds'], timeMs = T0 } = options;
  const names = [...new Set(rest.flatMap((stack) => stack.split(' ')[0].split(';')))];
  const body = pprofFromDrawing({
    types,
    functions: names.map((text, i) => ({ id: i + 1, name: text })),
    locations: names.map((_, i) => ({ id: i + 1, lines: [[i + 1]] })),
    samples: rest.map((stack) => {
      const [path, value] = stack.split(' ');
      const ids = path.split(';').map((text) => names.indexOf(text) + 1);
      return { stack: ids.reverse(), values: [Number(value)] };
    }),
    timeNanos: BigInt(timeMs) * 1_000_000n,
  });
  const answer = await ingest(server.url, { name }, body);
  assert.equal(answer.status, 200, answer.text);
}

async function ask(method, message) {
  const answer = await query(server.url, method, { ...RANGE, ...message });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const select = (labelSelector, more = {}) => ({ profileTypeID: CPU, labelSelector, ...more });
const callSite = (...names) => ({ stackTraceSelector: { callSite: names.map((name) => ({ name })) } });

async function total(labelSelector, more) {
  const { flamegraph } = await ask('SelectMergeStacktraces', select(labelSelector, more));
  return Number(flamegraph.total ?? 0);
}

/** `{label=value,…}` → `offset:value …` */
async function series(labelSelector, more) {
  const { series = [] } = await ask('SelectSeries', select(labelSelector, { step: 15, ...more }));
  return series.map(({ labels = [], points }) => {
    const named = labels.map(({ name, value }) => `${name}=${value}`).join(',');
    return `{${named}} ${points.map(({ timestamp, value }) => `${timestamp - T0}:${value}`).join(' ')}`;
  });
}

test('matchers choose series, and an absent label is an empty one', async () => {
  const pods = async (...matchers) => {
    const { labelsSet = [] } = await ask('Series', { matchers, labelNames: ['service_name', 'pod'] });
    return labelsSet.map(({ labels }) => labels.map(({ value }) => value).join(' '));
  };
  const expected = [
    ['{service_name="shop"}', 'a shop', 'b shop'],
    ['{service_name="shop", pod!="a"}', 'b shop'],
    ['{pod="a"}', 'a shop', 'a till'],
    ['{pod=~"a|b", service_name!~"t.*"}', 'a shop', 'b shop'],
    ['{pod=~".+"}', 'a shop', 'a till', 'b shop'],
    ['{pod="", service_name!="steps"}', 'heap'],
    ['{pod!~".+", service_name=~"s.*"}', 'steps'],
    // Patterns hold for the whole value.
    ['{service_name=~"sho"}'],
    ['{service_name=~"sho."}', 'a shop', 'b shop'],
    ['{service_name=~"(?i)SHOP"}', 'a shop', 'b shop'],
    // Names with dots: quoted, and as older clients send them.
    ['{"deployment.environment"="test/real"}', 'a shop'],
    ['{deployment.environment=~"test/.*"}', 'a shop'],
    ['{zone="eu.west"}', 'b shop'],
    ['{zone=~"eu.west"}', 'a shop', 'b shop'],
    ['{zone=~"eu\\\\.west"}', 'b shop'],
    ['{zone=~`eu\\.west`}', 'b shop'],
    ['{service_name="nope"}'],
    ['{}', 'a shop', 'a till', 'b shop', 'heap', 'steps'],
  ];
  for (const [selector, ...found] of expected) assert.deepEqual(await pods(selector), found, selector);
  assert.deepEqual(await pods('{service_name="till"}', '{pod="b"}'), ['a till', 'b shop']);
});

test('label names and values, of those series and that range', async () => {
  const names = async (message) => (await ask('LabelNames', message)).names ?? [];
  const values = async (name, message = {}) => (await ask('LabelValues', { name, ...message })).names ?? [];
  const own = [
    '__name__',
    '__period_type__',
    '__period_unit__',
    '__profile_type__',
    '__service_name__',
    '__type__',
    '__unit__',
  ];
  assert.deepEqual(await names({ matchers: ['{service_name="till"}'] }), [...own, 'pod', 'service_name']);
  assert.deepEqual(await names({}), [...own, 'deployment.environment', 'pod', 'service_name', 'zone']);
  assert.deepEqual(await values('service_name'), ['heap', 'shop', 'steps', 'till']);
  assert.deepEqual(await values('pod', { matchers: ['{service_name="till"}'] }), ['a']);
  assert.deepEqual(await values('__profile_type__'), [SPACE, CPU]);
  assert.deepEqual(await values('nope'), []);
  assert.deepEqual(await values('toString'), []);
  assert.deepEqual(await values('pod', { start: T0 - 7_200_000, end: T0 - 3_600_000 }), []);
  // A client without a range means everything.
  assert.deepEqual(await values('pod', { start: undefined, end: undefined }), ['a', 'b']);
});

test('profile types, and the health check of Grafana', async () => {
  const { profileTypes } = await ask('ProfileTypes', {});
  assert.deepEqual(profileTypes, [
    { ID: SPACE, name: 'memory', sampleType: 'inuse_space', sampleUnit: 'bytes' },
    { ID: CPU, name: 'process_cpu', sampleType: 'cpu', sampleUnit: 'nanoseconds' },
  ]);
  assert.deepEqual(await ask('ProfileTypes', { start: 1000, end: 4000 }), {});
});

test('a flame graph, bar by bar', async () => {
  const { flamegraph } = await ask('SelectMergeStacktraces', select('{service_name="shop"}'));
  assert.deepEqual(flamegraph, {
    names: ['total', 'main', 'b', 'a'],
    levels: [
      { values: ['0', '23', '0', '0'] },
      { values: ['0', '23', '0', '1'] },
      { values: ['0', '16', '16', '3', '0', '7', '7', '2'] },
    ],
    total: '23',
    maxSelf: '16',
  });
  // The second largest of its nodes has 16: what is smaller becomes one "other", which comes last.
  const { flamegraph: cut } = await ask('SelectMergeStacktraces', select('{service_name="shop"}', { maxNodes: 2 }));
  assert.deepEqual(cut.names, ['total', 'main', 'other', 'a']);
  assert.deepEqual(cut.levels[2].values, ['0', '16', '16', '3', '0', '7', '7', '2']);
});

test('services are merged by function name', async () => {
  const { flamegraph } = await ask('SelectMergeStacktraces', select('{pod="a"}'));
  assert.deepEqual([...flamegraph.names].sort(), ['a', 'b', 'c', 'main', 'total']);
  assert.equal(flamegraph.total, '112');
});

test('the range takes what starts in it, without its end', async () => {
  const selector = '{service_name="till"}';
  assert.equal(await total(selector, { start: T0, end: T0 + 1 }), 100);
  assert.equal(await total(selector, { start: T0 - 10, end: T0 }), 0);
  assert.equal(await total(selector, { start: T0 + 1, end: T0 + 10 }), 0);
  assert.equal(await total(selector, { start: T0, end: T0 }), 0);
  assert.equal(await total(selector, { start: 0, end: 8.64e15 }), 100);
});

test('whole numbers are taken as texts and as numbers, unknown fields are nothing', async () => {
  const texts = await ask('SelectMergeStacktraces', {
    ...select('{pod="a"}'),
    start: String(RANGE.start),
    end: String(RANGE.end),
    maxNodes: '100',
  });
  const numbers = await ask(
    'SelectMergeStacktraces',
    select('{pod="a"}', { maxNodes: 100, later: { of: ['a', 'later'] } }),
  );
  assert.deepEqual(texts, numbers);
});

test('a point holds what lies in the step before it, its own moment included', async () => {
  const range = { start: T0, end: T0 + 30_000 };
  const values = Object.fromEntries([-15_000, -1, 0, 15_000, 15_001, 30_000, 30_001].map((at) => [at, 11 + (at % 7)]));
  const points = (...sums) => [`{} ${sums.map((sum, k) => `${k * 15_000}:${sum}`).join(' ')}`];
  const sums = [values[-1] + values[0], values[15_000], values[15_001] + values[30_000]];
  const selector = '{service_name="steps"}';
  assert.deepEqual(await series(selector, range), points(...sums));
  assert.deepEqual(
    await series(selector, { ...range, aggregation: 'TIME_SERIES_AGGREGATION_TYPE_AVERAGE' }),
    points(sums[0] / 2, sums[1], sums[2] / 2),
  );
  // A last step that the range cuts short has its point after the end.
  assert.deepEqual(await series(selector, { start: T0 + 30_000, end: T0 + 30_001, step: 0.0005 * 2 }), [
    `{} 30000:${values[30_000]} 30001:${values[30_001]}`,
  ]);
  assert.deepEqual(await series(selector, { start: T0 - 1_000, end: T0 + 14_000 }), [
    `{} -1000:${values[-15_000]} 14000:${values[-1] + values[0]}`,
  ]);
});

test('series by label, the largest first, at most so many', async () => {
  const at = { start: T0, end: T0 };
  assert.deepEqual(await series('{service_name=~"shop|till"}', at), ['{} 0:123']);
  assert.deepEqual(await series('{service_name=~"shop|till"}', { ...at, groupBy: ['pod'] }), [
    '{pod=a} 0:112',
    '{pod=b} 0:11',
  ]);
  assert.deepEqual(await series('{service_name=~"shop|till"}', { ...at, groupBy: ['service_name', 'pod'] }), [
    '{service_name=till,pod=a} 0:100',
    '{service_name=shop,pod=a} 0:12',
    '{service_name=shop,pod=b} 0:11',
  ]);
  assert.deepEqual(await series('{service_name=~"shop|till"}', { ...at, groupBy: ['zone'] }), [
    '{} 0:100',
    '{zone=eu-west} 0:12',
    '{zone=eu.west} 0:11',
  ]);
  assert.deepEqual(await series('{service_name=~"shop|till"}', { ...at, groupBy: ['pod'], limit: 1 }), [
    '{pod=a} 0:112',
  ]);
  assert.deepEqual(await series('{}', { ...at, groupBy: ['nope'], profileTypeID: SPACE }), ['{} 0:1000']);
});

test('a call site narrows every query to the stacks that begin with it', async () => {
  const selector = '{service_name="shop"}';
  assert.equal(await total(selector, callSite('main')), 23);
  assert.equal(await total(selector, callSite('main', 'a')), 16);
  assert.equal(await total(selector, callSite('a')), 0);
  assert.equal(await total(selector, callSite('main', 'a', 'x')), 0);
  const { flamegraph } = await ask('SelectMergeStacktraces', select(selector, callSite('main', 'a')));
  assert.deepEqual(flamegraph.names, ['total', 'main', 'a']);
  const at = { start: T0, end: T0 };
  assert.deepEqual(await series(selector, { ...at, ...callSite('main', 'a') }), ['{} 0:16']);
  assert.deepEqual(await series('{service_name="steps"}', { ...at, ...callSite('other', 'a') }), ['{} 0:2']);
  const { sample } = await ask('SelectMergeProfile', select(selector, callSite('main', 'b')));
  assert.deepEqual(
    sample.map(({ value }) => value),
    [['7']],
  );
});

test('a merged profile is a pprof of all that matches', async () => {
  const { profile } = readPprof(await selectMergeProfile(server.url, { ...select('{service_name="shop"}'), ...RANGE }))
    .profiles[0];
  assert.deepEqual(profile.sampleTypes, [{ type: 'cpu', unit: 'nanoseconds' }]);
  assert.deepEqual(
    [...profile.samples.values[0]].sort((a, b) => a - b),
    [7, 16],
  );
  const { profile: none } = readPprof(
    await selectMergeProfile(server.url, { ...select('{service_name="nope"}'), ...RANGE }),
  ).profiles[0];
  assert.equal(none.samples.length, 0);
});

test('a name and labels of any text are found again by that text', async () => {
  const values = [
    '/users/{id}',
    'a b',
    'a+b',
    'ünï☃🙂',
    'quo"te',
    "apo'strophe",
    'back\\slash',
    'tab\ta',
    'line\nbreak',
    '%41',
    '=',
    '{}',
    'a\u2028b',
    'a\\nb',
    '$1',
    "'; --",
    '<b>',
    'nul\0x',
  ];
  for (const [i, value] of values.entries()) {
    const service = `round ${i}`;
    await push(`${service}{weird=${value},größe ${i}=x}`, `main ${i + 1}`);
    const quoted = `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`;
    assert.equal(await total(`{weird=${quoted}}`), i + 1, JSON.stringify(value));
    assert.equal(await total(`{weird=${quoted}, "größe ${i}"="x"}`), i + 1, JSON.stringify(value));
    assert.deepEqual((await ask('LabelValues', { name: 'service_name', matchers: [`{weird=${quoted}}`] })).names, [
      service,
    ]);
    assert.deepEqual(await series(`{weird=${quoted}}`, { start: T0, end: T0, groupBy: ['weird'] }), [
      `{weird=${value}} 0:${i + 1}`,
    ]);
  }
  assert.deepEqual((await ask('LabelValues', { name: 'weird' })).names, [...values].sort());
});

test('render: one query as a page of older clients takes it', async () => {
  const render = async (parameters) =>
    request(
      `${server.url}${ROUTES.render}?${new URLSearchParams({ from: RANGE.start, until: RANGE.end, ...parameters })}`,
    );
  const { json } = await render({ query: `${CPU}{service_name="shop"}` });
  const { timeline, ...rest } = json;
  assert.deepEqual(rest, {
    version: 1,
    flamebearer: {
      names: ['total', 'main', 'b', 'a'],
      levels: [
        [0, 23, 0, 0],
        [0, 23, 0, 1],
        [0, 16, 16, 3, 0, 7, 7, 2],
      ],
      numTicks: 23,
      maxSelf: 16,
    },
    metadata: { format: 'single', spyName: '', sampleRate: 1_000_000_000, units: 'samples', name: 'process_cpu' },
    groups: null,
    heatmap: null,
  });
  assert.deepEqual(timeline, {
    startTime: RANGE.start / 1_000,
    samples: [0, 0, 0, 0, 23, 0, 0, 0, 0, 0, 0, 0, 0],
    durationDelta: 15,
    watermarks: null,
  });
  const { json: heap } = await render({ query: `${SPACE}{}` });
  assert.deepEqual([heap.metadata.units, heap.metadata.sampleRate, heap.flamebearer.numTicks], ['bytes', 100, 1000]);
  const pprof = await fetch(
    `${server.url}${ROUTES.render}?${new URLSearchParams({ query: `${CPU}{pod="b"}`, from: RANGE.start, until: RANGE.end, format: 'pprof' })}`,
  );
  assert.match(pprof.headers.get('content-disposition'), /^attachment; filename="profile.pb"$/);
  assert.deepEqual(
    [...readPprof(new Uint8Array(await pprof.arrayBuffer())).profiles[0].profile.samples.values[0]],
    [11],
  );
  assert.equal((await render({ query: `${CPU}{}`, 'max-nodes': 'many' })).status, 200);
  // A range that is no whole number of steps still ends in what lies at its end.
  const { json: odd } = await render({ query: `${CPU}{service_name="till"}`, from: T0 - 20_000, until: T0 + 1 });
  assert.equal(
    odd.timeline.samples.reduce((sum, value) => sum + value, 0),
    odd.flamebearer.numTicks,
  );
  assert.equal(odd.flamebearer.numTicks, 100);
});

test('what is not there is an empty answer, not an error and not null', async () => {
  const nope = '{service_name="nope"}';
  const empty = { names: ['total'], levels: [{ values: ['0', '0', '0', '0'] }] };
  assert.deepEqual(await ask('SelectMergeStacktraces', select(nope)), { flamegraph: empty });
  assert.deepEqual(await ask('SelectMergeStacktraces', select('{}', { profileTypeID: 'a:b:c:d:e' })), {
    flamegraph: empty,
  });
  assert.deepEqual(await series(nope), []);
  const ranges = [
    [RANGE.start, RANGE.end],
    // Before any data, and of no length.
    [T0 - 86_400_000, T0 - 82_800_000],
    [T0, T0],
  ];
  for (const [from, until] of ranges) {
    const { status, json } = await request(
      `${server.url}${ROUTES.render}?${new URLSearchParams({ query: `${CPU}${nope}`, from, until })}`,
    );
    assert.equal(status, 200);
    assert.deepEqual(json.flamebearer, { names: ['total'], levels: [[0, 0, 0, 0]], numTicks: 0, maxSelf: 0 });
    const { startTime, samples, durationDelta } = json.timeline;
    assert.ok(samples.length > 0 && samples.every((value) => value === 0));
    assert.equal(startTime, Math.floor(from / 1_000));
    assert.ok(startTime * 1_000 + (samples.length - 2) * durationDelta * 1_000 < Math.max(until, from + 1));
  }
});

test('label-values: an array, as older clients take it', async () => {
  const values = async (parameters) =>
    (
      await request(
        `${server.url}${ROUTES.labelValues}?${new URLSearchParams({ from: RANGE.start, until: RANGE.end, ...parameters })}`,
      )
    ).json;
  assert.deepEqual(await values({ label: 'pod' }), ['a', 'b']);
  assert.deepEqual(await values({ label: 'pod', query: '{zone="eu.west"}' }), ['b']);
  assert.deepEqual(await values({ label: '__name__', query: '{service_name="heap"}' }), [SPACE]);
  assert.deepEqual(await values({ label: 'nope' }), []);
  assert.equal((await values({})).message, 'label is missing: the name of the label');
  assert.match((await values({ label: 'pod', until: RANGE.start - 1 })).message, /^bad range/);
});

test('a range that ends at the epoch but does not start there is a wrong one, not none', async () => {
  const { status, json } = await query(server.url, 'LabelNames', { start: 5 });
  assert.equal(status, 400);
  assert.match(json.message, /^malformed_query: the range is missing/);
});
