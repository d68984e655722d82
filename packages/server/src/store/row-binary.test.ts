import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RowBinaryReader, RowBinaryWriter } from './row-binary.js';

test('what is written is read again, at every width and length', () => {
  const row = fc.record({
    small: fc.nat(255),
    medium: fc.nat(65_535),
    large: fc.nat(4_294_967_295),
    wide: fc.maxSafeInteger(),
    text: fc.string({ unit: 'binary', maxLength: 300 }),
    column: fc.array(fc.maxSafeInteger(), { maxLength: 200 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      // A capacity of one byte makes every write grow the buffer.
      const writer = new RowBinaryWriter(1);
      for (const { small, medium, large, wide, text, column } of rows) {
        writer.uint8(small);
        writer.uint16(medium);
        writer.uint32(large);
        writer.int64(wide);
        writer.string(text);
        writer.int64Array(Float64Array.from(column));
        writer.map([{ name: text, value: 'v' }]);
      }
      const reader = new RowBinaryReader(writer.bytes());
      for (const { small, medium, large, wide, text, column } of rows) {
        assert.equal(reader.uint8(), small);
        assert.equal(reader.uint16(), medium);
        assert.equal(reader.uint32(), large);
        assert.equal(reader.int64(), wide);
        assert.equal(reader.string(), text);
        assert.deepEqual(
          Array.from({ length: reader.varint() }, () => reader.int64()),
          column,
        );
        assert.deepEqual(reader.map(), [{ name: text, value: 'v' }]);
      }
      assert.equal(reader.more, false);
    }),
  );
});

test('a column is written by rows', () => {
  const writer = new RowBinaryWriter();
  writer.int64Array(Float64Array.of(10, 20, 30), Int32Array.of(2, 0));
  const reader = new RowBinaryReader(writer.bytes());
  assert.deepEqual([reader.varint(), reader.int64(), reader.int64()], [2, 30, 10]);
});
