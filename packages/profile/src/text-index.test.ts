import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textId } from './node-id.js';
import { TextIndex } from './text-index.js';

describe('TextIndex', () => {
  it('gives each distinct text one index, in order of arrival, and knows its id', () => {
    const index = new TextIndex();
    const texts = Array.from({ length: 5_000 }, (_, i) => `f${i}`);
    for (const text of [...texts, ...texts]) index.put(text, textId(text));
    assert.deepEqual(index.texts, ['', ...texts]);
    assert.deepEqual(
      [...index.finishIds()],
      index.texts.map((text) => textId(text)),
    );
    assert.equal(index.put('f4999', textId('f4999')), 5_000);
  });

  it('keeps texts apart that share an id', () => {
    const index = new TextIndex();
    const all = () => ['a', 'b', 'c', 'a'].map((text) => index.put(text, 7));
    assert.deepEqual(all(), [1, 2, 3, 1]);
    assert.deepEqual(all(), [1, 2, 3, 1]);
  });
});
