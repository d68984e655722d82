import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChunkDrawing, type DrawnEvent, jfrChunk } from '../testing/jfr-drawing.js';
import { profileNamed } from '../testing/jfr-recordings.js';
import { joinedBytes } from '../testing/pprof-drawing.js';
import { onlyProfile, reasonsOf } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';
import { type JfrOptions, readJfr } from './read.js';

const [DEFAULT, RUNNABLE, SLEEPING] = [0, 1, 2];
const STACKS = ['Main.run', 'Main.wait'];

function setting(name: string, value: string): DrawnEvent {
  return ['jdk.ActiveSetting', { name, value }];
}

/** Profile → its stacks, from one chunk of `STACKS`. */
function read(
  events: readonly DrawnEvent[],
  drawing: ChunkDrawing = {},
  options: JfrOptions = {},
): Record<string, string[]> {
  const { profiles } = readJfr(jfrChunk({ stacks: STACKS, events, ...drawing }), options);
  return Object.fromEntries(
    profiles.map(({ metric, profile }) => [
      `${metric} ${profile.sampleTypes.map(({ type }) => type)}`,
      stacksOf(profile),
    ]),
  );
}

describe('execution samples', () => {
  const running = (state: number): DrawnEvent => ['jdk.ExecutionSample', { stackTrace: 1, state }];
  const waiting: DrawnEvent = ['jdk.ExecutionSample', { stackTrace: 2, state: SLEEPING }];

  it('are cpu time unless the thread slept', () => {
    assert.deepEqual(read([running(DEFAULT), running(RUNNABLE), waiting]), {
      'process_cpu cpu': ['Main.run 20000000'],
    });
  });

  it('are wall-clock time as well when the recording is one of wall-clock time', () => {
    assert.deepEqual(read([setting('event', 'wall'), setting('interval', '20000000'), running(RUNNABLE), waiting]), {
      'process_cpu cpu': ['Main.run 20000000'],
      'wall wall': ['Main.run 20000000', 'Main.wait 20000000'],
    });
  });

  it('are either beside another engine, told apart by the state', () => {
    const mixed = [setting('event', 'itimer'), setting('interval', '1000000'), setting('wall', '20000000')];
    assert.deepEqual(read([...mixed, running(DEFAULT), running(RUNNABLE), waiting]), {
      'process_cpu cpu': ['Main.run 1000000'],
      'wall wall': ['Main.run 20000000', 'Main.wait 20000000'],
    });
  });

  it('do not count the time that CPU-time samples of the same chunk count', () => {
    const cpuTime: DrawnEvent = ['jdk.CPUTimeSample', { stackTrace: 1, samplingPeriod: 30 }];
    assert.deepEqual(read([running(RUNNABLE), cpuTime, running(RUNNABLE)]), { 'process_cpu cpu': ['Main.run 30'] });
  });
});

describe('wall-clock samples', () => {
  const wall = (samples: number, state = SLEEPING): DrawnEvent => [
    'profiler.WallClockSample',
    { stackTrace: 2, samples, state },
  ];

  it('stand for as many samples as they say, and for no event after them', () => {
    const lock: DrawnEvent = ['jdk.JavaMonitorEnter', { stackTrace: 1, duration: 7 }];
    assert.deepEqual(read([setting('event', 'wall'), setting('interval', '0'), wall(1000), lock]), {
      'wall wall': [`Main.wait ${1000 * 50_000_000}`],
      'mutex contentions,delay': ['Main.run 1 7'],
    });
  });

  it('are cpu time as well when the thread ran and nothing else measures it', () => {
    const interval = setting('interval', '10000000');
    assert.deepEqual(read([setting('event', 'wall'), interval, wall(2, RUNNABLE), wall(3)]), {
      'process_cpu cpu': ['Main.wait 20000000'],
      'wall wall': ['Main.wait 50000000'],
    });
    assert.deepEqual(read([setting('event', 'itimer'), interval, setting('wall', '0'), wall(2, RUNNABLE)]), {
      'wall wall': ['Main.wait 100000000'],
    });
  });

  it('of a negative number cost themselves', () => {
    const reading = readJfr(jfrChunk({ stacks: STACKS, events: [wall(-3), wall(1)] }));
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['Main.wait 10000000']);
    assert.deepEqual(reasonsOf(reading), { negative_value: 1 });
    assert.match(reading.refusals[0]?.first ?? '', /samples of profiler.WallClockSample is -3/);
  });
});

