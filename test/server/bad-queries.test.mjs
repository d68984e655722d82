/** Queries that can not be answered: each says in a sentence what is wrong and which limit, and none costs more than its answer. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { ingest, query, request } from './api.mjs';
import { startServer } from './server-process.mjs';

/** @type {[what: string, method: string, message: object, RegExp][]} */
const range = { start: 1, end: 2 };
const selection = { profileTypeID: 'process_cpu:cpu:nanoseconds::', labelSelector: '{}', ...range };
const selecting = (labelSelector) => ['SelectMergeStacktraces', { ...selection, labelSelector }];
const QUERIES = [
  ['no profile type', 'SelectMergeStacktraces', { labelSelector: '{}', ...range }, /^unknown_profile_type: "" is not/],
  [
    'a profile type of one part',
    'SelectSeries',
    { ...selection, profileTypeID: 'cpu', step: 1 },
    /^unknown_profile_type: "cpu" is not.*name:type:unit/,
  ],
  ['no selector', ...selecting(''), /^malformed_query: the label selector is empty; {} is all/],
  ['PromQL that is no selector', ...selecting('rate(x[5m])'), /^malformed_query: label selector, character 1/],
  ['an operator there is not', ...selecting('{a=="1"}'), /character 4: expected a quoted value/],
  ['an unknown operator', ...selecting('{a>"1"}'), /character 3: expected one of = != =~ !~/],
  [
    'a pattern that is none',
    ...selecting('{service_name=~"("}'),
    /^malformed_query: the pattern "\(" does not close a group/,
  ],
  [
    'a pattern with a look ahead',
    ...selecting('{service_name=~"(?=a)"}'),
    /^malformed_query: the pattern .*invalid perl operator/,
  ],
  [
    'a pattern of a long repetition',
    ...selecting('{service_name=~"((a{1,100}){1,100}){1,100}"}'),
    /^malformed_query: the pattern .*(repetition|too large)/,
  ],
  ['a long pattern', ...selecting(`{a=~"${'x'.repeat(1_025)}"}`), /the pattern is longer than 1024 characters/],
  [
    'a long selector',
    ...selecting(`{a="${'x'.repeat(8_192)}"}`),
    /^query_limit: label selector is longer than 8192 characters/,
  ],
  [
    'no range',
    'SelectMergeProfile',
    { ...selection, start: undefined, end: undefined },
    /^malformed_query: the range is missing/,
  ],
  [
    'no range of a series',
    'SelectSeries',
    { ...selection, step: 1, start: undefined, end: undefined },
    /the range is missing/,
  ],
  [
    'a range backwards',
    'SelectMergeStacktraces',
    { ...selection, start: 5, end: 2 },
    /ends \(2\) before it starts \(5\)/,
  ],
  ['a range backwards of labels', 'LabelNames', { start: 5, end: 2 }, /ends \(2\) before it starts \(5\)/],
  [
    'a range past all dates',
    'SelectMergeStacktraces',
    { ...selection, end: '9223372036854775807' },
    /beyond ±8640000000000000 ms/,
  ],
  [
    'huge max_nodes',
    'SelectMergeStacktraces',
    { ...selection, maxNodes: 1_048_577 },
    /^query_limit: max_nodes is 1048577, the limit is 1048576/,
  ],
  [
    'negative max_nodes',
    'SelectMergeStacktraces',
    { ...selection, maxNodes: '-1' },
    /^malformed_query: max_nodes is -1, below 0/,
  ],
  [
    'max_nodes of 30 digits',
    'SelectMergeStacktraces',
    { ...selection, maxNodes: '9'.repeat(30) },
    /max_nodes.* out of range/,
  ],
  ['no step', 'SelectSeries', selection, /the step is 0 s; it must be 0.001 s or more/],
  ['a step of nothing', 'SelectSeries', { ...selection, step: 1e-9 }, /it must be 0.001 s or more/],
  [
    'an endless step',
    'SelectSeries',
    { ...selection, step: 'Infinity' },
    /^malformed_query: the step is Infinity s; from/,
  ],
  ['a step of ages', 'SelectSeries', { ...selection, step: 1e300 }, /^malformed_query: the step is 1e\+300 s; from/],
  ['a step that is no number', 'SelectSeries', { ...selection, step: 'NaN' }, /the step is NaN s/],
  [
    'too many steps',
    'SelectSeries',
    { ...selection, end: 1e9, step: 0.001 },
    /^query_limit: the range holds 999999999 steps, the limit is 100000/,
  ],
  [
    'a format there is not',
    'SelectMergeStacktraces',
    { ...selection, format: 'PROFILE_FORMAT_DOT' },
    /^unsupported_format: .*FLAMEGRAPH/,
  ],
  ['a label without a name', 'LabelValues', range, /^malformed_query: the name of the label is missing/],
  ['a matcher that is none', 'Series', { matchers: ['{', 'x'], ...range }, /label selector, character 2/],
  ['a text as a number', 'ProfileTypes', { start: 'x' }, /cannot decode .*start/],
  ['an array', 'ProfileTypes', [1], /cannot decode message/],
];

