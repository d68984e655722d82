import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CallTree, callTree } from './call-tree.js';
import { type FlameLayout, flameLayout } from './flame-layout.js';
import { arbitrarySamples, profileOf } from './testing/arbitrary-profile.js';
import { profileFromStacks } from './testing/stack-drawing.js';

const drawn = (tree: CallTree, layout: FlameLayout) =>
  layout.levels.map((level) =>
    Array.from(
      level.node,
      (node, i) => `${tree.names[tree.name[node] as number]} ${level.start[i]}-${level.end[i]}`,
    ).join(' | '),
  );

describe('flameLayout', () => {
  const tree = callTree(profileFromStacks('a;b 5\na 1\nc;b 2\nc 2'), 0);

  it('lays out level by level, self on the left', () => {
    const layout = flameLayout(tree);
    assert.equal(layout.total, 10);
    assert.deepEqual(drawn(tree, layout), ['total 0-10', 'a 0-6 | c 6-10', 'b 1-6 | b 8-10']);
  });

  it('gives the focus and all above it the full width', () => {
    const c = 3;
    const layout = flameLayout(tree, { focus: c });
    assert.equal(layout.total, 4);
    assert.deepEqual(drawn(tree, layout), ['total 0-4', 'c 0-4', 'b 2-4']);
    assert.throws(() => flameLayout(tree, { focus: 99 }), /no node 99/);
  });

  it('draws negative values as nothing', () => {
    const difference = callTree(profileFromStacks('main;a 100\nmain;b -40'), 0);
    assert.deepEqual(drawn(difference, flameLayout(difference)), ['total 0-100', 'main 0-100', 'a 0-100 | b 100-100']);
  });

  it('draws all frames of a deep chain', () => {
    const deep = callTree(profileFromStacks(`${Array(3000).fill('f').join(';')} 7`), 0);
    assert.equal(flameLayout(deep).levels.length, 3001);
    assert.equal(flameLayout(deep, { focus: 3000 }).levels.length, 3001);
  });

  it('has every node once, sorted, inside its parent', () => {
    fc.assert(
      fc.property(arbitrarySamples, (samples) => {
        const whole = callTree(profileOf(samples), 0);
        const { levels } = flameLayout(whole);
        const [start, end] = [new Map<number, number>(), new Map<number, number>()];
        for (const level of levels) {
          assert.equal(level.node.length, level.length);
          for (let i = 0; i < level.length; i++) {
            const node = level.node[i] as number;
            start.set(node, level.start[i] as number);
            end.set(node, level.end[i] as number);
            assert.equal((level.end[i] as number) - (level.start[i] as number), whole.total[node]);
            if (i > 0) assert.ok((level.start[i] as number) >= (level.end[i - 1] as number));
            const parent = whole.parent[node] as number;
            if (parent === -1) continue;
            assert.ok((level.start[i] as number) >= (start.get(parent) as number) + (whole.self[parent] as number));
            assert.ok((level.end[i] as number) <= (end.get(parent) as number));
          }
        }
        assert.equal(start.size, whole.length);
      }),
      { numRuns: 60 },
    );
  });
});