describe('the period', () => {
  const sample: DrawnEvent = ['jdk.ExecutionSample', { stackTrace: 1 }];
  const periodOf = (events: readonly DrawnEvent[], options: JfrOptions = {}) => {
    const { profiles } = readJfr(jfrChunk({ stacks: STACKS, events: [...events, sample] }), options);
    const { profile, periodSource } = profileNamed({ profiles, refusals: [] }, 'process_cpu cpu');
    assert.deepEqual(stacksOf(profile), [`Main.run ${profile.period}`]);
    return [profile.period, periodSource];
  };
  // Types have numbers from 20 in the order of the drawing.
  const executionSampleId = 20 + 17;
  const jdkPeriod = (value: string): DrawnEvent => [
    'jdk.ActiveSetting',
    { id: executionSampleId, name: 'period', value },
  ];

  it('comes from the recording before it comes from the request', () => {
    const sampleRate = 50;
    assert.deepEqual(periodOf([setting('interval', '1000000')], { sampleRate }), [
      1_000_000,
      "the recording's interval setting",
    ]);
    assert.deepEqual(periodOf([setting('event', 'cpu'), setting('interval', '0')], { sampleRate }), [
      10_000_000,
      "async-profiler's default, since the recording's interval setting is 0",
    ]);
    assert.deepEqual(periodOf([jdkPeriod('9 ms')], { sampleRate }), [
      9_000_000,
      "the recording's period of jdk.ExecutionSample",
    ]);
    assert.deepEqual(periodOf([], { sampleRate }), [20_000_000, "the request's sample rate"]);
    assert.deepEqual(periodOf([jdkPeriod('everyChunk'), setting('interval', 'soon')]), [
      10_000_000,
      '100 samples a second, since neither the recording nor the request names a period',
    ]);
    // A period of a million years is no period.
    assert.equal(periodOf([jdkPeriod('365000000 d')])[0], 10_000_000);
    for (const bad of [0, -1, Number.NaN, 2e9]) assert.equal(periodOf([], { sampleRate: bad })[0], 10_000_000);
  });

  it('is carried to later chunks of the file until one brings its own', () => {
    const chunk = (...events: DrawnEvent[]) => jfrChunk({ stacks: STACKS, events: [...events, sample] });
    const [named] = readJfr(
      joinedBytes(
        chunk(setting('event', 'itimer'), setting('interval', '1000000')),
        chunk(),
        chunk(jdkPeriod('20 ms')),
        chunk(setting('interval', '3000000')),
        chunk(),
      ),
    ).profiles;
    assert.ok(named !== undefined);
    assert.deepEqual(stacksOf(named.profile), ['Main.run 28000000']);
    assert.equal(named.profile.period, 0);
    assert.equal(named.periodSource, "the recording's interval setting; the recording's period of jdk.ExecutionSample");
    assert.deepEqual(named.labels, [{ name: 'jfr_event', value: 'itimer' }]);
  });

  it('of CPU-time samples is their own', () => {
    const cpuTime = (ticks: number): DrawnEvent => ['jdk.CPUTimeSample', { stackTrace: 1, samplingPeriod: ticks }];
    const { profiles } = readJfr(
      jfrChunk({ stacks: STACKS, ticksPerSecond: 3_000_000_000n, events: [cpuTime(10), cpuTime(10), cpuTime(10)] }),
    );
    assert.deepEqual(stacksOf(onlyProfile({ profiles, refusals: [] })), ['Main.run 10']);
    assert.equal(profiles[0]?.periodSource, 'the samplingPeriod of each jdk.CPUTimeSample');
    // Each is 3.33 ns: the sum is exact, and the period one.
    assert.equal(profiles[0]?.profile.period, 3);
  });

  it('of allocations is in bytes', () => {
    const allocation: DrawnEvent = [
      'jdk.ObjectAllocationInNewTLAB',
      { stackTrace: 1, allocationSize: 16, tlabSize: 4096 },
    ];
    const { profiles } = readJfr(jfrChunk({ stacks: STACKS, events: [setting('alloc', '524288'), allocation] }));
    const { profile, metric } = profileNamed({ profiles, refusals: [] }, 'memory alloc_in_new_tlab_objects');
    assert.deepEqual(stacksOf(profile), ['Main.run 1 4096']);
    assert.deepEqual(
      [metric, profile.period, profile.periodType],
      ['memory', 524_288, { type: 'space', unit: 'bytes' }],
    );
  });
});

