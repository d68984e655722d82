import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FrameIndex } from './frame-index.js';

describe('FrameIndex', () => {
  it('gives each distinct frame one index, in order of arrival', () => {
    const small = fc.nat(2);
    const frame = fc.tuple(small, small, small, small, small, small);
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 1_500 }), (frames) => {
        const index = new FrameIndex();
        const given = frames.map((one) => index.indexOf(...one));
        const distinct = [...new Set(frames.map(String))];
        assert.deepEqual(
          given,
          frames.map((one) => distinct.indexOf(String(one))),
        );
        const { length, name, systemName, file, startLine, line, kind } = index.finish();
        assert.deepEqual(
          Array.from({ length }, (_, i) => [name[i], systemName[i], file[i], startLine[i], line[i], kind[i]].join(',')),
          distinct,
        );
      }),
      { numRuns: 30 },
    );
  });
});
