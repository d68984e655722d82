import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CallTree, callTree } from '../call-tree.js';
import { diffCallTrees } from '../diff/diff-call-trees.js';
import { tryReader } from '../fuzz/reader-trial.js';
import { profileFromStacks } from '../testing/stack-drawing.js';
import { decodeDiff, decodeFlameGraph } from './decode.js';
import { encodeDiff, encodeFlameGraph } from './encode.js';

const CPU = { sampleType: 'cpu', unit: 'nanoseconds' };
const BEFORE = callTree(profileFromStacks('main;run;a 5\nmain;run;b 700\nmain;é🙂 3\nmain;ééx 9007199254740991'), 0);
const AFTER = callTree(profileFromStacks('main;run;a;b;c;d 5\nmain;z 1'), 0);

/** The invariants of a call tree, which whoever draws one trusts. */
function check(tree: CallTree): void {
  for (let i = 1; i < tree.length; i++) {
    const above = tree.parent[i] as number;
    assert.ok(above >= 0 && above < i && tree.depth[i] === (tree.depth[above] as number) + 1);
    assert.ok((tree.name[i] as number) > 0 && typeof tree.names[tree.name[i] as number] === 'string');
    assert.ok((tree.self[i] as number) >= 0 && (tree.total[i] as number) >= (tree.self[i] as number));
  }
}

const READERS = {
  decodeFlameGraph: {
    input: encodeFlameGraph(BEFORE, CPU),
    trees: (bytes: Uint8Array) => [decodeFlameGraph(bytes).tree],
  },
  decodeDiff: {
    input: encodeDiff(diffCallTrees(BEFORE, AFTER), CPU),
    trees: (bytes: Uint8Array) => [decodeDiff(bytes).diff.left, decodeDiff(bytes).diff.right],
  },
};

for (const [name, { input, trees }] of Object.entries(READERS)) {
  it(`${name} reads damaged input or refuses it`, (t) => {
    const seed = Number(process.env['PILOTLIGHT_FUZZ_SEED'] ?? Date.now() % 1_000_000);
    const read = (bytes: Uint8Array) => {
      for (const tree of trees(bytes)) check(tree);
      return { profiles: [], refusals: [] };
    };
    const result = tryReader({ inputs: [input], read, seed, runs: 4000 });
    t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused`);
    assert.equal(result.runs, 4000);
    assert.ok(result.read > 0 && result.refused > 0);
  });
}