describe('readJfr', () => {
  it('takes the earliest start and the latest end of its chunks', () => {
    const events: DrawnEvent[] = [['jdk.ExecutionSample', { stackTrace: 1 }]];
    const chunk = (start: bigint, duration: bigint) => jfrChunk({ stacks: STACKS, events, start, duration });
    const { timeNanos, durationNanos } = onlyProfile(readJfr(joinedBytes(chunk(2_000n, 500n), chunk(1_000n, 700n))));
    assert.deepEqual([timeNanos, durationNanos], [1_000n, 1_500]);
    const broken = onlyProfile(readJfr(chunk(2n ** 63n + 5n, 2n ** 62n)));
    assert.deepEqual([broken.timeNanos, broken.durationNanos], [0n, 0]);
  });

  it('takes the newest entry of a key, wherever it comes in the chain', () => {
    const chunk = jfrChunk({
      stacks: ['Main.run'],
      events: [
        ['jdk.ExecutionSample', { stackTrace: 1 }],
        ['jdk.ExecutionSample', { stackTrace: 5 }],
      ],
      checkpoints: [
        [
          { type: 'jdk.types.Symbol', entries: [[1, ['old']]] },
          { type: 'jdk.types.StackTrace', entries: [[5, [false, [[1, 3, 0, 1]]]]] },
        ],
        [{ type: 'jdk.types.Symbol', entries: [[1, ['older']]] }],
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(chunk))), ['Main.run 10000000', 'Main.run 10000000']);
  });

  it('binds kinds of frames by name, and keeps line and raw name', () => {
    const { stacks } = onlyProfile(
      readJfr(
        jfrChunk({
          stacks: ['App$$Lambda$14/0x0000000840068c40.run:7'],
          events: [['jdk.ExecutionSample', { stackTrace: 1 }]],
          types: { 'jdk.types.FrameType': 'description: java.lang.String' },
        }),
      ),
    );
    const { frames, strings } = stacks;
    assert.equal(strings[frames.name[0] as number], 'App$$Lambda_.run');
    assert.equal(strings[frames.systemName[0] as number], 'App$$Lambda$14/0x0000000840068c40.run');
    assert.deepEqual([frames.line[0], frames.kind[0], frames.file[0]], [7, 2, 0]);
  });

  it('reads frames of another layout, of long keys, and to the last byte of the file', () => {
    // `type` comes first here and no frame is plain; the pools lie at the end of the file.
    const chunk = jfrChunk({
      events: [['jdk.ExecutionSample', { stackTrace: 1 }]],
      types: {
        'jdk.types.StackFrame':
          'type: jdk.types.FrameType#, method: jdk.types.Method#, lineNumber: int, hidden: boolean',
        'jdk.types.StackTrace': 'truncated: boolean, frames: jdk.types.StackFrame[]',
      },
      checkpoints: [
        [
          { type: 'jdk.types.Symbol', entries: [[1, ['work']]] },
          { type: 'jdk.types.Method', entries: [[2n ** 40n, [0, 1, 0, 0, 0]]] },
          {
            type: 'jdk.types.StackTrace',
            entries: [
              [
                1,
                [
                  false,
                  [
                    [3, 2n ** 40n, 12, 0],
                    [3, 99, -1, 1],
                  ],
                ],
              ],
            ],
          },
        ],
      ],
    });
    const { stacks } = onlyProfile(readJfr(chunk));
    const { frames, strings } = stacks;
    const drawn = Array.from({ length: frames.length }, (_, i) => [
      strings[frames.name[i] as number],
      frames.line[i],
      frames.kind[i],
    ]);
    assert.deepEqual(drawn, [
      ['[unknown method]', 0, 8],
      ['work', 12, 4],
    ]);
  });

  it('puts what has no stack under one marker frame', () => {
    const chunk = jfrChunk({
      stacks: ['Main.run'],
      events: [0, 77, 78, 5].map((stackTrace) => ['jdk.ExecutionSample', { stackTrace }]),
      checkpoints: [[{ type: 'jdk.types.StackTrace', entries: [[5, [false, []]]] }]],
    });
    const profile = onlyProfile(readJfr(chunk));
    assert.deepEqual(stacksOf(profile), ['[no stack] 40000000']);
    assert.equal(profile.stacks.frames.kind[0], 8);
  });

  it('shares one stack table among the profiles of a recording', () => {
    const { profiles } = readJfr(
      jfrChunk({
        stacks: STACKS,
        events: [
          ['jdk.ExecutionSample', { stackTrace: 1 }],
          ['jdk.JavaMonitorEnter', { stackTrace: 2, duration: 5 }],
        ],
      }),
    );
    assert.equal(profiles.length, 2);
    assert.equal(profiles[0]?.profile.stacks, profiles[1]?.profile.stacks);
  });
});
