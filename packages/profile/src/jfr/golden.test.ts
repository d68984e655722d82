import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inflatedTestData, profileNamed, valuesByStack } from '../testing/jfr-recordings.js';
import { normaliseSymbol } from './frame-name.js';
import { readJfr } from './read.js';

/** Recordings with the tails of their golden files. */
const GOLDEN: Readonly<Record<string, readonly string[]>> = {
  example: [
    '0_memory_alloc_in_new_tlab_objects__count+alloc_in_new_tlab_bytes__bytes',
    '1_memory_alloc_outside_tlab_objects__count+alloc_outside_tlab_bytes__bytes',
    '2_mutex_contentions__count+delay__nanoseconds',
    '3_process_cpu_cpu__nanoseconds',
  ],
  'cortex-dev-01__kafka-0__cpu_lock0_alloc0__0': [
    '0_block_contentions__count+delay__nanoseconds',
    '1_memory_alloc_in_new_tlab_objects__count+alloc_in_new_tlab_bytes__bytes',
    '2_memory_alloc_outside_tlab_objects__count+alloc_outside_tlab_bytes__bytes',
    '3_mutex_contentions__count+delay__nanoseconds',
    '4_process_cpu_cpu__nanoseconds',
  ],
  dump2: [
    '0_memory_alloc_in_new_tlab_objects__count+alloc_in_new_tlab_bytes__bytes',
    '1_memory_live__count',
    '2_process_cpu_cpu__nanoseconds',
    '3_wall_wall__nanoseconds',
  ],
  new_spancontext: ['0_process_cpu_cpu__nanoseconds'],
  traceid: ['0_process_cpu_cpu__nanoseconds'],
  wall_tick_sample: ['0_process_cpu_cpu__nanoseconds', '1_wall_wall__nanoseconds'],
  nativemem: ['0_memory_malloc_objects__count+malloc_bytes__bytes'],
  FastSlow_2024_01_16_180855: [
    '0_memory_alloc_sample_objects__count+alloc_sample_bytes__bytes',
    '1_process_cpu_cpu__nanoseconds',
    '2_wall_wall__nanoseconds',
  ],
  'goland-multichunk': [
    '0_block_contentions__count+delay__nanoseconds',
    '1_memory_alloc_in_new_tlab_objects__count+alloc_in_new_tlab_bytes__bytes',
    '2_memory_alloc_outside_tlab_objects__count+alloc_outside_tlab_bytes__bytes',
    '3_mutex_contentions__count+delay__nanoseconds',
    '4_process_cpu_cpu__nanoseconds',
  ],
};

/** The golden files count cpu and wall samples at 100 Hz, whatever the recording says. */
const GOLDEN_PERIOD_NANOS = 10_000_000;

/**
 * Where our names differ from the golden files', and why. A golden frame is brought to ours by these rules alone, so
 * that any other difference fails.
 */
const DIFFERENCES: readonly { readonly why: string; readonly apply: (frame: string) => string }[] = [
  { why: 'a frame without a class does not begin with a dot', apply: (frame) => frame.replace(/^\./, '') },
  {
    why: 'line −1 of a native method is no line, not 4294967295',
    apply: (frame) => frame.replace(/:4294967295$/, ':0'),
  },
  { why: 'generated names are normalised more widely', apply: normaliseFrame },
];

function normaliseFrame(frame: string): string {
  const line = frame.lastIndexOf(':');
  const name = frame.slice(0, line);
  const dot = name.lastIndexOf('.');
  const isLibrary = name.startsWith('/') || name.endsWith('.so');
  const shown =
    dot < 0 || isLibrary ? normaliseSymbol(name) : `${normaliseSymbol(name.slice(0, dot))}${name.slice(dot)}`;
  return shown + frame.slice(line);
}

function ourFrame(golden: string, used: Map<string, Set<string>>): string {
  return DIFFERENCES.reduce((frame, { why, apply }) => {
    const changed = apply(frame);
    if (changed !== frame) used.set(why, (used.get(why) ?? new Set()).add(golden));
    return changed;
  }, golden);
}

function goldenValues(text: string, used: Map<string, Set<string>>): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  const known = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, stack = '', values = ''] = /^(.*) \[([\d ]+)\]$/.exec(line) ?? [];
    if (stack === '') continue;
    const frames = stack.split(';').map((frame) => {
      let ours = known.get(frame);
      if (ours === undefined) {
        ours = ourFrame(frame, used);
        known.set(frame, ours);
      }
      return ours;
    });
    const key = frames.join(';');
    const before = sums.get(key) ?? [0, 0];
    sums.set(
      key,
      values.split(' ').map((value, i) => (before[i] as number) + Number(value)),
    );
  }
  return sums;
}

describe('readJfr and the golden files of another reader', () => {
  for (const [recording, tails] of Object.entries(GOLDEN)) {
    it(`agree on every stack of ${recording}`, (t) => {
      const bytes = inflatedTestData(t, `jfr/${recording}.jfr.gz`);
      if (bytes === undefined) return;
      const reading = readJfr(bytes);
      const ticksPerSecond = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(56));
      const used = new Map<string, Set<string>>();
      let compared = 0;
      for (const tail of tails) {
        const golden = inflatedTestData(t, `jfr/golden/${recording}_${tail}.collapsed.txt.gz`) as Uint8Array;
        const expected = goldenValues(new TextDecoder().decode(golden), used);
        const [, name = ''] = /^\d+_(.*?)__/.exec(tail) ?? [];
        const named = profileNamed(reading, name.replace(/^(process_cpu|[a-z]+)_/, '$1 '));
        const actual = valuesByStack(named);
        for (const [stack, values] of actual) {
          const [first = 0, second = 0] = expected.get(stack) ?? assert.fail(`${tail} has no stack ${stack}`);
          const isTime = named.profile.periodType?.unit === 'nanoseconds';
          assert.equal(values[0], isTime ? (first / GOLDEN_PERIOD_NANOS) * named.profile.period : first, stack);
          // Ticks against nanoseconds: a span rounds by less than one.
          if (tail.includes('delay')) {
            assert.ok(Math.abs((values[1] as number) - (second * 1e9) / ticksPerSecond) < first + 1, stack);
          } else if (values.length > 1) assert.equal(values[1], second, stack);
          compared++;
        }
        assert.equal(actual.size, expected.size);
      }
      for (const [why, frames] of used) t.diagnostic(`${frames.size} frames differ: ${why}, as ${[...frames][0]}`);
      t.diagnostic(`${compared} of ${compared} stacks compared`);
    });
  }
});
