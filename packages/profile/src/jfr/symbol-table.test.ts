import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JfrBytes } from '../testing/jfr-bytes.js';
import { SymbolTable } from './symbol-table.js';
import { Cursor } from './wire.js';

describe('SymbolTable', () => {
  it('gives each distinct text one number, wherever it stands', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'a', 'ab', 'main', 'mains', 'abcdefgh', 'abcdefgi'),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), fc.nat(2000), (texts, others) => {
        const all = [...texts, ...Array.from({ length: others }, (_, i) => `other ${i}`), ...texts];
        const bytes = new JfrBytes();
        const offsets = all.map((each) => {
          const offset = bytes.length;
          bytes.utf8(each);
          return offset;
        });
        const symbols = new SymbolTable(new Cursor(bytes.finish()), 1000);
        const expected = new Map<string, number>();
        for (const [i, offset] of offsets.entries()) {
          const symbol = symbols.at(offset, () => '');
          assert.equal(symbols.raw(symbol), all[i]);
          assert.equal(expected.get(all[i] as string) ?? symbol, symbol);
          expected.set(all[i] as string, symbol);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not take the key of a pooled string for its text', () => {
    const bytes = new JfrBytes().byte(2).varint(7).finish();
    const symbols = new SymbolTable(new Cursor(bytes), 1000);
    const [first, second] = [symbols.at(0, () => 'here'), symbols.at(0, () => 'X$$Lambda$1')];
    assert.deepEqual(
      [symbols.raw(first), symbols.raw(second), symbols.shown(second)],
      ['here', 'X$$Lambda$1', 'X$$Lambda_'],
    );
  });
});
