import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asciiTextId, frameId, nodeId, pairId, textId } from './node-id.js';

const distinct = (ids: readonly number[]) => new Set(ids).size;

describe('ids', () => {
  it('are whole numbers of 52 bits, never 0, and the same everywhere', () => {
    for (let i = 0; i < 10_000; i++) {
      for (const id of [textId(`f${i}`), pairId(i, 7), nodeId(i, i)]) {
        assert.ok(Number.isInteger(id) && id > 0 && id < 2 ** 52, `${id}`);
      }
    }
    // Stored data depends on these numbers: they change with a new store version only.
    assert.deepEqual(
      [textId(''), textId('main'), pairId(1, 2), frameId(1, 2, 3, 4, 5, 6), nodeId(0, 1)],
      [2420177933464306, 797942694769197, 3212209968635112, 3253468999198546, 1615352330793122],
    );
  });

  it('tell apart what differs in one thing', () => {
    const names = Array.from({ length: 50_000 }, (_, i) => textId(`org.example.Class${i}.method`));
    assert.equal(distinct(names), names.length);
    const pairs = Array.from({ length: 50_000 }, (_, i) => pairId(i % 223, Math.floor(i / 223)));
    assert.equal(distinct(pairs), pairs.length);
    assert.notEqual(pairId(1, 2), pairId(2, 1));
    const frame = [1, 2, 3, 4, 5, 6] as const;
    const changed = frame.map((_, i) =>
      frameId(
        ...(frame.map((value, k) => value + (i === k ? 10 : 0)) as [number, number, number, number, number, number]),
      ),
    );
    assert.equal(distinct([frameId(...frame), ...changed]), 7);
  });

  it('of a text are the same from its bytes, as long as it is ASCII', () => {
    const bytes = new TextEncoder().encode('..org.example.Main.run..größe');
    assert.equal(asciiTextId(bytes, 2, 22), textId('org.example.Main.run'));
    assert.equal(asciiTextId(bytes, 2, 2), textId(''));
    assert.equal(asciiTextId(bytes, 22, bytes.length), 0);
  });

  it('see the high half of an id', () => {
    assert.notEqual(pairId(2 ** 40 + 1, 5), pairId(1, 5));
    assert.notEqual(pairId(5, 2 ** 40 + 1), pairId(5, 1));
  });
});
