import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from '../call-tree.js';
import { DEFAULT_READ_LIMITS } from '../limits.js';
import { readPprof } from '../pprof/decode.js';
import { writePprof } from '../pprof/encode.js';
import { arbitrarySamples, profileOf } from '../testing/arbitrary-profile.js';
import { pprofFromDrawing } from '../testing/pprof-drawing.js';
import { onlyProfile, reasonsOf, refused } from '../testing/reading.js';
import { profileFromStacks, stacksOf, totalsOf } from '../testing/stack-drawing.js';
import { testData } from '../testing/test-data.js';
import { type CollapsedOptions, readCollapsed } from './decode.js';
import { writeCollapsed } from './encode.js';
import { escapeName, unescapeName } from './escape.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string, options?: CollapsedOptions) => readCollapsed(bytesOf(text), options);

describe('readCollapsed', () => {
  const crlf = 'a;b 1\r\na;c 2\r\n\r\n';
  const utf16 = (littleEndian: boolean) => {
    const bytes = new Uint8Array(2 + crlf.length * 2);
    const view = new DataView(bytes.buffer);
    [...`\ufeff${crlf}`].forEach((sign, i) => {
      view.setUint16(i * 2, sign.charCodeAt(0), littleEndian);
    });
    return bytes;
  };
  const encodings: [string, Uint8Array][] = [
    ['UTF-8', bytesOf(crlf)],
    ['UTF-8 with a mark', bytesOf(`\ufeff${crlf}`)],
    ['UTF-16, little-endian', utf16(true)],
    ['UTF-16, big-endian', utf16(false)],
  ];
  for (const [encoding, bytes] of encodings) {
    it(`takes CRLF and blank lines in ${encoding} (known bug C1)`, () => {
      const reading = readCollapsed(bytes);
      assert.deepEqual(stacksOf(onlyProfile(reading)), ['a;b 1', 'a;c 2']);
      assert.deepEqual(reading.refusals, []);
    });
  }

  it('splits at the last blank only, and trims frames (known bug C3)', () => {
    const reading = read('Web Content;main;foo 3\nmy app 1;f 2\n  main;  foo 3\nmain;foo bar(int, char) 4');
    assert.deepEqual(stacksOf(onlyProfile(reading)), [
      'Web Content;main;foo 3',
      'main;foo 3',
      'main;foo bar(int, char) 4',
      'my app 1;f 2',
    ]);
    assert.deepEqual(totalsOf(onlyProfile(reading)), [12]);
    assert.deepEqual(stacksOf(onlyProfile(read('a;b\t7\n'))), ['a;b 7']);
  });

  it('reads bytes that are no text with the replacement sign, the same bytes always as the same frame (known bug C7)', () => {
    const line = [...bytesOf('main;caf'), 0xe9, 0x3b, 0xad, 0xad, ...bytesOf(' 3\n')];
    const reading = readCollapsed(Uint8Array.from([...line, ...bytesOf('good;\ufffd 1\n'), ...line]));
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['good;\ufffd 1', 'main;caf\ufffd;\ufffd\ufffd 6']);
    assert.equal(reading.refusals[0]?.reason, 'invalid_utf8');
    assert.deepEqual(readCollapsed(bytesOf('good;\ufffd 1\n')).refusals, []);
  });

  it('leaves out and counts what is no stack', () => {
    const text = '# comment 3\na 1\nno count\nx 1.5\ny 1e3\n12\n 7\nz 9007199254740992\nb -3\n;;; 4\na;;b; 2\n';
    const reading = read(text);
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['a 1', 'a;b 2']);
    assert.deepEqual(reasonsOf(reading), {
      comment: 1,
      invalid_line: 6,
      value_over_limit: 1,
      negative_value: 1,
      empty_frame: 6,
    });
    assert.equal(
      reading.refusals.find(({ reason }) => reason === 'invalid_line')?.first,
      'line 3 does not end in a blank and a whole number',
    );
  });

  it('keeps negative counts of a difference', () => {
    const sampleType = { type: 'inuse_space', unit: 'bytes' };
    const profile = onlyProfile(read('a 5\nb -3\n', { sampleType }));
    assert.deepEqual([stacksOf(profile), profile.sampleTypes], [['a 5', 'b -3'], [sampleType]]);
  });

  it('drops a line that would make a sum inexact', () => {
    const reading = read(`a ${Number.MAX_SAFE_INTEGER}\na 1\nb 1\n`);
    assert.deepEqual(stacksOf(onlyProfile(reading)), [`a ${Number.MAX_SAFE_INTEGER}`, 'b 1']);
    assert.deepEqual(reasonsOf(reading), { value_over_limit: 1 });
  });

  it('counts each line once where lines have no count', () => {
    const reading = read('a;b 7\na;b 7\r\n\na\n# no\n', { linesCountOne: true });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['a 1', 'a;b 7 2']);
  });

  it('keeps to the limits', () => {
    const limits = { ...DEFAULT_READ_LIMITS, depthMax: 2, nameBytesMax: 5, samplesMax: 2, nodesMax: 6 };
    const reading = read('a;b;c;d 1\nab🙂 1\n', { limits });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['a;b;[deeper frames cut] 1', 'ab 1']);
    assert.deepEqual(reasonsOf(reading), { depth_over_limit: 1, name_over_limit: 1 });
    assert.deepEqual(totalsOf(onlyProfile(read('a 1\nb 1\na 1\na 1\n', { limits }))), [4]);
    assert.throws(() => read('a 1\nb 1\nc 1\n', { limits }), refused('samples_limit', /more than 2 stacks/));
    assert.throws(
      () => read('a;b;x 1\nc;d;x 1\ne;f 1\n', { limits: { ...limits, samplesMax: 9 } }),
      refused('profile_size_limit', /more than 6 nodes/),
    );
  });

  it('of nothing is an empty profile', () => {
    const reading = read('');
    assert.deepEqual([onlyProfile(reading).samples.length, reading.refusals], [0, []]);
  });
});

