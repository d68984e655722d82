import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingestName } from './labels.js';

test('what runs is told, sorted by name', () => {
  assert.equal(
    ingestName(
      'shop',
      new Map([
        ['zone', 'b'],
        ['pod', 'p/1'],
      ]),
      '20.1.0',
    ),
    'shop{pod=p/1,process.runtime.name=nodejs,process.runtime.version=20.1.0,zone=b}',
  );
});

test('unless the operator says otherwise', () => {
  assert.equal(
    ingestName('shop', new Map([['process.runtime.version', 'mine']]), '20.1.0'),
    'shop{process.runtime.name=nodejs,process.runtime.version=mine}',
  );
});
