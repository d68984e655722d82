import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callTree } from '../call-tree.js';
import { PilotlightError } from '../errors.js';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import { FRAME_KINDS, type Profile, type Reading } from '../model.js';
import { joinedBytes, type PprofDrawing, pprofFromDrawing } from '../testing/pprof-drawing.js';
import { stacksOf } from '../testing/stack-drawing.js';
import { drawnTree } from '../testing/tree-drawing.js';
import { topTable } from '../top-table.js';
import { readPprof } from './decode.js';

const CPU = ['cpu/nanoseconds'];
const NAMED = {
  types: CPU,
  locations: [
    { id: 1, lines: [[1]] },
    { id: 2, lines: [[2]] },
    { id: 3, lines: [[3]] },
  ],
  functions: [
    { id: 1, name: 'main' },
    { id: 2, name: 'a' },
    { id: 3, name: 'b' },
  ],
} as const;

const read = (drawing: PprofDrawing, limits: Partial<ReadLimits> = {}) =>
  readPprof(pprofFromDrawing(drawing), { limits: { ...DEFAULT_READ_LIMITS, ...limits } });
const profileOf = (reading: Reading) => reading.profiles[0]?.profile as Profile;
const reasonsOf = (reading: Reading) =>
  Object.fromEntries(reading.refusals.map(({ reason, count }) => [reason, count]));
const refused = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof PilotlightError && error.code === code && message.test(error.message);

