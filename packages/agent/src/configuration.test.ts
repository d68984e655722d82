import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configurationFrom, OPTIONS, type Option } from './configuration.js';

const ON = { PYROSCOPE_AGENT_ENABLED: 'true' };

function configure(environment: Record<string, string>) {
  const reading = configurationFrom({ ...ON, ...environment });
  assert.ok(reading.configuration !== undefined, reading.problems.join());
  return { ...reading.configuration, problems: reading.problems };
}

test('off unless the switch says true, in any case', () => {
  for (const value of [undefined, '', 'false', '1', 'yes', ' true', 'on']) {
    assert.deepEqual(configurationFrom({ PYROSCOPE_AGENT_ENABLED: value, PYROSCOPE_SERVER_ADDRESS: 'no URL' }), {
      configuration: undefined,
      problems: [],
    });
  }
  for (const value of ['true', 'TRUE', 'True']) {
    assert.ok(configurationFrom({ PYROSCOPE_AGENT_ENABLED: value }).configuration !== undefined);
  }
});

test('defaults', () => {
  const { applicationName, ...rest } = configure({});
  assert.match(applicationName, /^nodespy\.[\w-]{22}$/);
  assert.deepEqual(rest, {
    labels: new Map(),
    serverAddress: 'http://localhost:4040',
    uploadIntervalMillis: 10_000,
    profilingIntervalMicros: 10_000,
    headers: [],
    exportTimeoutMillis: 10_000,
    ingestTriesMax: 8,
    pushQueueCapacity: 8,
    logLevel: 'info',
    overheadBudget: 0.01,
    profilesWorkers: true,
    problems: [],
  });
  assert.notEqual(configure({}).applicationName, applicationName);
});

test('durations', () => {
  const interval = (text: string) => configure({ PYROSCOPE_PROFILING_INTERVAL: text });
  assert.equal(interval('20ms').profilingIntervalMicros, 20_000);
  assert.equal(interval('1s').profilingIntervalMicros, 1_000_000);
  assert.equal(interval('2500us').profilingIntervalMicros, 2_500);
  assert.equal(interval('10000000').profilingIntervalMicros, 10_000);
  for (const text of ['0', '10m', '10ns', '-1s', '1.5s', '1h', 'soon', '999us', '99999999s']) {
    const { profilingIntervalMicros, problems } = interval(text);
    assert.equal(profilingIntervalMicros, 10_000);
    assert.equal(problems.length, 1, text);
    assert.ok(problems[0]?.startsWith(`PYROSCOPE_PROFILING_INTERVAL '${text}' is`), problems[0]);
  }
});

test('tries and queue', () => {
  assert.equal(configure({ PYROSCOPE_INGEST_MAX_TRIES: '-1' }).ingestTriesMax, Number.POSITIVE_INFINITY);
  assert.equal(configure({ PYROSCOPE_INGEST_MAX_TRIES: '0' }).ingestTriesMax, 1);
  assert.equal(configure({ PYROSCOPE_INGEST_MAX_TRIES: '3' }).ingestTriesMax, 3);
  assert.equal(configure({ PYROSCOPE_PUSH_QUEUE_CAPACITY: '0' }).pushQueueCapacity, 8);
  assert.equal(configure({ PYROSCOPE_PUSH_QUEUE_CAPACITY: '2' }).pushQueueCapacity, 2);
  assert.equal(configure({ PYROSCOPE_PUSH_QUEUE_CAPACITY: 'two' }).problems.length, 1);
});

test('budget', () => {
  assert.equal(configure({ PILOTLIGHT_OVERHEAD_BUDGET: '0.5' }).overheadBudget, 0.005);
  assert.equal(configure({ PILOTLIGHT_OVERHEAD_BUDGET: '2 %' }).overheadBudget, 0.02);
  for (const text of ['0', '101', '-1', 'much']) {
    const { overheadBudget, problems } = configure({ PILOTLIGHT_OVERHEAD_BUDGET: text });
    assert.equal(overheadBudget, 0.01);
    assert.equal(problems.length, 1);
  }
});

