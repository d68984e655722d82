import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Label } from '@pilotlight/profile';
import { LABEL_LIMITS, seriesLabelsOf, seriesOf, uploadLabels } from './series-labels.js';

const TYPE = { name: 'process_cpu', type: 'cpu', unit: 'nanoseconds', periodType: 'cpu', periodUnit: 'nanoseconds' };

const labels = (record: Record<string, string>): Label[] =>
  Object.entries(record).map(([name, value]) => ({ name, value }));
const named = (app: string, record: Record<string, string>, spy = '') =>
  Object.fromEntries(uploadLabels(app, labels(record), spy));

test('the application is the service, unless the client names one', () => {
  assert.deepEqual(named('shop', { zone: 'a' }, 'javaspy'), {
    zone: 'a',
    service_name: 'shop',
    pyroscope_spy: 'javaspy',
  });
  assert.deepEqual(named('shop', { service_name: 'till' }), { service_name: 'till', app_name: 'shop' });
  assert.deepEqual(named('shop', { service_name: 'shop' }), { service_name: 'shop' });
  assert.deepEqual(named('shop', { service_name: '' }), { service_name: 'shop' });
});

test('private and empty labels are left out, values stay as sent', () => {
  assert.deepEqual(
    named('shop', { __session_id__: '1', __name__: 'x', empty: '', path: '/users/{id}', 'a b': '  ☃\n' }, 'unknown'),
    { path: '/users/{id}', 'a b': '  ☃\n', service_name: 'shop' },
  );
});

test('30 labels, names of 1,024 and values of 2,048 bytes; one more is refused by name and limit', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`label${i}`, 'x']));
  assert.equal(uploadLabels('shop', labels(many(LABEL_LIMITS.namesMax - 1)), '').size, 30);
  assert.throws(() => uploadLabels('shop', labels(many(30)), ''), {
    code: 'label_names_limit',
    message: '31 labels, the limit is 30',
    place: { limit: 30 },
  });
  const name = 'ü'.repeat(LABEL_LIMITS.nameBytesMax / 2);
  const value = '☃'.repeat(Math.floor(LABEL_LIMITS.valueBytesMax / 3));
  assert.equal(named('shop', { [name]: `${value}ab` })[name], `${value}ab`);
  assert.throws(() => named('shop', { [`${name}x`]: 'y' }), {
    code: 'label_size_limit',
    message: /^the name of label "ü+" has 1025 bytes, the limit is 1024$/,
  });
  assert.throws(() => named('shop', { zone: `${value}abc` }), {
    code: 'label_size_limit',
    message: 'the value of label "zone" has 2049 bytes, the limit is 2048',
  });
  assert.throws(() => named('s'.repeat(2_049), {}), {
    code: 'label_size_limit',
    message: /label "service_name" has 2049/,
  });
});

test('a request or a thread is no dimension', () => {
  const kept = seriesLabelsOf(
    labels({
      endpoint: '/',
      span_id: '1',
      trace_id: '2',
      profile_id: '3',
      'thread name': 'x',
      thread: 'y',
      __order__: 'z',
    }),
  );
  assert.deepEqual(kept, labels({ endpoint: '/' }));
});

test('who names the series wins over its content, and that over its samples', () => {
  const { labels: all, profileType } = seriesOf(
    new Map([
      ['service_name', 'shop'],
      ['a', 'named'],
    ]),
    labels({ a: 'content', b: 'content', service_name: 'no' }),
    labels({ a: 'sample', b: 'sample', c: 'sample', service_name: 'no', __name__: 'no' }),
    TYPE,
  );
  assert.equal(profileType, 'process_cpu:cpu:nanoseconds:cpu:nanoseconds');
  assert.deepEqual(Object.fromEntries(all.map(({ name, value }) => [name, value])), {
    __name__: 'process_cpu',
    __period_type__: 'cpu',
    __period_unit__: 'nanoseconds',
    __profile_type__: profileType,
    __service_name__: 'shop',
    __type__: 'cpu',
    __unit__: 'nanoseconds',
    a: 'named',
    b: 'content',
    c: 'sample',
    service_name: 'shop',
  });
});

test('the id of a series is that of its labels, in whatever order they came', () => {
  const id = (record: Record<string, string>, type = TYPE) =>
    seriesOf(uploadLabels('shop', labels(record), ''), [], [], type).seriesId;
  assert.equal(id({ a: '1', b: '2' }), id({ b: '2', a: '1' }));
  const others = [
    id({ a: '1', b: '2' }),
    id({ a: '1' }),
    id({ a: '2', b: '1' }),
    id({ a: '1', b: '2' }, { ...TYPE, unit: 'count' }),
    id({ a: '1","b":"2' }),
  ];
  assert.equal(new Set(others).size, others.length);
});
