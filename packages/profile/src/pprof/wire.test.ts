import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PilotlightError } from '../errors.js';
import { WireReader } from './wire.js';
import { WireWriter } from './wire-writer.js';

const reader = (...bytes: number[]) => new WireReader(Uint8Array.from(bytes));
const refusedAt = (offset: number, message: RegExp) => (error: unknown) =>
  error instanceof PilotlightError &&
  error.code === 'malformed_profile' &&
  error.place.offset === offset &&
  message.test(error.message);

describe('varints', () => {
  const INT64 = [
    0n,
    1n,
    127n,
    128n,
    300n,
    2n ** 28n - 1n,
    2n ** 28n,
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 35n,
    2n ** 49n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 62n,
    2n ** 63n - 1n,
    -1n,
    -128n,
    -(2n ** 31n),
    -(2n ** 32n),
    -(2n ** 53n) + 1n,
    -(2n ** 53n),
    -(2n ** 63n),
  ];

  for (const value of INT64) {
    it(`reads ${value} exactly`, () => {
      const writer = new WireWriter(1);
      writer.varintExact(value);
      const wire = new WireReader(writer.finish());
      wire.varint();
      assert.equal(wire.more, false);
      assert.equal(wire.int64Exact(), value);
      assert.equal((BigInt(wire.high) << 32n) | BigInt(wire.low), BigInt.asUintN(64, value));
      const isExact = Number.isSafeInteger(Number(value)) && BigInt(Number(value)) === value;
      assert.equal(wire.int64(), isExact ? Number(value) : Number.NaN);
      assert.equal(wire.int31(), value >= 0n && value < 2n ** 31n ? Number(value) : -1);
      if (!isExact) return;
      const plain = new WireWriter(1);
      plain.varint(Number(value));
      assert.deepEqual(plain.finish(), writer.finish());
    });
  }

  it('takes ten bytes, refuses eleven and a missing end', () => {
    const ten = [...Array(9).fill(0xff), 0x01];
    const wire = reader(...ten);
    wire.varint();
    assert.equal(wire.int64(), -1);
    assert.throws(() => reader(...Array(10).fill(0x80), 0x01).varint(), refusedAt(0, /longer than 10 bytes/));
    assert.throws(() => reader(0x80, 0x80).varint(), refusedAt(0, /does not end/));
    assert.throws(() => reader().varint(), refusedAt(0, /does not end/));
  });

  it('never reads past the window', () => {
    const wire = reader(0x80, 0x01, 0x05);
    wire.enter(0, 1);
    assert.throws(() => wire.varint(), refusedAt(0, /does not end/));
  });
});

describe('fields', () => {
  it('refuses lengths past the end before anything is read', () => {
    assert.throws(() => reader(0x05, 1, 2, 3, 4).lengthEnd(), refusedAt(0, /a length past the end/));
    assert.throws(() => reader(0xff, 0xff, 0xff, 0xff, 0x7f).lengthEnd(), refusedAt(0, /a length past the end/));
    assert.equal(reader(0x04, 1, 2, 3, 4).lengthEnd(), 5);
  });

  it('skips every wire type, and refuses groups and field 0', () => {
    const wire = reader(0x08, 0x96, 0x01, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x1a, 2, 9, 9, 0x25, 1, 2, 3, 4);
    while (wire.more) wire.skip(wire.tag());
    assert.equal(wire.position, 21);
    assert.throws(() => wireOf(0x0b).skip(0x0b), refusedAt(1, /wire type 3/));
    assert.throws(() => reader(0x00).tag(), refusedAt(0, /field number/));
    assert.throws(() => reader(0xff, 0xff, 0xff, 0xff, 0x7f).tag(), refusedAt(0, /field number/));
    assert.throws(() => wireOf(0x11, 1, 2).skip(0x11), refusedAt(1, /fixed number past the end/));
    assert.throws(() => wireOf(0x25, 1, 2).skip(0x25), refusedAt(1, /fixed number past the end/));
  });
});

/** A reader that has read its first tag. */
function wireOf(...bytes: number[]): WireReader {
  const wire = reader(...bytes);
  wire.tag();
  return wire;
}
