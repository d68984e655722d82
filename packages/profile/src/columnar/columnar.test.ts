import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CallTree, callTree, callTreeFromParents } from '../call-tree.js';
import { clampCallTree } from '../clamp-call-tree.js';
import { cutCallTree } from '../cut-call-tree.js';
import { diffCallTrees } from '../diff/diff-call-trees.js';
import { PilotlightError } from '../errors.js';
import { arbitrarySamples, profileOf } from '../testing/arbitrary-profile.js';
import { profileFromStacks } from '../testing/stack-drawing.js';
import { drawnTree } from '../testing/tree-drawing.js';
import { decodeDiff, decodeFlameGraph } from './decode.js';
import { encodeDiff, encodeFlameGraph } from './encode.js';

const CPU = { sampleType: 'cpu', unit: 'nanoseconds' };
const treeOf = (stacks: string) => callTree(profileFromStacks(stacks), 0);
const roundTrip = (tree: CallTree) => decodeFlameGraph(encodeFlameGraph(tree, CPU)).tree;

describe('the columnar flame graph', () => {
  it('has these bytes', () => {
    const bytes = encodeFlameGraph(treeOf('main;read 900\nmain;real 3\nmain 6'), { sampleType: 'cpu', unit: 'ns' });
    assert.deepEqual(
      [...bytes],
      [
        ...[0x50, 0x4c, 0x46, 0x47, 1, 1, 5, 14, 4, 3],
        // Letters shared with the text before, letters of their own, and those: "cpu", "ns", "main", "read", "(rea)l".
        ...[0, 0, 0, 0, 3],
        ...[3, 2, 4, 4, 1],
        ...new TextEncoder().encode('cpunsmainreadl'),
        // Drops, names, self values: total, main, main;read … in name order.
        ...[0, 0, 1],
        ...[0, 1, 2],
        ...[0, 2, 0xac, 0x02, 1],
      ],
    );
  });

  it('comes back as it went', () => {
    const tree = treeOf('main;b;a 5\nmain;é🙂 7\nmain;a;total 9007199254740991\nother 0');
    assert.deepEqual(decodeFlameGraph(encodeFlameGraph(tree, CPU)), { ...CPU, tree });
    assert.deepEqual(roundTrip(treeOf('')), treeOf(''));
    fc.assert(
      fc.property(arbitrarySamples, fc.nat(20), (samples, maxNodes) => {
        for (const value of [0, 1]) {
          const whole = callTree(profileOf(samples), value);
          assert.deepEqual(roundTrip(whole), whole);
          const cut = cutCallTree(whole, maxNodes);
          assert.deepEqual(drawnTree(roundTrip(cut)), drawnTree(cut));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps names of any letters, half pairs of surrogates aside', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (names) => {
        const tree = callTreeFromParents({
          names,
          name: Int32Array.from(names, (_, i) => i),
          parent: new Int32Array(names.length).fill(-1),
          self: names.map(() => 1),
        });
        assert.deepEqual(roundTrip(tree), tree);
      }),
      { numRuns: 200 },
    );
    assert.deepEqual(roundTrip(treeOf('\ufeffx 1\n🙂 2\n🙃 3')), treeOf('\ufeffx 1\n🙂 2\n🙃 3'));
    assert.deepEqual(drawnTree(roundTrip(treeOf('a\ud83d 1\na\ud83db 2'))), ['total 0/3', '. a� 1/1', '. a�b 2/2']);
  });

  it('leaves out names that no node has', () => {
    const cut = cutCallTree(treeOf('a 9\nb 1\nc 1'), 1);
    assert.equal(cut.names.length, 5);
    assert.deepEqual(roundTrip(cut).names, ['total', 'a', 'other']);
  });

  it('keeps sums over the largest exact number as good as they were', () => {
    const tree = callTreeFromParents({
      names: ['a', 'b'],
      name: Int32Array.of(0, 1),
      parent: Int32Array.of(-1, 0),
      self: [2 ** 62, 1.3e17],
    });
    assert.deepEqual(roundTrip(tree), tree);
  });

  it('draws negative values as 0, as every picture does', () => {
    const tree = treeOf('a;b 5\na;c -7');
    assert.deepEqual(roundTrip(tree), clampCallTree(tree).tree);
    const { diff } = decodeDiff(encodeDiff(diffCallTrees(tree, treeOf('a;c 1')), CPU));
    assert.deepEqual([...diff.left.total], [5, 5, 5, 0]);
    assert.deepEqual([...diff.right.total], [1, 1, 0, 1]);
  });

  it('does not recurse: a chain of 100,000 frames', () => {
    const length = 100_000;
    const parent = Int32Array.from({ length }, (_, i) => i - 1);
    const self = new Float64Array(length).fill(1);
    const tree = callTreeFromParents({ names: ['f'], name: new Int32Array(length), parent, self });
    assert.deepEqual(roundTrip(tree), tree);
  });
});

describe('the columnar diff', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitrarySamples, (before, after) => {
        const diff = diffCallTrees(callTree(profileOf(before), 1), callTree(profileOf(after), 1));
        assert.deepEqual(decodeDiff(encodeDiff(diff, CPU)), { ...CPU, diff });
      }),
      { numRuns: 100 },
    );
  });
});