let server;
before(async (t) => {
  server = await startServer(t);
});

test('queries', async (t) => {
  for (const [what, method, message, said] of QUERIES) {
    const answer = await query(server.url, method, message);
    assert.deepEqual([answer.status, answer.json?.code], [400, 'invalid_argument'], `${what}: ${answer.text}`);
    assert.match(answer.json.message, said, what);
  }
  t.diagnostic(`${QUERIES.length} of ${QUERIES.length} compared`);
});

test('render', async () => {
  const render = (parameters) => request(`${server.url}${ROUTES.render}?${new URLSearchParams(parameters)}`);
  const type = 'process_cpu:cpu:nanoseconds::';
  const wrong = [
    [{}, /query must be a profile type and a selector/],
    [{ query: type }, /query must be a profile type and a selector/],
    [{ query: 'cpu{}' }, /"cpu" is not a profile type/],
    [{ query: `${type}{x}` }, /character 3/],
    [{ query: `${type}{}`, from: 'x' }, /^from: "x" is not a time/],
    [{ query: `${type}{}`, until: '0' }, /the range is missing/],
    [{ query: `${type}{}`, from: 'now', until: 'now-1h' }, /before it starts/],
    [{ query: `${type}{}`, format: 'dot' }, /format=dot is neither json nor pprof/],
    [{ query: `${type}{}`, 'max-nodes': '2000000' }, /the limit is 1048576/],
  ];
  for (const [parameters, message] of wrong) {
    const answer = await render(parameters);
    assert.equal(answer.status, 400, JSON.stringify(parameters));
    assert.match(answer.json.message, message);
  }
});

test('our own routes take no parameter twice and none they do not know', async () => {
  for (const path of [
    ROUTES.flameGraph,
    ROUTES.threads,
    ROUTES.diff,
    ROUTES.export,
    ROUTES.status,
    ROUTES.refusals,
    ROUTES.openApi,
  ]) {
    const unknown = await request(`${server.url}${path}?nosuch=1`);
    assert.equal(unknown.status, 400, path);
    assert.match(unknown.json.message, /^the parameter "nosuch" is not known here; there are \w/, path);
  }
  for (const path of [ROUTES.flameGraph, ROUTES.threads, ROUTES.diff, ROUTES.export]) {
    const twice = await request(`${server.url}${path}?type=a&type=b`);
    assert.equal(twice.status, 400, path);
    assert.equal(twice.json.message, 'the parameter "type" is there twice; one is taken', path);
  }
});

test('hostile patterns are answered in linear time', async () => {
  const name = `${'a'.repeat(60)}!`;
  assert.equal((await ingest(server.url, { name }, 'main;a 5')).status, 200);
  const now = Date.now();
  for (const pattern of ['(a+)+$', '(a|aa)+$', '(.*a){20}', '(a*)*b', '([a-z]+)*$', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
    const answer = await query(server.url, 'Series', {
      matchers: [`{service_name=~"${pattern}"}`],
      start: now - 60_000,
      end: now + 60_000,
    });
    assert.equal(answer.status, 200, pattern);
  }
});
