import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JfrBytes } from '../testing/jfr-bytes.js';
import { refused } from '../testing/reading.js';
import { Cursor } from './wire.js';

const anyLong = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 300n }));

describe('Cursor', () => {
  it('reads a long of any size exactly, padded or not', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyLong, fc.integer({ min: 1, max: 9 }))), (longs) => {
        const bytes = new JfrBytes();
        for (const [value, bytesMin] of longs) bytes.varint(value, bytesMin);
        const cursor = new Cursor(bytes.finish());
        for (const [value] of longs) {
          cursor.long();
          assert.equal((BigInt(cursor.high) << 32n) | BigInt(cursor.low), value);
        }
        assert.equal(cursor.position, cursor.end);
      }),
    );
  });

  it('passes over varints as far as reading them would go', () => {
    const longs = fc.array(fc.tuple(anyLong, fc.integer({ min: 1, max: 9 })), { maxLength: 40 });
    fc.assert(
      fc.property(longs, fc.nat(40), (drawn, count) => {
        const bytes = new JfrBytes();
        for (const [value, bytesMin] of drawn) bytes.varint(value, bytesMin);
        const reading = new Cursor(bytes.finish());
        const skipping = new Cursor(reading.bytes);
        if (count > drawn.length) {
          assert.throws(() => skipping.skipVarints(count), refused('malformed_profile', /expected a varint/));
          return;
        }
        for (let i = 0; i < count; i++) reading.long();
        skipping.skipVarints(count);
        assert.equal(skipping.position, reading.position);
      }),
    );
  });

  it('gives the ninth byte all eight bits', () => {
    const cursor = new Cursor(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 7));
    cursor.long();
    assert.deepEqual([cursor.high, cursor.low], [0x8000_0000, 0]);
    assert.equal(cursor.varint(), 7);
  });

  it('reads the six encodings of a string', () => {
    const text = 'Größe 大小 🙂, longer than a dozen bytes';
    const bytes = new JfrBytes()
      .byte(0)
      .byte(1)
      .byte(2)
      .varint(2n ** 33n)
      .utf8(text)
      .utf8('a')
      .utf16(text)
      .latin1('é');
    const cursor = new Cursor(bytes.finish());
    const skipping = new Cursor(cursor.bytes);
    const lookup = (low: number, high: number) => `key ${high} ${low}`;
    for (const expected of ['', '', 'key 2 0', text, 'a', text, 'é']) {
      assert.equal(cursor.string(100, lookup), expected);
      skipping.skipString();
      assert.equal(skipping.position, cursor.position);
    }
    assert.equal(cursor.position, cursor.end);
  });

  it('keeps whole characters of a text that is too long, and reads on behind it', () => {
    for (const bytes of [new JfrBytes().utf8('ab大c'), new JfrBytes().utf16('ab大c')]) {
      const cursor = new Cursor(bytes.byte(9).finish());
      assert.equal(cursor.string(4), 'ab');
      assert.equal(cursor.byte(), 9);
    }
    assert.equal(new Cursor(new JfrBytes().latin1('abé').finish()).string(3), 'ab');
  });

  it('names offset and bytes left of what is cut off', () => {
    const short = new JfrBytes().byte(3).varint(300_000).raw([65, 66]).finish();
    assert.throws(
      () => new Cursor(short).string(10),
      refused('malformed_profile', /offset 4: .*300000 bytes.*2 bytes/),
    );
    const wide = new JfrBytes()
      .byte(4)
      .varint(2n ** 62n)
      .finish();
    assert.throws(() => new Cursor(wide).string(10), refused('malformed_profile', /UTF-16 string/));
    assert.throws(() => new Cursor(wide).skipString(), refused('malformed_profile', /UTF-16 string/));
    assert.throws(() => new Cursor(Uint8Array.of(6)).string(10), refused('malformed_profile', /from 0 to 5, found 6/));
    assert.throws(
      () => new Cursor(Uint8Array.of(6)).skipString(),
      refused('malformed_profile', /from 0 to 5, found 6/),
    );
    assert.throws(() => new Cursor(Uint8Array.of(0x80)).varint(), refused('malformed_profile', /a varint/));
    assert.throws(() => new Cursor(new Uint8Array()).byte(), refused('malformed_profile', /offset 0: expected a byte/));
  });
});
