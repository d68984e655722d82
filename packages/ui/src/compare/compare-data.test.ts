import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffCallTrees } from '@pilotlight/profile';
import fc from 'fast-check';
import type { Snapshots } from '../data/snapshots.js';
import { collapsedTree, nodeNamed, randomTree } from '../testing/collapsed-tree.js';
import { profileTypeText } from '../values/profile-type.js';
import { orderChanges } from './changes-rows.js';
import { type CompareData, compareData, comparedProfiles, emptySides } from './compare-data.js';
import { matchedText } from './compare-search.js';
import type { Basis, ChangeSort, ComparedValue } from './comparison.js';
import { nodeSteps } from './diff-scale.js';
import { nodeText } from './diff-text.js';

const CPU = profileTypeText('process_cpu:cpu:nanoseconds:cpu:nanoseconds');
/** The right side is twice as long. */
const HOURS = { left: 3_600, right: 7_200 };
const ONE: Snapshots = { divisor: 1, note: '', prefix: '' };

function compared(left: readonly string[], right: readonly string[], basis: Basis = 'share'): CompareData {
  const diff = diffCallTrees(collapsedTree(...left), collapsedTree(...right));
  return compareData(comparedProfiles(CPU, diff, { left: ONE, right: ONE }, HOURS), basis);
}

/** The steps of frames by name. */
function stepsOf(data: CompareData, of: ComparedValue): Record<string, number> {
  const steps = nodeSteps(data, of);
  return Object.fromEntries(Array.from(data.diff.name, (name, node) => [data.diff.names[name], steps[node] as number]));
}

test('steps of change: gone, halved, a fifth less, the same, more, doubled, new', () => {
  const left = ['gone 10', 'half 10', 'fifth 10', 'same 10', 'quarter 8', 'double 5', 'rest 47'];
  const right = ['half 5', 'fifth 8', 'same 10', 'quarter 10', 'double 10', 'new 10', 'rest 47'];
  assert.deepEqual(stepsOf(compared(left, right), 'total'), {
    total: 0,
    double: 3,
    fifth: -2,
    gone: -4,
    half: -3,
    new: 4,
    quarter: 2,
    rest: 0,
    same: 0,
  });
});

test('a frame that took a third of twice as much is the same by share, and more by value', () => {
  const [left, right] = [
    ['a 1', 'b 2'],
    ['a 2', 'b 4'],
  ] as const;
  assert.deepEqual(stepsOf(compared(left, right), 'total'), { total: 0, a: 0, b: 0 });
  assert.deepEqual(stepsOf(compared(left, right, 'value'), 'total'), { total: 3, a: 3, b: 3 });
  assert.equal(compared(left, right).isSame, true);
  assert.equal(compared(left, right, 'value').isSame, false);
  assert.equal(compared(left, right, 'rate').isSame, true, 'it took twice as long');
});

test('by self, a frame is as loud as the part of it that changed', () => {
  const data = compared(['a;b 98', 'a 2'], ['a;b 96', 'a 4']);
  assert.deepEqual(stepsOf(data, 'total'), { total: 0, a: 0, b: 0 });
  assert.deepEqual(stepsOf(data, 'self'), { total: 0, a: 0, b: 0 }, 'a doubled its own part, which is 4 % of it');
  assert.equal(stepsOf(compared(['a;b 60', 'a 40'], ['a;b 40', 'a 60']), 'self')['a'], 2);
});

test('the graph is as wide as what was on either side', () => {
  const data = compared(['a 50', 'b 50'], ['a 50', 'c 50']);
  assert.equal(data.layout.total, 1.5);
  assert.deepEqual(Array.from(data.tree.total), [1.5, 0.5, 0.5, 0.5]);
});

test('with nothing on one side, nothing is compared', () => {
  const data = compared([], ['a;b 5']);
  assert.deepEqual(emptySides(data), ['left']);
  assert.deepEqual(stepsOf(data, 'total'), { total: 0, a: 0, b: 0 });
  assert.equal(data.layout.total, 1);
  const nothing = compared([], []);
  assert.deepEqual(emptySides(nothing), ['left', 'right']);
  assert.equal(nothing.layout.total, 0);
});

test('snapshots of a level count by their mean', () => {
  const diff = diffCallTrees(collapsedTree('a 300'), collapsedTree('a 100'));
  const snapshots = { left: { ...ONE, divisor: 3 }, right: ONE };
  const data = compareData(comparedProfiles(CPU, diff, snapshots, HOURS), 'value');
  assert.equal(data.diff.left.total[0], 100);
  assert.equal(data.isSame, true);
});