test('name and labels: labels of the environment win, bad entries are counted', () => {
  const { applicationName, labels, problems } = configure({
    PYROSCOPE_APPLICATION_NAME: 'shop{zone=a,team=x}',
    PYROSCOPE_LABELS: 'zone=b, pod=p-1,,bad,=x,k=,a=b=c,sp ace=1',
  });
  assert.equal(applicationName, 'shop');
  assert.deepEqual(
    [...labels],
    [
      ['zone', 'b'],
      ['team', 'x'],
      ['pod', 'p-1'],
    ],
  );
  assert.deepEqual(problems, ['PYROSCOPE_LABELS has 5 entries that are no label k=v; they are left out']);
  for (const name of ['a=b', '{x=y}', 'a,b', 'a{b']) {
    const bad = configure({ PYROSCOPE_APPLICATION_NAME: name });
    assert.match(bad.applicationName, /^nodespy\./);
    assert.equal(bad.problems.length, 1, name);
  }
});

test('authorization: basic beats the URL, which beats the token', () => {
  const authorization = (environment: Record<string, string>) =>
    new Map(configure(environment).headers).get('Authorization');
  const token = { PYROSCOPE_AUTH_TOKEN: 't0ken' };
  const url = { PYROSCOPE_SERVER_ADDRESS: 'https://u%40x:p%3A@host/prefix/' };
  const user = { PYROSCOPE_BASIC_AUTH_USER: 'user' };
  const password = { PYROSCOPE_BASIC_AUTH_PASSWORD: 'pass' };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  assert.equal(authorization(token), 'Bearer t0ken');
  assert.equal(authorization({ ...token, ...url }), basic('u@x:p:'));
  assert.equal(authorization({ ...token, ...url, ...user }), basic('u@x:p:'));
  assert.equal(authorization({ ...token, ...url, ...user, ...password }), basic('user:pass'));
  assert.equal(configure(url).serverAddress, 'https://host/prefix');
});

test('headers: own ones first, so that tenant and authorization win', () => {
  const { headers } = configure({
    PYROSCOPE_HTTP_HEADERS: '{"X-A": "1", "Authorization": "mine"}',
    PYROSCOPE_TENANT_ID: 'acme',
    PYROSCOPE_AUTH_TOKEN: 't',
  });
  assert.deepEqual(headers, [
    ['X-A', '1'],
    ['Authorization', 'mine'],
    ['X-Scope-OrgID', 'acme'],
    ['Authorization', 'Bearer t'],
  ]);
});

test('no message holds a secret', () => {
  const secret = 's3cr3t';
  const { problems } = configure({
    PYROSCOPE_AUTH_TOKEN: `${secret}\nX: y`,
    PYROSCOPE_HTTP_HEADERS: `{"A": "${secret}`,
  });
  assert.deepEqual(problems, [
    'PYROSCOPE_HTTP_HEADERS is not a JSON object of strings',
    'PYROSCOPE_AUTH_TOKEN has a character that no header may have',
  ]);
  for (const headers of [`["${secret}"]`, `{"A": {"b": "${secret}"}}`, `{"A b": "${secret}"}`, 'null', secret]) {
    const [problem = ''] = configure({ PYROSCOPE_HTTP_HEADERS: headers }).problems;
    assert.match(problem, /^PYROSCOPE_HTTP_HEADERS (is not a JSON object of strings|names a header)/);
    assert.ok(!problem.includes(secret));
  }
  for (const address of [`ftp://u:${secret}@host`, `//u:${secret}@`, `http://%zz:${secret}@host`]) {
    const reading = configurationFrom({ ...ON, PYROSCOPE_SERVER_ADDRESS: address });
    assert.equal(reading.configuration, undefined);
    assert.match(reading.problems.join(), /^PYROSCOPE_SERVER_ADDRESS (is not an http|has credentials)/);
    assert.ok(!reading.problems.join().includes(secret));
  }
});

test('docs/agent.md holds the table of options', () => {
  const documented = readFileSync(new URL('../../../docs/agent.md', import.meta.url), 'utf8');
  const cells = documented
    .split('\n')
    .filter((line) => /^\| `P\w+` /.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
  const expected = Object.values<Option<unknown>>(OPTIONS).map((option) => [
    `\`${option.environment}\``,
    option.default === '' ? '' : `\`${option.default}\``,
    option.meaning,
  ]);
  assert.deepEqual(cells, expected);
});
