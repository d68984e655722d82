import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tryReader } from '../fuzz/reader-trial.js';
import { DEFAULT_READ_LIMITS } from '../limits.js';
import { readCollapsed } from './decode.js';

const INPUTS = [
  'main;a;b 5\nmain;a;c 7\r\n# comment\nmain; x ;y(int, char) 12\nWeb Content;é🙂 3\n',
  'a␛3Bb;c␛0Ad;␛00;e 7 9\n␛23x;y␛20 9007199254740991\n\n',
].map((text) => new TextEncoder().encode(text));
const UTF_16 = Uint8Array.from([
  0xff,
  0xfe,
  ...Array.from('a;b 1\r\nc 2\n').flatMap((sign) => [sign.charCodeAt(0), 0]),
]);

describe('readCollapsed on damaged input', () => {
  const limits = { ...DEFAULT_READ_LIMITS, depthMax: 3, nameBytesMax: 4, samplesMax: 4, nodesMax: 12 };
  for (const options of [{}, { limits }, { linesCountOne: true }]) {
    it(`reads or refuses, with ${JSON.stringify(Object.keys(options))}`, (t) => {
      const seed = Number(process.env['PILOTLIGHT_FUZZ_SEED'] ?? Date.now() % 1_000_000);
      const read = (bytes: Uint8Array) => readCollapsed(bytes, options);
      const result = tryReader({ inputs: [...INPUTS, UTF_16], read, seed, runs: 3000 });
      t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused`);
      assert.equal(result.runs, 3000);
    });
  }
});