test('by rate, values are those of a second; a level has none', () => {
  const diff = diffCallTrees(collapsedTree('a 3600000000000'), collapsedTree('a 3600000000000'));
  const profiles = (id: string) => comparedProfiles(profileTypeText(id), diff, { left: ONE, right: ONE }, HOURS);
  const cpu = compareData(profiles(CPU.id), 'rate');
  assert.deepEqual([cpu.unit, cpu.diff.left.total[0], cpu.diff.right.total[0]], ['cores', 1, 0.5]);
  assert.equal(cpu.table.right.self[0], 0.5);
  const level = compareData(profiles('memory:inuse_space:bytes:space:bytes'), 'rate');
  assert.deepEqual([level.basis, level.unit, level.diff.right.total[0]], ['value', 'bytes', 3.6e12]);
});

test('what is said of a frame', () => {
  const data = compared(['a;x 12', 'b 88'], ['a;x 45', 'a 5', 'b 250']);
  const { shares, values, shareChange, shareFactor, valueChange, valueFactor } = nodeText(
    data,
    nodeNamed(data.tree, 'a'),
    'total',
  );
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  assert.deepEqual([shares.left, shares.right].map(plain), ['12.00 %', '16.67 %']);
  assert.deepEqual([values.left, values.right].map(plain), ['12 ns', '50 ns']);
  assert.deepEqual([shareChange, shareFactor], ['+4.67 points', '×1.39']);
  assert.deepEqual([plain(valueChange), valueFactor], ['+38 ns', '×4.17']);
  const same = nodeText(data, 0, 'total');
  assert.deepEqual([same.shareChange, same.shareFactor], ['no change', '']);
  const gone = compared(['a 1', 'b 1'], ['b 1']);
  assert.deepEqual(nodeText(gone, nodeNamed(gone.tree, 'a'), 'total').shareFactor, 'gone');
});

test('a search says how much of each side it found, frames below a match counted once', () => {
  const data = compared(['a;a 30', 'b 70'], ['a 10', 'b 90']);
  const names = Uint8Array.from(data.diff.names, (name) => (name === 'a' ? 1 : 0));
  assert.equal(matchedText(data, names).replaceAll('\u00a0', ' '), '30.00 % of A, 10.00 % of B (−20.00 points)');
});

function namesBy(data: CompareData, sort: ChangeSort, matches?: Uint8Array): string[] {
  return Array.from(
    orderChanges(data, sort, matches),
    (row) => data.diff.names[data.table.name[row] as number] as string,
  );
}

test('the table is sorted by any column, equals by name', () => {
  const data = compared(['m;a 60', 'm;b 20', 'm;d 20'], ['m;a 40', 'm;c 20', 'm;b 20', 'm;d 20']);
  const by = (column: ChangeSort['column'], descending: boolean) => namesBy(data, { column, descending });
  assert.deepEqual(
    by('self.change', true),
    ['c', 'm', 'b', 'd', 'a'].sort((x, y) => order(data, y) - order(data, x) || (x < y ? -1 : 1)),
  );
  assert.deepEqual(by('self.change', false)[0], 'a');
  assert.deepEqual(by('total.left', true).slice(0, 2), ['m', 'a']);
  assert.deepEqual(by('name', false), ['a', 'b', 'c', 'd', 'm']);
  const matches = Uint8Array.from(data.diff.names, (name) => (name === 'b' ? 1 : 0));
  assert.deepEqual(namesBy(data, { column: 'name', descending: true }, matches), ['b']);
});

function order(data: CompareData, name: string): number {
  const index = data.diff.names.indexOf(name);
  return data.table.change.self[data.table.name.indexOf(index)] as number;
}

test('swapped sides tell the opposite, and every step keeps to its bounds', () => {
  const seeds = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }));
  fc.assert(
    fc.property(seeds, fc.constantFrom('total', 'self'), fc.constantFrom('share', 'value'), ([a, b], of, basis) => {
      const [first, second] = [randomTree(a, a, 9), randomTree(b, b, 9)];
      const sides = { left: ONE, right: ONE };
      const there = compareData(comparedProfiles(CPU, diffCallTrees(first, second), sides, HOURS), basis);
      const back = compareData(comparedProfiles(CPU, diffCallTrees(second, first), sides, HOURS), basis);
      const steps = nodeSteps(there, of);
      assert.deepEqual(
        Array.from(steps),
        Array.from(nodeSteps(back, of), (step) => -step || 0),
      );
      assert.ok(there.layout.total > 0 && steps.every((step) => Math.abs(step) <= 4));
    }),
    { numRuns: 50 },
  );
});
