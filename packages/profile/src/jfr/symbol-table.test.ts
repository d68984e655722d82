import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JfrBytes } from '../testing/jfr-bytes.js';
import { SymbolTable } from './symbol-table.js';
import { Cursor } from './wire.js';

describe('SymbolTable', () => {
  it('gives each distinct text one number, wherever it stands, in whichever recording', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'a', 'ab', 'main', 'mains', 'abcdefgh', 'abcdefgi', 'X$$Lambda$1'),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), fc.nat(2000), (texts, others) => {
        const all = [...texts, ...Array.from({ length: others }, (_, i) => `other ${i}`), ...texts];
        const symbols = new SymbolTable(1000);
        const expected = new Map<string, number>();
        for (let recording = 0; recording < 2; recording++) {
          const bytes = new JfrBytes().raw(new Uint8Array(recording * 77));
          const offsets = all.map((each) => {
            const offset = bytes.length;
            bytes.utf8(each);
            return offset;
          });
          const cursor = new Cursor(bytes.finish());
          for (const [i, offset] of offsets.entries()) {
            const symbol = symbols.at(cursor, offset, () => '');
            assert.equal(symbols.raw(symbol), all[i]);
            assert.equal(expected.get(all[i] as string) ?? symbol, symbol);
            expected.set(all[i] as string, symbol);
            if (!symbols.isPlain(symbol)) continue;
            const content = symbols.bytes.subarray(symbols.contentStart(symbol), symbols.contentEnd(symbol));
            assert.equal(new TextDecoder().decode(content), symbols.shown(symbol));
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not take the key of a pooled string for its text', () => {
    const cursor = new Cursor(new JfrBytes().byte(2).varint(7).finish());
    const symbols = new SymbolTable(1000);
    const texts = ['here', 'X$$Lambda$1', `long ${'x'.repeat(300)}`, 'here'];
    const [first, second, third, again] = texts.map((text) => symbols.at(cursor, 0, () => text)) as [
      number,
      number,
      number,
      number,
    ];
    assert.deepEqual([symbols.raw(first), symbols.raw(second), symbols.raw(third)], texts.slice(0, 3));
    assert.deepEqual([symbols.shown(second), again], ['X$$Lambda_', first]);
  });
});
