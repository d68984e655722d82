import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jfrChunk } from '../testing/jfr-drawing.js';
import { refused } from '../testing/reading.js';
import { readJfr } from './read.js';

describe('the header of a chunk', () => {
  const cases: readonly [name: string, header: (view: DataView) => void, message: RegExp][] = [
    ['version 1', (view) => view.setUint16(4, 1), /offset 4: expected JFR version 2, found 1\.0/],
    ['fixed integers', (view) => view.setUint8(67, 2), /offset 67: expected compressed integers/],
    ['compressed ticks', (view) => view.setUint8(67, 5), /offset 67: compressed ticks are not supported/],
    ['no frequency', (view) => view.setBigUint64(56, 0n), /offset 56: expected 1 to 100000000000 ticks/],
    ['a frequency too high', (view) => view.setBigUint64(56, 2n ** 63n), /offset 56: expected 1 to/],
    ['pools in the header', (view) => view.setBigUint64(16, 8n), /offset 16: expected a constant pool offset from 68/],
    ['metadata past the end', (view) => view.setBigUint64(24, 2n ** 40n), /offset 24: expected a metadata offset/],
    ['metadata that are none', (view) => view.setBigUint64(24, view.getBigUint64(16)), /expected the metadata event/],
    ['pools that are none', (view) => view.setBigUint64(16, 68n), /expected a checkpoint \(type 1\), found type 0/],
    ['a size below the header', (view) => view.setBigUint64(8, 67n), /offset 0: expected a chunk size from 68/],
    ['a size past the end', (view) => view.setBigUint64(8, 2n ** 63n), /offset 0: expected a chunk size from 68/],
    ['another magic', (view) => view.setUint32(0, 0x1f8b0800), /offset 0: expected a chunk \(magic/],
  ];
  for (const [name, header, message] of cases) {
    it(`with ${name} is refused`, () => {
      const chunk = jfrChunk({ stacks: ['a'], events: [['jdk.ExecutionSample', { stackTrace: 1 }]], header });
      assert.throws(() => readJfr(chunk), refused('malformed_profile', message));
    });
  }
});
