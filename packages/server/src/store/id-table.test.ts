import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { IdTable } from './id-table.js';

test('finds what was added and nothing else, over several growths', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(2 ** 52 - 1), { maxLength: 2_000 }),
      fc.array(fc.nat(2 ** 52 - 1)),
      (ids, others) => {
        const table = new IdTable(4);
        const rows = new Map(ids.map((id) => [id, table.add(id)]));
        for (const [id, row] of rows) assert.equal(table.find(id), row);
        for (const id of others) assert.equal(table.find(id), rows.get(id) ?? -1);
        assert.equal(table.length, ids.length);
      },
    ),
    { numRuns: 50 },
  );
});
