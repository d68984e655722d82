import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkMaxNodes,
  checkRange,
  checkSelection,
  checkStep,
  NODES_DEFAULT,
  NODES_MAX,
  POINTS_MAX,
} from './query-checks.js';

const RAW = {
  profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
  labelSelector: '{}',
  start: 1_000n,
  end: 2_000n,
};

test('a selection in full', () => {
  assert.deepEqual(checkSelection({ ...RAW, labelSelector: '{service_name="shop", pod=~"a.*"}', callSite: ['main'] }), {
    tenant: 'anonymous',
    profileType: RAW.profileTypeID,
    matchers: [
      { name: 'service_name', operator: '=', value: 'shop' },
      { name: 'pod', operator: '=~', value: 'a.*' },
    ],
    startMs: 1_000,
    endMs: 2_000,
    callSite: ['main'],
  });
  assert.ok(!('callSite' in checkSelection({ ...RAW, callSite: [] })));
});

test('a profile type has five parts; a sixth says delta and is left out', () => {
  assert.equal(checkSelection({ ...RAW, profileTypeID: 'a:b:c:d:e:delta' }).profileType, 'a:b:c:d:e');
  assert.equal(checkSelection({ ...RAW, profileTypeID: 'a:b:c::' }).profileType, 'a:b:c::');
  for (const profileTypeID of ['', 'cpu', 'a:b:c:d', 'a:b:c:d:e:f:g', ':b:c:d:e', 'x'.repeat(10_000)]) {
    assert.throws(
      () => checkSelection({ ...RAW, profileTypeID }),
      ({ code, message }: Error & { code: string }) =>
        code === 'unknown_profile_type' &&
        /is not a profile type: name:type:unit/.test(message) &&
        message.length < 400,
    );
  }
});

test('an empty selector is refused, {} is all', () => {
  assert.deepEqual(checkSelection(RAW).matchers, []);
  for (const labelSelector of ['', '  ']) {
    assert.throws(() => checkSelection({ ...RAW, labelSelector }), {
      code: 'malformed_query',
      message: 'the label selector is empty; {} is all',
    });
  }
  assert.throws(() => checkSelection({ ...RAW, labelSelector: 'x' }), {
    code: 'malformed_query',
    message: /character 1/,
  });
});

test('ranges', () => {
  assert.deepEqual(checkRange(0n, 5n), { startMs: 0, endMs: 5 });
  assert.deepEqual(checkRange(5, 5), { startMs: 5, endMs: 5 });
  assert.deepEqual(checkRange(-5n, 5n), { startMs: -5, endMs: 5 });
  const wrong: [bigint, bigint, RegExp][] = [
    [0n, 0n, /the range is missing/],
    [5n, 0n, /the range is missing/],
    [6n, 5n, /it ends \(5\) before it starts \(6\)/],
    [0n, 2n ** 63n - 1n, /beyond ±8640000000000000 ms/],
    [-(2n ** 63n), 5n, /beyond/],
  ];
  for (const [start, end, message] of wrong) {
    assert.throws(() => checkRange(start, end), { code: 'malformed_query', message });
  }
});

test('how many nodes a flame graph may have', () => {
  assert.equal(checkMaxNodes(undefined), NODES_DEFAULT);
  assert.equal(checkMaxNodes(0n), NODES_DEFAULT);
  assert.equal(checkMaxNodes(1), 1);
  assert.equal(checkMaxNodes(BigInt(NODES_MAX)), NODES_MAX);
  assert.throws(() => checkMaxNodes(-1n), { code: 'malformed_query', message: 'max_nodes is -1, below 0' });
  assert.throws(() => checkMaxNodes(NODES_MAX + 1), {
    code: 'query_limit',
    message: 'max_nodes is 1048577, the limit is 1048576',
  });
});

test('steps', () => {
  assert.equal(checkStep(15, 0, 60_000), 15_000);
  assert.equal(checkStep(0.001, 0, 100_000), 1);
  for (const seconds of [0, -1, 0.0004, Number.NaN, Number.NEGATIVE_INFINITY]) {
    assert.throws(() => checkStep(seconds, 0, 1_000), { code: 'malformed_query', message: /must be 0.001 s or more/ });
  }
  assert.equal(checkStep(1, 0, POINTS_MAX * 1_000), 1_000);
  assert.throws(() => checkStep(1, 0, POINTS_MAX * 1_000 + 1), {
    code: 'query_limit',
    message: 'the range holds 100001 steps, the limit is 100000',
  });
  for (const seconds of [1e20, 1e300, Number.POSITIVE_INFINITY]) {
    assert.throws(() => checkStep(seconds, 0, 1_000), {
      code: 'malformed_query',
      message: /leads beyond -8640000000000000 ms/,
    });
  }
});