describe('readPprof', () => {
  it('reads stacks leaf first, packed or not, and adds up equal ones', () => {
    const samples = [
      { stack: [2, 1], values: [5] },
      { stack: [3, 2, 1], values: [7] },
      { stack: [2, 1], values: [1] },
    ];
    for (const unpacked of [false, true]) {
      const reading = read({ ...NAMED, samples, unpacked });
      assert.deepEqual(stacksOf(profileOf(reading)), ['main;a 6', 'main;a;b 7']);
      assert.deepEqual(reading.refusals, []);
    }
  });

  it('reads all there is to know about a frame', () => {
    const { stacks } = profileOf(
      read({
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
    const { stacks } = profileOf(read({ types: CPU, samples: [{ stack: [2, 1], values: [1] }], locations, functions }));
    assert.deepEqual(stacks.strings, ['', '_Zf', 'g']);
    assert.deepEqual([...stacks.frames.systemName], [0, 0]);
  });

  it('reads time exactly, duration and period, and counts what cannot be one', () => {
    const drawing = { ...NAMED, samples: [], timeNanos: 1_716_289_943_109_000_001n };
    const good = profileOf(read({ ...drawing, durationNanos: 10n, period: 100n }));
    assert.deepEqual([good.timeNanos, good.durationNanos, good.period], [1_716_289_943_109_000_001n, 10, 100]);
    const bad = read({ ...drawing, timeNanos: -5n, durationNanos: -1n, period: 2n ** 60n });
    const { timeNanos, durationNanos, period } = profileOf(bad);
    assert.deepEqual([timeNanos, durationNanos, period], [0n, 0, 0]);
    assert.deepEqual(reasonsOf(bad), { time_out_of_range: 1, duration_out_of_range: 1, period_out_of_range: 1 });
  });

  it('keeps ids of 64 bits apart that a number would not', () => {
    const [one, two] = [2n ** 63n + 1n, 2n ** 63n + 2n];
    const reading = read({
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
    assert.deepEqual(stacksOf(profileOf(reading)), ['one 2', 'two 1']);
  });

  it('keeps text labels, leaves numeric ones out', () => {
    const labels = [
      { key: 'thread', text: 'one' },
      { key: 'bytes', number: 12 },
      { key: 'b', text: 'x' },
    ];
    const reading = read({
      ...NAMED,
      samples: [
        { stack: [1], values: [1], labels },
        { stack: [1], values: [2], labels: [...labels].reverse() },
        { stack: [1], values: [4] },
      ],
    });
    assert.deepEqual(stacksOf(profileOf(reading)), ['main 4', 'main {b=x,thread=one} 3']);
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
    const reading = read({ ...NAMED, samples: [{ stack: [1], values: [1], labels }] });
    assert.deepEqual(stacksOf(profileOf(reading)), ['main {k=first} 1']);
    assert.deepEqual(reasonsOf(reading), {
      duplicate_label: 1,
      label_without_name: 1,
      string_out_of_range: 1,
      label_size_limit: 2,
    });
    const many = Array.from({ length: 35 }, (_, i) => ({ key: `k${i}`, text: 'v' }));
    const limited = read({ ...NAMED, samples: [{ stack: [1], values: [1], labels: many }] });
    assert.equal(profileOf(limited).labelSets[1]?.length, 30);
    assert.deepEqual(reasonsOf(limited), { label_names_limit: 5 });
  });
});

describe('ids of 0 and missing rows (known bugs P1, P3)', () => {
  it('costs only the element, and its sample keeps a frame in its place', () => {
    const reading = read({
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
    assert.deepEqual(stacksOf(profileOf(reading)), ['0x0 10', 'ok 20']);
    assert.deepEqual(reasonsOf(reading), {
      function_id_zero: 1,
      missing_function: 1,
      location_id_zero: 1,
      missing_location: 1,
    });
  });

  it('shows the address where the function is missing', () => {
    const reading = read({
      types: CPU,
      samples: [{ stack: [1, 2], values: [7] }],
      locations: [
        { id: 1, address: 0x1234, lines: [[99]] },
        { id: 2, lines: [[1]] },
      ],
      functions: [{ id: 1, name: 'ok' }],
    });
    assert.deepEqual(stacksOf(profileOf(reading)), ['ok;0x1234 7']);
    assert.deepEqual(reasonsOf(reading), { missing_function: 1 });
  });

  it('shows addresses above 2^53 exactly, and a function id of 0 as an address', () => {
    const reading = read({
      types: CPU,
      samples: [{ stack: [1, 2], values: [7] }],
      locations: [
        { id: 1, address: 0xffff_ffff_8100_0001n },
        { id: 2, address: 0x20, lines: [[0]] },
      ],
    });
    assert.deepEqual(stacksOf(profileOf(reading)), ['0x20;0xffffffff81000001 7']);
  });

  it('counts strings that are not there and ids given twice', () => {
    const reading = read({
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
    assert.deepEqual(stacksOf(profileOf(reading)), ['g;f;0x1 7']);
    assert.deepEqual(reasonsOf(reading), { string_out_of_range: 2, duplicate_id: 2, missing_function: 2 });
  });
});

describe('samples that do not fit (known bug P5)', () => {
  it('refuses a profile whose sample has fewer or more values than types, naming both counts', () => {
    const types = ['a/count', 'b/count', 'c/count', 'd/count'];
    const good = { stack: [1], values: [1, 2, 3, 4] };
    for (const values of [[1, 2], [1, 2, 3, 4, 5, 6], []]) {
      assert.throws(
        () => read({ ...NAMED, types, samples: [good, { stack: [1], values }] }),
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
    assert.throws(() => read({ ...NAMED, types: [], samples: [] }), refused('malformed_profile', /no sample type/));
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
    const kept = read({ ...NAMED, types: ['inuse_space/bytes'], samples });
    assert.deepEqual(stacksOf(profileOf(kept)), ['main;a 100', 'main;b -40']);
    assert.deepEqual(kept.refusals, []);
    const dropped = read({ ...NAMED, samples });
    assert.deepEqual(stacksOf(profileOf(dropped)), ['main;a 100']);
    assert.deepEqual(dropped.refusals, [{ reason: 'negative_value', count: 1, first: 'sample 1 has -40 of type cpu' }]);
  });

  it('drops and counts those, and sums, that are not exact', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const values = [2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), max, 1];
    const reading = read({
      ...NAMED,
      types: ['delta_x/count'],
      samples: values.map((value) => ({ stack: [1], values: [value] })),
    });
    assert.deepEqual(stacksOf(profileOf(reading)), [`main ${max}`]);
    assert.deepEqual(reasonsOf(reading), { value_over_limit: 4 });
  });
});

describe('inlined lines (known bug P9)', () => {
  it('are frames of their own, each with its line, the last one the caller', () => {
    const profile = profileOf(
      read({
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
    const reading = read({
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
      stacksOf(profileOf(reading)),
      ['é🙂 \ufffd 2', '\ufeffmark 4', '\ufffd( {user=\ufffd\ufffdA} 1'].sort(),
    );
    assert.deepEqual(reasonsOf(reading), { invalid_utf8: 2 });
  });
});

describe('limits', () => {
  const samples = [
    { stack: [3, 2, 1], values: [1] },
    { stack: [1], values: [2] },
  ];

  it('keeps the root side of a deep stack and marks the cut, each in its own place', () => {
    const stack = Array(5000).fill(2);
    const deep = [
      { stack: [...stack, 1], values: [3] },
      { stack: [...stack, 3], values: [4] },
    ];
    const reading = read({ ...NAMED, samples: deep });
    const profile = profileOf(reading);
    const lines = stacksOf(profile);
    assert.deepEqual(
      lines.map((line) => line.split(';').length),
      [4097, 4097],
    );
    assert.deepEqual(
      lines.map((line) => [line.split(';')[0], line.split(';').at(-1)]),
      [
        ['b', '[deeper frames cut] 4'],
        ['main', '[deeper frames cut] 3'],
      ],
    );
    assert.deepEqual(reasonsOf(reading), { depth_over_limit: 2 });
    const kinds = Array.from(
      profile.samples.node,
      (node) => profile.stacks.frames.kind[profile.stacks.nodes.frame[node] as number],
    );
    assert.deepEqual(
      kinds.map((kind) => FRAME_KINDS[kind as number]),
      ['marker', 'marker'],
    );
  });

  it('takes a stack as deep as the limit whole', () => {
    const reading = read({ ...NAMED, samples }, { depthMax: 3 });
    assert.deepEqual(reading.refusals, []);
    const cut = read({ ...NAMED, samples }, { depthMax: 2 });
    assert.deepEqual(stacksOf(profileOf(cut)), ['main 2', 'main;a;[deeper frames cut] 1']);
    assert.deepEqual(cut.refusals, [
      { reason: 'depth_over_limit', count: 1, first: 'stack of sample 0 has more than 2 frames' },
    ]);
  });

  it('cuts inside a location with many inlined lines', () => {
    const lines = Array.from({ length: 50 }, () => [2]);
    const locations = [
      { id: 1, lines: [[1]] },
      { id: 2, lines },
    ];
    const reading = read({ ...NAMED, locations, samples: [{ stack: [2, 1], values: [1] }] }, { depthMax: 4 });
    assert.deepEqual(stacksOf(profileOf(reading)), ['main;a;a;a;[deeper frames cut] 1']);
  });

  it('refuses the whole over the number of samples', () => {
    assert.throws(
      () => read({ ...NAMED, samples }, { samplesMax: 1 }),
      refused('samples_limit', /more than 1 samples/),
    );
    assert.equal(profileOf(read({ ...NAMED, samples }, { samplesMax: 2 })).samples.length, 2);
  });

  it('refuses the whole over the size of a table or of the stack tree', () => {
    const over = (limits: Partial<ReadLimits>, message: RegExp) =>
      assert.throws(() => read({ ...NAMED, samples }, limits), refused('profile_size_limit', message));
    over({ tableRowsMax: 2 }, /more than 2 locations/);
    over({ tableRowsMax: 3 }, /more than 3 strings/);
    over({ sampleTypesMax: 0 }, /more than 0 sample types/);
    over({ nodesMax: 2 }, /more than 2 nodes/);
  });

  it('answers at once to a small input that asks for 400 million nodes', () => {
    const lines = Array.from({ length: 4000 }, () => [2]);
    const locations = [{ id: 1, lines }, ...Array.from({ length: 300 }, (_, i) => ({ id: i + 2, lines: [[1, i]] }))];
    const blown = locations.slice(1).map(({ id }) => ({ stack: [1, id], values: [1] }));
    assert.throws(
      () => read({ ...NAMED, locations, samples: blown }, { nodesMax: 1_000_000 }),
      refused('profile_size_limit', /more than 1000000 nodes/),
    );
    const again = Array.from({ length: 20_000 }, () => ({ stack: [1, 2], values: [1] }));
    assert.equal(profileOf(read({ ...NAMED, locations, samples: again })).stacks.nodes.length, 4001);
  });

  it('cuts names at a whole character', () => {
    const functions = [
      { id: 1, name: 'ab🙂' },
      { id: 2, name: 'abcd' },
      { id: 3, name: 'ab' },
    ];
    const reading = read({ ...NAMED, functions, samples }, { nameBytesMax: 5 });
    assert.deepEqual(profileOf(reading).stacks.strings, ['', 'ab', 'abcd']);
    assert.deepEqual(reasonsOf(reading), { name_over_limit: 2 });
  });

  it('keeps samples without a stack under a marker', () => {
    const reading = read({ ...NAMED, samples: [{ stack: [], values: [3] }] });
    assert.deepEqual(stacksOf(profileOf(reading)), ['[no stack] 3']);
  });
});

describe('drop_frames', () => {
  const drawing = {
    types: CPU,
    locations: ['main', 'malloc', 'a', 'tc_malloc', 'b'].map((_, i) => ({ id: i + 1, lines: [[i + 1]] })),
    functions: ['main', 'malloc', 'a', 'tc_malloc', 'b'].map((name, i) => ({ id: i + 1, name })),
    samples: [
      { stack: [3, 2, 1], values: [1] },
      { stack: [5, 4, 3, 1], values: [2] },
      { stack: [5, 2], values: [4] },
      { stack: [2], values: [8] },
    ],
  };
  const stacksWith = (patterns: { dropFrames?: string; keepFrames?: string }) => {
    const reading = read({ ...drawing, ...patterns });
    return [stacksOf(profileOf(reading)), reasonsOf(reading)];
  };
  const whole = ['main;a;tc_malloc;b 2', 'main;malloc;a 1', 'malloc 8', 'malloc;b 4'];

  it('takes a matching frame away with what it called, but not before another frame', () => {
    assert.deepEqual(stacksWith({ dropFrames: 'malloc|tc_.*' }), [
      ['main 1', 'main;a 2', 'malloc 8', 'malloc;b 4'],
      {},
    ]);
  });

  it('leaves what keep_frames matches', () => {
    assert.deepEqual(stacksWith({ dropFrames: '.*malloc', keepFrames: 'tc_.*' }), [
      ['main 1', 'main;a;tc_malloc;b 2', 'malloc 8', 'malloc;b 4'],
      {},
    ]);
  });

  it('is not applied, and counted, where the pattern is not supported', () => {
    assert.deepEqual(stacksWith({}), [whole, {}]);
    assert.deepEqual(stacksWith({ dropFrames: '(a+)+$' }), [whole, { drop_frames: 1 }]);
    assert.deepEqual(stacksWith({ dropFrames: 'a', keepFrames: '[' }), [whole, { drop_frames: 1 }]);
  });

  it('is not applied in part when matching takes too long', () => {
    const names = Array.from({ length: 300 }, (_, i) => `${i}${'a'.repeat(4000)}`);
    const reading = read({
      types: CPU,
      functions: names.map((name, i) => ({ id: i + 1, name })),
      locations: names.map((_, i) => ({ id: i + 1, lines: [[i + 1]] })),
      samples: [{ stack: [1, 2], values: [1] }],
      dropFrames: `${'a'.repeat(500)}|.*${'a'.repeat(900)}b`,
    });
    assert.deepEqual(reasonsOf(reading), { drop_frames: 1 });
    assert.equal(profileOf(reading).stacks.nodes.length, 2);
  });
});
