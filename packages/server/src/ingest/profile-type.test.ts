import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValueType } from '@pilotlight/profile';
import { metricOf, parseSampleTypeConfig, profileTypeId, profileTypes } from './profile-type.js';
import { CPU, drawnProfile } from './testing/drawn-profile.js';

const types = (...names: string[]): ValueType[] => names.map((type) => ({ type, unit: 'count' }));
const config = (settings: Record<string, string>) =>
  parseSampleTypeConfig(
    Buffer.from(
      JSON.stringify(
        Object.fromEntries(
          Object.entries(settings).map(([type, name]) => [type, { 'display-name': name, units: 'x' }]),
        ),
      ),
    ),
  );

test('the metric of a pprof, from its sample types', () => {
  const none = parseSampleTypeConfig(undefined);
  const metrics: [string[], string][] = [
    [['samples', 'cpu'], 'process_cpu'],
    [['samples', 'wall', 'cpu'], 'wall'],
    [['alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'], 'memory'],
    [['inuse_objects', 'inuse_space'], 'memory'],
    [['contentions', 'delay'], 'mutex'],
    [['goroutine'], 'goroutines'],
    [['exceptions'], 'exceptions'],
    [[], 'unknown'],
  ];
  for (const [names, metric] of metrics) assert.equal(metricOf(types(...names), none), metric, names.join());
});

test('the display names of the Go client win', () => {
  const metrics: [string[], Record<string, string>, string][] = [
    [['contentions', 'delay'], { contentions: 'block_count', delay: 'block_duration' }, 'block'],
    [['contentions', 'delay'], { contentions: 'mutex_count', delay: 'mutex_duration' }, 'mutex'],
    // Since 1.5.0; before, it sent "goroutines".
    [['goroutine'], { goroutine: 'goroutine' }, 'goroutine'],
    [['goroutine'], { goroutine: 'goroutines' }, 'goroutines'],
    [['samples'], { samples: '' }, 'process_cpu'],
  ];
  for (const [names, settings, metric] of metrics) {
    assert.equal(metricOf(types(...names), config(settings)), metric, JSON.stringify(settings));
  }
});

test('a config that is no JSON is refused, one of another shape says nothing', () => {
  for (const text of ['{', 'nonsense', '['.repeat(1_000_000)]) {
    assert.throws(() => parseSampleTypeConfig(Buffer.from(text)), {
      code: 'malformed_profile',
      message: 'sample_type_config is not JSON',
    });
  }
  for (const text of ['', 'null', '5', '[]', '{"cpu":null}', '{"cpu":5}', '{"cpu":{"display-name":7}}']) {
    assert.equal(parseSampleTypeConfig(Buffer.from(text)).size, 0, text);
  }
  assert.equal(
    parseSampleTypeConfig(Buffer.from('{"__proto__":{"display-name":"x"}}')).get('__proto__')?.displayName,
    'x',
  );
});

test('one profile type a sample type; thread CPU in a wall profile is a CPU profile', () => {
  const profile = drawnProfile('main 1 2 3', {
    types: [
      { type: 'samples', unit: 'count' },
      { type: 'wall', unit: 'nanoseconds' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    periodType: { type: 'wall', unit: 'nanoseconds' },
  });
  assert.deepEqual(profileTypes('wall', profile).map(profileTypeId), [
    'wall:samples:count:wall:nanoseconds',
    'wall:wall:nanoseconds:wall:nanoseconds',
    'process_cpu:cpu:nanoseconds:wall:nanoseconds',
  ]);
});

test('an id has five parts, whatever the names hold', () => {
  const profile = drawnProfile('main 1', { types: [{ type: 'a:b', unit: ':' }], periodType: undefined });
  assert.deepEqual(profileTypes('m:n', profile).map(profileTypeId), ['m_n:a_b:_::']);
  const period = drawnProfile('main 1', { types: [CPU], periodType: { type: 'p:q', unit: 'r:' } });
  assert.deepEqual(profileTypes('m', period).map(profileTypeId), ['m:cpu:nanoseconds:p_q:r_']);
});
