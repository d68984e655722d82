import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topTable } from '@pilotlight/profile';
import { collapsedTree } from '../testing/collapsed-tree.js';
import type { TableSort } from '../view/view-state.js';
import { orderRows, visibleRows } from './table-rows.js';

const TREE = collapsedTree('a;b;a 10', 'a;c 5', 'd 5');
const TABLE = topTable(TREE);

function shown(sort: TableSort, matches?: Uint8Array, hidden = -1): string {
  return [...orderRows(TREE, TABLE, sort, matches, hidden)]
    .map((row) => TREE.names[TABLE.name[row] as number])
    .join('');
}

test('rows are sorted by a column, equals by name', () => {
  assert.equal(shown({ column: 'self', descending: true }), 'acdb');
  assert.equal(shown({ column: 'self', descending: false }), 'bcda');
  assert.equal(shown({ column: 'total', descending: true }), 'abcd');
  assert.equal(shown({ column: 'name', descending: true }), 'dcba');
});

test('a search leaves what matches, what was cut off is no row', () => {
  const byName = { column: 'name', descending: false } as const;
  const matches = Uint8Array.from(TREE.names, (name) => ('bd'.includes(name) ? 1 : 0));
  assert.equal(shown(byName, matches), 'bd');
  assert.equal(shown(byName, undefined, TREE.names.indexOf('c')), 'abd');
});

test('only rows that can be seen are made', () => {
  assert.deepEqual(visibleRows(1_000, 2_400, 240, 24), [94, 116]);
  assert.deepEqual(visibleRows(3, 0, 240, 24), [0, 3]);
  assert.deepEqual(visibleRows(0, 500, 240, 24), [0, 0]);
});