describe('names that would break a line (known bug C5)', () => {
  it('come back from pprof through a collapsed file', () => {
    const names = ['a;b', 'c\nd', 'e 7', ''];
    const pprof = pprofFromDrawing({
      types: ['samples/count'],
      samples: [{ stack: [4, 3, 2, 1], values: [9] }],
      locations: names.map((_, i) => ({ id: i + 1, lines: [[i + 1]] })),
      functions: names.map((name, i) => ({ id: i + 1, name })),
    });
    const text = writeCollapsed(onlyProfile(readPprof(pprof)), 0);
    assert.equal(text, 'a␛3Bb;c␛0Ad;e 7;␛00 9\n');
    const tree = callTree(onlyProfile(read(text)), 0);
    assert.deepEqual(
      [...tree.name].map((name) => tree.names[name]),
      ['total', ...names],
    );
    assert.equal(tree.total[0], 9);
  });

  it('never become another name', () => {
    const sign = fc.constantFrom(
      'a',
      ';',
      '\n',
      '\r',
      ' ',
      '\t',
      '#',
      '\u241b',
      '3',
      'B',
      '0',
      'é',
      '🙂',
      '\\',
      '\u00a0',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 6 }), fc.boolean(), (signs, isFirst) => {
        const written = escapeName(signs.join(''), isFirst);
        assert.equal(unescapeName(written), signs.join(''));
        assert.match(written, /^[^;\n\r]+$/);
        assert.equal(written, written.replace(/^[ \t]|[ \t]$/g, ''));
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves names of other tools alone', () => {
    for (const name of ['App\\new\\Thing', '100%3B', 'a␛x', '␛', 'C:\\n\\r', 'a␛'])
      assert.equal(unescapeName(name), name);
  });
});

describe('writeCollapsed', () => {
  it('writes a line a stack of names, in name order, without labels and lines', () => {
    const profile = profileFromStacks('m;b:1 5\nm;b:2 {t=1} 6\nm;a 1\nm 2');
    assert.equal(writeCollapsed(profile, 0), 'm 2\nm;a 1\nm;b 11\n');
    assert.equal(writeCollapsed(profileFromStacks(''), 0), '');
  });

  it('loses nothing of names and totals: write, read, compare', () => {
    fc.assert(
      fc.property(arbitrarySamples, (samples) => {
        const profile = profileOf(samples);
        for (const value of [0, 1]) {
          const reading = read(writeCollapsed(profile, value));
          assert.deepEqual(reading.refusals, []);
          assert.deepEqual(callTree(onlyProfile(reading), 0), callTree(profile, value));
          const pprof = readPprof(writePprof(onlyProfile(reading)));
          assert.equal(writeCollapsed(onlyProfile(pprof), 0), writeCollapsed(profile, value));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('writes 3,000 frames', () => {
    const deep = `${Array(3000).fill('f').join(';')} 7\n`;
    assert.equal(writeCollapsed(onlyProfile(read(deep)), 0), deep);
  });
});

/** Real files with the totals their own projects give for them. */
const GOLDEN = [
  { file: 'simple-crlf.txt', total: 14, left: 0, stacks: ['a;b 5', 'a;b;c 5', 'a;b;d 4'] },
  { file: 'simple-with-invalids.txt', total: 14, left: 3, stacks: ['a;b 5', 'a;b;c 5', 'a;b;d 4'] },
  { file: 'async-profiler-sample1.collapsed', total: 185, left: 0, count: 17 },
];

describe('real collapsed files', () => {
  let compared = 0;
  for (const golden of GOLDEN) {
    it(golden.file, (t) => {
      const bytes = testData(t, `profiles/collapsed/${golden.file}`);
      if (bytes === undefined) return;
      const reading = readCollapsed(bytes);
      const profile = onlyProfile(reading);
      assert.deepEqual(totalsOf(profile), [golden.total]);
      assert.equal(
        reading.refusals.reduce((sum, { count }) => sum + count, 0),
        golden.left,
      );
      if (golden.stacks !== undefined) assert.deepEqual(stacksOf(profile), golden.stacks);
      if (golden.count !== undefined) assert.equal(profile.samples.length, golden.count);
      compared++;
      t.diagnostic(`${compared} of ${GOLDEN.length} compared`);
    });
  }
});
