import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from './call-tree.js';
import { arbitrarySamples, profileOf } from './testing/arbitrary-profile.js';
import { profileFromStacks } from './testing/stack-drawing.js';
import { topTable } from './top-table.js';

const tableOf = (stacks: string) => {
  const tree = callTree(profileFromStacks(stacks), 0);
  const table = topTable(tree);
  return Array.from({ length: table.length }, (_, i) => {
    return `${tree.names[table.name[i] as number]} ${table.self[i]} ${table.total[i]}`;
  });
};

describe('topTable', () => {
  it('counts a recursive function once', () => {
    assert.deepEqual(tableOf('a;b;a;b;a 10\na;c 5'), ['a 10 15', 'b 0 10', 'c 5 5']);
  });

  it('counts it again on another path, and after the path was left', () => {
    assert.deepEqual(tableOf('a;f;f 1\na;g;f 2\nf 4\nf;a;f 8'), ['a 0 11', 'f 15 15', 'g 0 2']);
  });

  it('leaves out the root, not a function called "total"', () => {
    assert.deepEqual(tableOf('a;total 3'), ['a 0 3', 'total 3 3']);
    assert.deepEqual(tableOf(''), []);
  });

  it('takes chains of any depth', () => {
    assert.deepEqual(tableOf(`${Array(3000).fill('f').join(';')} 7`), ['f 7 7']);
  });

  it('agrees with a count stack by stack', () => {
    fc.assert(
      fc.property(arbitrarySamples, (samples) => {
        const self = new Map<string, number>();
        const total = new Map<string, number>();
        for (const { stack, values } of samples) {
          const names = stack.map(({ name }) => name);
          const leaf = names.at(-1) as string;
          self.set(leaf, (self.get(leaf) ?? 0) + (values[1] as number));
          for (const name of new Set(names)) total.set(name, (total.get(name) ?? 0) + (values[1] as number));
        }
        const tree = callTree(profileOf(samples), 1);
        const table = topTable(tree);
        for (let i = 0; i < table.length; i++) {
          const name = tree.names[table.name[i] as number] as string;
          assert.equal(table.self[i], self.get(name) ?? 0);
          assert.equal(table.total[i], total.get(name));
        }
        assert.equal(table.length, [...total.values()].filter((value) => value > 0).length);
      }),
      { numRuns: 60 },
    );
  });
});
