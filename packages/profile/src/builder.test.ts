import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SampleTableBuilder, StackTableBuilder } from './builder.js';
import { NO_PARENT, SAMPLE_VALUE_MAX } from './model.js';
import { PairIndex } from './pair-index.js';

describe('StackTableBuilder', () => {
  it('keeps each distinct string, frame and node once', () => {
    const builder = new StackTableBuilder();
    const [a, b] = [builder.string('a'), builder.string('b')];
    assert.deepEqual([builder.string('a'), builder.string('')], [a, 0]);
    const frame = builder.frame(a, 0, b, 1, 2, 'jit');
    assert.equal(builder.frame(a, 0, b, 1, 2, 'jit'), frame);
    const others = [
      builder.frame(b, 0, b, 1, 2, 'jit'),
      builder.frame(a, b, b, 1, 2, 'jit'),
      builder.frame(a, 0, 0, 1, 2, 'jit'),
      builder.frame(a, 0, b, 2, 2, 'jit'),
      builder.frame(a, 0, b, 1, 3, 'jit'),
      builder.frame(a, 0, b, 1, 2, 'c1'),
    ];
    assert.equal(new Set([frame, ...others]).size, 7);
    assert.equal(builder.stack([frame, frame]), builder.node(builder.node(NO_PARENT, frame), frame));
    const { nodes, strings } = builder.finish();
    assert.deepEqual(
      [strings, [...nodes.parent], [...nodes.frame]],
      [
        ['', 'a', 'b'],
        [-1, 0],
        [frame, frame],
      ],
    );
  });
});

describe('the nodes of StackTableBuilder', () => {
  it('are one for each distinct path, in whatever order paths come', () => {
    const stack = fc.array(fc.nat(3), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(stack), fc.constantFrom(1, 1024), (stacks, nodesExpected) => {
        const builder = new StackTableBuilder(nodesExpected);
        const leaves = new Map<string, number>();
        for (const frames of stacks) {
          for (let depth = 1; depth <= frames.length; depth++) {
            const path = frames.slice(0, depth);
            const leaf = builder.stack(path);
            assert.equal(leaves.get(path.join()) ?? leaf, leaf);
            assert.equal(builder.frameOf(leaf), path.at(-1));
            leaves.set(path.join(), leaf);
          }
        }
        assert.equal(new Set(leaves.values()).size, leaves.size);
        assert.equal(builder.nodeCount, leaves.size);
        const { nodes } = builder.finish();
        for (const [path, leaf] of leaves) {
          const parent = path.slice(0, Math.max(0, path.lastIndexOf(',')));
          assert.equal(nodes.parent[leaf], parent === '' ? NO_PARENT : leaves.get(parent));
        }
      }),
    );
  });

  it('are guessed from the last child', () => {
    const builder = new StackTableBuilder();
    assert.equal(builder.lastChild(NO_PARENT), -1);
    const [a, b] = [builder.node(NO_PARENT, 0), builder.node(NO_PARENT, 1)];
    assert.equal(builder.lastChild(NO_PARENT), b);
    builder.node(NO_PARENT, 0);
    assert.equal(builder.lastChild(NO_PARENT), a);
    assert.equal(builder.lastChild(a), -1);
  });
});

describe('SampleTableBuilder', () => {
  it('adds up samples of equal node and labels, whatever the order of the labels', () => {
    const builder = new SampleTableBuilder(2);
    const [x, y] = [
      { name: 'x', value: '1' },
      { name: 'y', value: '2' },
    ];
    const labels = builder.labelSet([y, x]);
    assert.equal(builder.labelSet([x, y]), labels);
    assert.equal(builder.labelSet([]), 0);
    builder.add(3, labels, 1, 10);
    builder.addAll(3, labels, [2, 20]);
    builder.add(3, 0, 4);
    const { samples, labelSets } = builder.finish();
    assert.deepEqual(labelSets, [[], [x, y]]);
    assert.deepEqual(
      [[...samples.node], [...samples.labelSet]],
      [
        [3, 3],
        [labels, 0],
      ],
    );
    assert.deepEqual(
      samples.values.map((column) => [...column]),
      [
        [3, 4],
        [30, 0],
      ],
    );
  });

  it('adds nothing where a sum would not be exact', () => {
    const builder = new SampleTableBuilder(2);
    assert.equal(builder.addAll(0, 0, [1, SAMPLE_VALUE_MAX]), true);
    assert.equal(builder.addAll(0, 0, [1, 1]), false);
    assert.equal(builder.add(0, 0, 1, 1), false);
    assert.equal(builder.add(0, 0, 5, -1), true);
    assert.deepEqual(
      builder.finish().samples.values.map((column) => column[0]),
      [6, SAMPLE_VALUE_MAX - 1],
    );
  });

  it('grows past its first columns', () => {
    const builder = new SampleTableBuilder(1);
    for (let i = 0; i < 1000; i++) builder.add(i, 0, i);
    assert.equal(builder.finish().samples.values[0]?.[999], 999);
  });
});

describe('PairIndex', () => {
  it('gives each pair one index, negative ones too, across many growths', () => {
    const index = new PairIndex(2);
    const pairs = Array.from({ length: 20_000 }, (_, i) => [(i % 141) - 1, Math.floor(i / 141)] as const);
    pairs.forEach(([a, b], i) => {
      assert.equal(index.put(a, b), ~i);
    });
    pairs.forEach(([a, b], i) => {
      assert.equal(index.put(a, b), i);
    });
    assert.equal(index.length, 20_000);
  });
});