describe('what cannot be read', () => {
  const bytes = encodeFlameGraph(treeOf('main;a 5\nmain;b 7'), CPU);
  const refused = (input: Uint8Array, code: string, message: RegExp, read = decodeFlameGraph) =>
    assert.throws(
      () => read(input),
      (error) => error instanceof PilotlightError && error.code === code && message.test(error.message),
    );
  const changed = (at: number, byte: number) => bytes.map((old, i) => (i === at ? byte : old));

  it('is said with the place', () => {
    refused(new Uint8Array(), 'malformed_profile', /does not begin as one/);
    refused(new TextEncoder().encode('{"code":"x"}'), 'malformed_profile', /does not begin as one, at byte 1 of 12/);
    refused(bytes.subarray(0, 5), 'malformed_profile', /a number that does not end/);
    refused(bytes.subarray(0, 30), 'malformed_profile', /less than it says/);
    refused(Uint8Array.of(...bytes, 0), 'malformed_profile', /1 bytes follow/);
    refused(changed(4, 2), 'unsupported_format', /version 2 with 1 sides; version 1 with 1 is read/);
    refused(bytes, 'unsupported_format', /version 1 with 1 sides; version 1 with 2 is read/, decodeDiff as never);
    const drops = bytes.length - 4 - 3 - 3;
    refused(changed(drops, 1), 'malformed_profile', /node 1 lies above the root/);
    refused(changed(drops + 2, 3), 'malformed_profile', /node 3 lies above the root/);
    refused(changed(drops + 3, 9), 'malformed_profile', /9, where less than 3 can be/);
    refused(changed(bytes.length - 1, 0x80), 'malformed_profile', /does not end/);
  });

  it('is what promises more than there is, before anything is made of it', () => {
    const promise = (...numbers: number[]) => Uint8Array.of(0x50, 0x4c, 0x46, 0x47, 1, 1, ...numbers);
    const huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    refused(promise(2, 0, ...huge, 1), 'malformed_profile', /less than it says/);
    refused(promise(...huge, 0, 1, 1), 'malformed_profile', /less than it says/);
    refused(promise(2, ...huge, 1, 1), 'malformed_profile', /less than it says/);
    refused(promise(0, 0, 1, 1), 'malformed_profile', /less than it says/);
    refused(promise(2, 0, 0, 1), 'malformed_profile', /less than it says/);
    assert.throws(() => decodeFlameGraph(bytes, 3), { code: 'profile_size_limit', message: /4 nodes, the limit is 3/ });
  });

  it('is a text that would grow beyond all measure', () => {
    // Each text is the one before it and one letter more.
    const count = 12_000;
    const names = Array.from({ length: count }, (_, i) => 'x'.repeat(i));
    const tree = callTreeFromParents({
      names,
      name: Int32Array.from(names, (_, i) => i),
      parent: new Int32Array(count).fill(-1),
      self: names.map(() => 1),
    });
    refused(encodeFlameGraph(tree, CPU), 'malformed_profile', /texts of more than 67108864 letters/);
  });
});
