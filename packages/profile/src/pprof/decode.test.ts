import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callTree } from '../call-tree.js';
import { FRAME_KINDS } from '../model.js';
import { joinedBytes, pprofFromDrawing } from '../testing/pprof-drawing.js';
import { CPU, NAMED, readDrawing } from '../testing/pprof-named.js';
import { onlyProfile, reasonsOf, refused } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';
import { drawnTree } from '../testing/tree-drawing.js';
import { topTable } from '../top-table.js';
import { readPprof } from './decode.js';

describe('readPprof', () => {
  it('reads stacks leaf first, packed or not, and adds up equal ones', () => {
    const samples = [
      { stack: [2, 1], values: [5] },
      { stack: [3, 2, 1], values: [7] },
      { stack: [2, 1], values: [1] },
    ];
    for (const unpacked of [false, true]) {
      const reading = readDrawing({ ...NAMED, samples, unpacked });
      assert.deepEqual(stacksOf(onlyProfile(reading)), ['main;a 6', 'main;a;b 7']);
      assert.deepEqual(reading.refusals, []);
    }
  });

  it('reads all there is to know about a frame', () => {
    const { stacks } = onlyProfile(
      readDrawing({
        types: CPU,
        samples: [{ stack: [1], values: [1] }],
        locations: [{ id: 1, lines: [[1, 12]] }],
        functions: [{ id: 1, name: 'f', systemName: '_Zf', file: 'f.cc', startLine: 10 }],
      }),
    );
    const { frames, strings } = stacks;
    assert.deepEqual(
      [strings[frames.name[0] as number], strings[frames.systemName[0] as number], strings[frames.file[0] as number]],
      ['f', '_Zf', 'f.cc'],
    );
    assert.deepEqual([frames.startLine[0], frames.line[0]], [10, 12]);
  });

  it('takes the raw name where there is no other, and stores an equal one once', () => {
    const functions = [
      { id: 1, name: '', systemName: '_Zf' },
      { id: 2, name: 'g', systemName: 'g' },
    ];
    const locations = NAMED.locations.slice(0, 2);
    const { stacks } = onlyProfile(
      readDrawing({ types: CPU, samples: [{ stack: [2, 1], values: [1] }], locations, functions }),
    );
    assert.deepEqual(stacks.strings, ['', '_Zf', 'g']);
    assert.deepEqual([...stacks.frames.systemName], [0, 0]);
  });

  it('reads time exactly, duration and period, and counts what cannot be one', () => {
    const drawing = { ...NAMED, samples: [], timeNanos: 1_716_289_943_109_000_001n };
    const good = onlyProfile(readDrawing({ ...drawing, durationNanos: 10n, period: 100n }));
    assert.deepEqual([good.timeNanos, good.durationNanos, good.period], [1_716_289_943_109_000_001n, 10, 100]);
    const bad = readDrawing({ ...drawing, timeNanos: -5n, durationNanos: -1n, period: 2n ** 60n });
    const { timeNanos, durationNanos, period } = onlyProfile(bad);
    assert.deepEqual([timeNanos, durationNanos, period], [0n, 0, 0]);
    assert.deepEqual(reasonsOf(bad), { time_out_of_range: 1, duration_out_of_range: 1, period_out_of_range: 1 });
  });

  it('keeps ids of 64 bits apart that a number would not', () => {
    const [one, two] = [2n ** 63n + 1n, 2n ** 63n + 2n];
    const reading = readDrawing({
      types: CPU,
      samples: [
        { stack: [one], values: [1] },
        { stack: [two], values: [2] },
      ],
      locations: [
        { id: one, lines: [[two]] },
        { id: two, lines: [[one]] },
      ],
      functions: [
        { id: one, name: 'one' },
        { id: two, name: 'two' },
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['one 2', 'two 1']);
  });

  it('keeps text labels, leaves numeric ones out', () => {
    const labels = [
      { key: 'thread', text: 'one' },
      { key: 'bytes', number: 12 },
      { key: 'b', text: 'x' },
    ];
    const reading = readDrawing({
      ...NAMED,
      samples: [
        { stack: [1], values: [1], labels },
        { stack: [1], values: [2], labels: [...labels].reverse() },
        { stack: [1], values: [4] },
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['main 4', 'main {b=x,thread=one} 3']);
    assert.deepEqual(reading.refusals, []);
  });

  it('counts labels it cannot keep, and keeps the sample', () => {
    const labels = [
      { key: 'k', text: 'first' },
      { key: 'k', text: 'second' },
      { key: '', text: 'no name' },
      { key: 'gone', text: 99 },
      { key: 'n'.repeat(2000), text: 'v' },
      { key: 'v', text: 'v'.repeat(3000) },
    ];
    const reading = readDrawing({ ...NAMED, samples: [{ stack: [1], values: [1], labels }] });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['main {k=first} 1']);
    assert.deepEqual(reasonsOf(reading), {
      duplicate_label: 1,
      label_without_name: 1,
      string_out_of_range: 1,
      label_size_limit: 2,
    });
    const many = Array.from({ length: 35 }, (_, i) => ({ key: `k${i}`, text: 'v' }));
    const limited = readDrawing({ ...NAMED, samples: [{ stack: [1], values: [1], labels: many }] });
    assert.equal(onlyProfile(limited).labelSets[1]?.length, 30);
    assert.deepEqual(reasonsOf(limited), { label_names_limit: 5 });
  });
});

describe('ids of 0 and missing rows (known bugs P1, P3)', () => {
  it('costs only the element, and its sample keeps a frame in its place', () => {
    const reading = readDrawing({
      types: CPU,
      samples: [
        { stack: [0], values: [10] },
        { stack: [1], values: [20] },
      ],
      locations: [
        { id: 0, lines: [[0]] },
        { id: 1, lines: [[1]] },
      ],
      functions: [
        { id: 0, name: 'zero' },
        { id: 1, name: 'ok' },
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['0x0 10', 'ok 20']);
    assert.deepEqual(reasonsOf(reading), {
      function_id_zero: 1,
      missing_function: 1,
      location_id_zero: 1,
      missing_location: 1,
    });
  });

  it('shows the address where the function is missing', () => {
    const reading = readDrawing({
      types: CPU,
      samples: [{ stack: [1, 2], values: [7] }],
      locations: [
        { id: 1, address: 0x1234, lines: [[99]] },
        { id: 2, lines: [[1]] },
      ],
      functions: [{ id: 1, name: 'ok' }],
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['ok;0x1234 7']);
    assert.deepEqual(reasonsOf(reading), { missing_function: 1 });
  });

  it('shows addresses above 2^53 exactly, and a function id of 0 as an address', () => {
    const reading = readDrawing({
      types: CPU,
      samples: [{ stack: [1, 2], values: [7] }],
      locations: [
        { id: 1, address: 0xffff_ffff_8100_0001n },
        { id: 2, address: 0x20, lines: [[0]] },
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['0x20;0xffffffff81000001 7']);
  });

  it('counts strings that are not there and ids given twice', () => {
    const reading = readDrawing({
      types: CPU,
      samples: [{ stack: [1, 2, 3], values: [7] }],
      locations: [
        { id: 1, address: 1, lines: [[1]] },
        { id: 2, lines: [[2]] },
        { id: 3, lines: [[3]] },
        { id: 3, lines: [[1]] },
      ],
      functions: [
        { id: 1, name: 99 },
        { id: 2, name: 'f', file: 99 },
        { id: 3, name: 'g' },
        { id: 3, name: 'h' },
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['g;f;0x1 7']);
    assert.deepEqual(reasonsOf(reading), { string_out_of_range: 2, duplicate_id: 2, missing_function: 2 });
  });
});

describe('samples that do not fit (known bug P5)', () => {
  it('refuses a profile whose sample has fewer or more values than types, naming both counts', () => {
    const types = ['a/count', 'b/count', 'c/count', 'd/count'];
    const good = { stack: [1], values: [1, 2, 3, 4] };
    for (const values of [[1, 2], [1, 2, 3, 4, 5, 6], []]) {
      assert.throws(
        () => readDrawing({ ...NAMED, types, samples: [good, { stack: [1], values }] }),
        refused(
          'malformed_profile',
          new RegExp(`sample 1 has ${values.length} values, the profile has 4 sample types`),
        ),
      );
    }
  });

  it('refuses two profiles joined end to end, whatever the order of their fields', () => {
    const bytes = pprofFromDrawing({ ...NAMED, samples: [{ stack: [2, 1], values: [5] }] });
    assert.throws(
      () => readPprof(joinedBytes(bytes, bytes)),
      refused('malformed_profile', /joined end to end: the string table starts again at entry 6/),
    );
    const noSamples = pprofFromDrawing({ ...NAMED, samples: [] });
    assert.throws(
      () => readPprof(joinedBytes(noSamples, noSamples)),
      refused('malformed_profile', /joined end to end/),
    );
    // The string table first: entry 0, entry 1 "x", then the types.
    const stringsFirst = Uint8Array.of(0x32, 0, 0x32, 1, 0x78, 0x0a, 4, 0x08, 1, 0x10, 1);
    readPprof(stringsFirst);
    assert.throws(() => readPprof(joinedBytes(stringsFirst, stringsFirst)), refused('malformed_profile', /joined/));
  });

  it('does not take a second empty string alone for a second profile', () => {
    const bytes = joinedBytes(pprofFromDrawing({ ...NAMED, samples: [] }), Uint8Array.of(0x32, 0));
    assert.equal(readPprof(bytes).profiles.length, 1);
  });

  it('refuses what has no sample type, or an ill-begun or missing string table', () => {
    assert.throws(() => readPprof(new Uint8Array()), refused('malformed_profile', /no sample type/));
    assert.throws(
      () => readDrawing({ ...NAMED, types: [], samples: [] }),
      refused('malformed_profile', /no sample type/),
    );
    assert.throws(
      () => readPprof(Uint8Array.of(0x0a, 4, 0x08, 1, 0x10, 1)),
      refused('malformed_profile', /sample type 0/),
    );
    assert.throws(
      () => readPprof(Uint8Array.of(0x32, 1, 0x78)),
      refused('malformed_profile', /entry 0 of the string table/),
    );
    assert.throws(() => readPprof(new TextEncoder().encode('<html>')), refused('malformed_profile', /byte \d+ of 6/));
  });
});

describe('values', () => {
  it('drops and counts negative ones, unless the type is a difference (known bug P7)', () => {
    const samples = [
      { stack: [2, 1], values: [100] },
      { stack: [3, 1], values: [-40] },
    ];
    const kept = readDrawing({ ...NAMED, types: ['inuse_space/bytes'], samples });
    assert.deepEqual(stacksOf(onlyProfile(kept)), ['main;a 100', 'main;b -40']);
    assert.deepEqual(kept.refusals, []);
    const dropped = readDrawing({ ...NAMED, samples });
    assert.deepEqual(stacksOf(onlyProfile(dropped)), ['main;a 100']);
    assert.deepEqual(dropped.refusals, [{ reason: 'negative_value', count: 1, first: 'sample 1 has -40 of type cpu' }]);
  });

  it('drops and counts those, and sums, that are not exact', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const values = [2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), max, 1];
    const reading = readDrawing({
      ...NAMED,
      types: ['delta_x/count'],
      samples: values.map((value) => ({ stack: [1], values: [value] })),
    });
    assert.deepEqual(stacksOf(onlyProfile(reading)), [`main ${max}`]);
    assert.deepEqual(reasonsOf(reading), { value_over_limit: 4 });
  });
});

describe('inlined lines (known bug P9)', () => {
  it('are frames of their own, each with its line, the last one the caller', () => {
    const profile = onlyProfile(
      readDrawing({
        types: CPU,
        samples: [{ stack: [1, 2], values: [5] }],
        locations: [
          {
            id: 1,
            lines: [
              [3, 3],
              [2, 2],
              [1, 1],
            ],
          },
          { id: 2, lines: [[4, 9]] },
        ],
        functions: [
          { id: 1, name: 'outer' },
          { id: 2, name: 'inner1' },
          { id: 3, name: 'inner2' },
          { id: 4, name: 'main' },
        ],
      }),
    );
    const tree = callTree(profile, 0);
    assert.deepEqual(drawnTree(tree), [
      'total 0/5',
      '. main 0/5',
      '. . outer 0/5',
      '. . . inner1 0/5',
      '. . . . inner2 5/5',
    ]);
    const { strings, frames } = profile.stacks;
    const drawn = Array.from({ length: frames.length }, (_, i) => {
      return `${strings[frames.name[i] as number]}:${frames.line[i]} ${FRAME_KINDS[frames.kind[i] as number]}`;
    });
    assert.deepEqual(drawn, ['main:9 unknown', 'outer:1 unknown', 'inner1:2 inlined', 'inner2:3 inlined']);
    assert.equal(topTable(tree).length, 4);
  });
});

describe('bytes that are no UTF-8 (known bug P11)', () => {
  it('read with the replacement sign, counted, the rest untouched', () => {
    const reading = readDrawing({
      types: CPU,
      samples: [
        { stack: [1], values: [1], labels: [{ key: 'user', text: Uint8Array.of(0xff, 0xfe, 0x41) }] },
        { stack: [2], values: [2] },
        { stack: [3], values: [4] },
      ],
      locations: NAMED.locations,
      functions: [
        { id: 1, name: Uint8Array.of(0xc3, 0x28) },
        { id: 2, name: 'é🙂 \u{fffd}' },
        { id: 3, name: '\ufeffmark' },
      ],
    });
    assert.deepEqual(
      stacksOf(onlyProfile(reading)),
      ['é🙂 \ufffd 2', '\ufeffmark 4', '\ufffd( {user=\ufffd\ufffdA} 1'].sort(),
    );
    assert.deepEqual(reasonsOf(reading), { invalid_utf8: 2 });
  });
});
