import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameLayout } from '@pilotlight/profile';
import fc from 'fast-check';
import { collapsedTree, nodeNamed, randomTree } from '../testing/collapsed-tree.js';
import { ExpressionSearch, type SearchThread, type WorkerAnswer, type WorkerRequest } from './expression-search.js';
import { levelPrefixes, nextMatch, summarizeMatches } from './match-share.js';
import { matchText, parsePattern } from './pattern.js';

test('plain text by default, slashes make an expression', () => {
  assert.deepEqual(parsePattern(''), { kind: 'none' });
  for (const text of ['foo(', '[]', '*', '(a+)+$', '/', '//', 'a/b/c', '/a/x']) {
    assert.deepEqual(parsePattern(text), { kind: 'text', text });
  }
  assert.deepEqual(parsePattern('/^a|b$/'), { kind: 'expression', source: '^a|b$', flags: '' });
  assert.deepEqual(parsePattern('/A/i'), { kind: 'expression', source: 'A', flags: 'i' });
});

test('a bad expression is explained', () => {
  assert.deepEqual(parsePattern('/foo(/'), { kind: 'invalid', reason: 'unterminated group' });
  assert.deepEqual(parsePattern('/*/'), { kind: 'invalid', reason: 'nothing to repeat' });
  assert.deepEqual(parsePattern('x'.repeat(1_025)), { kind: 'invalid', reason: 'longer than 1024 characters' });
});

test('text is found as it stands, whatever the capitals', () => {
  assert.deepEqual([...matchText(['readAll', 'rea(d', 'x'], 'REA')], [1, 1, 0]);
  assert.deepEqual([...matchText(['readAll', 'rea(d', 'x'], 'a(')], [0, 1, 0]);
});

function matchingNames(names: readonly string[], ...wanted: string[]): Uint8Array {
  return Uint8Array.from(names, (name) => (wanted.includes(name) ? 1 : 0));
}

test('what is below a match is not counted again', () => {
  const tree = collapsedTree('a;b;a;b;a 10', 'a;c 5', 'd;a 3', 'd 2');
  assert.deepEqual(summarizeMatches(tree, matchingNames(tree.names, 'a')), {
    functionCount: 1,
    frameCount: 4,
    value: 18,
  });
  assert.deepEqual(summarizeMatches(tree, matchingNames(tree.names, 'b', 'c')), {
    functionCount: 2,
    frameCount: 3,
    value: 15,
  });
  assert.deepEqual(summarizeMatches(tree, matchingNames(tree.names, 'total')), {
    functionCount: 0,
    frameCount: 0,
    value: 0,
  });
});

test('the matched share equals a count by each leaf, and never exceeds everything', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, nodes) => {
      const tree = randomTree(nodes, seed, 20);
      const names = Uint8Array.from(tree.names, (_, index) => (index > 0 && (index + seed) % 5 === 0 ? 1 : 0));
      let expected = 0;
      for (let i = 0; i < tree.length; i++) {
        for (let at = i; at > 0; at = tree.parent[at] as number) {
          if (names[tree.name[at] as number] !== 1) continue;
          expected += tree.self[i] as number;
          break;
        }
      }
      const { value } = summarizeMatches(tree, names);
      assert.equal(value, expected);
      assert.ok(value <= (tree.total[0] as number));
    }),
  );
});

test('n and N go round', () => {
  const tree = collapsedTree('a;x 1', 'b;x 1', 'c 1');
  const names = matchingNames(tree.names, 'x', 'c');
  const visited: number[] = [];
  for (let node = 0, i = 0; i < 4; i++) visited.push((node = nextMatch(tree, names, node, 1)));
  assert.deepEqual(visited, [2, 4, nodeNamed(tree, 'c'), 2]);
  assert.equal(nextMatch(tree, names, 2, -1), nodeNamed(tree, 'c'));
  assert.equal(nextMatch(tree, new Uint8Array(tree.names.length), 0, 1), -1);
});

test('prefixes count the matches of any run of bars', () => {
  const tree = collapsedTree('a;x 1', 'b;x 1', 'c 1');
  const layout = flameLayout(tree);
  assert.deepEqual(
    levelPrefixes(tree, layout, matchingNames(tree.names, 'x', 'a', 'total')).map((level) => [...level]),
    [
      [0, 0],
      [0, 1, 1, 1],
      [0, 1, 2],
    ],
  );
});

/** A thread that answers only when told to. */
class FakeThread implements SearchThread {
  onmessage: ((event: MessageEvent<WorkerAnswer>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly requests: WorkerRequest[] = [];
  ended = false;

  postMessage(message: WorkerRequest): void {
    this.requests.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(matches: number[]): void {
    const id = this.requests.at(-1)?.id ?? 0;
    this.onmessage?.({ data: { id, matches: Uint8Array.from(matches) } } as MessageEvent<WorkerAnswer>);
  }
}

test('names are sent once, a new search stops the one before', async () => {
  const threads: FakeThread[] = [];
  const search = new ExpressionSearch(() => {
    threads.push(new FakeThread());
    return threads.at(-1) as FakeThread;
  });
  const names = ['a', 'b'];
  const first = search.search(names, 'a', '');
  threads[0]?.answer([1, 0]);
  assert.deepEqual(await first, { kind: 'found', matches: Uint8Array.from([1, 0]) });
  const second = search.search(names, 'b', '');
  assert.deepEqual(
    threads[0]?.requests.map((request) => request.names),
    [names, undefined],
  );
  const third = search.search(names, 'c', '');
  assert.deepEqual(await second, { kind: 'replaced' });
  assert.equal(threads[0]?.ended, true);
  assert.deepEqual(threads[1]?.requests[0]?.names, names, 'a new thread knows no names yet');
  threads[1]?.answer([0, 0]);
  assert.equal((await third).kind, 'found');
  search.stop();
});

test('an expression that takes too long is stopped', async () => {
  const thread = new FakeThread();
  const search = new ExpressionSearch(() => thread, 1);
  assert.deepEqual(await search.search(['aaaa!'], '(a+)+$', ''), { kind: 'stopped' });
  assert.equal(thread.ended, true);
});
