import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkProfile, type Profile } from '@pilotlight/profile';
import fc from 'fast-check';
import { type ConversionOptions, type CpuProfile, type CpuProfileNode, convertCpuProfile } from './cpu-profile.js';

const OPTIONS: ConversionOptions = {
  fromMicros: 0,
  intervalMicros: 10_000,
  cpuMillis: undefined,
  epochMicros: 1_700_000_000_000_000,
  workingDirectory: '/srv/app',
};

/**
 * A profile from stacks drawn as text, one every 10 ms: `main;work` is `work` called from `main`. Each name is a function of
 * `/srv/app/src/NAME.js`, on the line that is its length; names in brackets are V8's own.
 */
function drawn(stacks: readonly string[], more: Partial<CpuProfile> = {}): CpuProfile {
  const nodes: (CpuProfileNode & { children: number[] })[] = [];
  const ids = new Map<string, number>();
  const nodeOf = (path: string): number => {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const functionName = path.split(';').at(-1) as string;
    const id = nodes.length + 1;
    const isMarker = functionName.startsWith('(');
    nodes.push({
      id,
      callFrame: {
        functionName: functionName.replace(/^_\w+$/, ''),
        url: isMarker ? '' : functionName === 'agent' ? 'pilotlight:agent' : `file:///srv/app/src/${functionName}.js`,
        lineNumber: isMarker ? -1 : functionName.length - 1,
      },
      children: [],
    });
    ids.set(path, id);
    const parent = path.includes(';') ? nodeOf(path.slice(0, path.lastIndexOf(';'))) : undefined;
    if (parent !== undefined) nodes[parent - 1]?.children.push(id);
    return id;
  };
  nodeOf('(root)');
  const samples = stacks.map((stack) => nodeOf(`(root);${stack}`));
  return {
    nodes,
    startTime: 1_000_000,
    endTime: 1_000_000 + 10_000 * stacks.length,
    samples,
    timeDeltas: samples.map((_, index) => (index === 0 ? 0 : 10_000)),
    ...more,
  };
}

/** `main;work ticks milliseconds`, sorted. */
function rows({ stacks, samples }: Profile): string[] {
  const path = (node: number): string[] =>
    node < 0
      ? []
      : [
          ...path(stacks.nodes.parent[node] as number),
          stacks.strings[stacks.frames.name[stacks.nodes.frame[node] as number] as number] as string,
        ];
  return Array.from(
    { length: samples.length },
    (_, i) =>
      `${path(samples.node[i] as number).join(';')} ${samples.values[0]?.[i]} ${(samples.values[1]?.[i] as number) / 1e6}`,
  ).sort();
}

test('a sample weighs until the next one; the first entry is no tick', () => {
  const { profile, busyMillis, wallMillis } = convertCpuProfile(
    drawn(['main', 'main;work', 'main;work', 'main']),
    OPTIONS,
  );
  assert.deepEqual(rows(profile), ['main 1 20', 'main;work 2 20']);
  assert.equal(busyMillis, 40);
  assert.equal(wallMillis, 40);
  checkProfile(profile);
});

test('idle time is left out, native code and garbage collection are frames', () => {
  const { profile, busyMillis } = convertCpuProfile(
    drawn(['(idle)', '(program)', '(garbage collector)', 'main', '(idle)']),
    OPTIONS,
  );
  assert.deepEqual(rows(profile), ['(garbage collector) 1 10', '(program) 1 10', 'main 1 10']);
  assert.equal(busyMillis, 30);
});

test('a pool that waits for a task is idle, its tasks are not', () => {
  const input = drawn([
    'main;atomicsWaitLoop',
    'main;atomicsWaitLoop;task',
    'main;atomicsWaitLoop;agent;profile',
    'main',
  ]);
  const inPool = (url: string) => ({
    ...input,
    nodes: input.nodes.map((node) =>
      node.callFrame.functionName === 'atomicsWaitLoop' ? { ...node, callFrame: { ...node.callFrame, url } } : node,
    ),
  });
  const piscina = convertCpuProfile(inPool('file:///srv/app/node_modules/piscina/dist/worker.js'), OPTIONS);
  assert.deepEqual(rows(piscina.profile), ['main 1 10', 'main;atomicsWaitLoop;task 1 10']);
  assert.equal(piscina.busyMillis, 20);
  const another = convertCpuProfile(inPool('file:///srv/app/src/wait.js'), OPTIONS);
  assert.equal(another.busyMillis, 40);
});

test("the agent's own lines count for what they interrupted", () => {
  const { profile } = convertCpuProfile(drawn(['main;agent;profile', 'main', '(idle)', 'agent;profile']), OPTIONS);
  assert.deepEqual(rows(profile), ['main 1 20']);
});

test('what lies before the window belongs to the last one', () => {
  const input = drawn(['a', 'b', 'c']);
  const { profile, wallMillis } = convertCpuProfile(input, { ...OPTIONS, fromMicros: 1_014_000 });
  assert.deepEqual(rows(profile), ['b 1 6', 'c 1 10']);
  assert.equal(wallMillis, 16);
  assert.equal(profile.timeNanos, 1_700_000_001_014_000_000n);
  assert.equal(profile.durationNanos, 16_000_000);
});

test('time that used no CPU is scaled away; more CPU than time is not made up', () => {
  const input = drawn(['a', 'b', 'b', 'b']);
  assert.deepEqual(rows(convertCpuProfile(input, { ...OPTIONS, cpuMillis: 20 }).profile), ['a 0 5', 'b 3 15']);
  assert.deepEqual(rows(convertCpuProfile(input, { ...OPTIONS, cpuMillis: 90 }).profile), ['a 0 10', 'b 3 30']);
});

test('samples out of order are put in order', () => {
  const input = drawn(['a', 'b', 'c'], { timeDeltas: [0, 20_000, -10_000] });
  assert.deepEqual(rows(convertCpuProfile(input, OPTIONS).profile), ['a 0 10', 'b 1 10', 'c 1 10']);
});

test('names are clean, files are short, lines are 1-based', () => {
  const { nodes, ...rest } = drawn(['read', '_b']);
  const more: CpuProfileNode[] = [
    { id: 8, callFrame: { functionName: 'parse', url: 'node:internal/url', lineNumber: 9 } },
    { id: 9, callFrame: { functionName: 'writev', url: '', lineNumber: -1 } },
    { id: 10, callFrame: { functionName: '', url: 'file:///usr/lib/a%20b.js', lineNumber: -1 } },
  ];
  const { stacks } = convertCpuProfile(
    {
      ...rest,
      nodes: [...nodes, ...more],
      samples: [2, 3, 8, 9, 10],
      timeDeltas: [0, 1, 1, 1, 1],
    },
    OPTIONS,
  ).profile;
  const { frames, strings } = stacks;
  assert.deepEqual(
    Array.from({ length: frames.length }, (_, i) =>
      [
        strings[frames.name[i] as number],
        strings[frames.file[i] as number],
        frames.line[i],
        frames.startLine[i],
      ].join(),
    ).sort(),
    [
      '(anonymous) ./src/_b.js:2,./src/_b.js,2,2',
      '(anonymous) /usr/lib/a b.js:1,/usr/lib/a b.js,1,1',
      'parse,node:internal/url,10,10',
      'read,./src/read.js,4,4',
      'writev,,0,0',
    ],
  );
});

test('a window of nothing', () => {
  const { profile, busyMillis } = convertCpuProfile({ nodes: [], startTime: 5, endTime: 5 }, OPTIONS);
  assert.equal(profile.samples.length, 0);
  assert.equal(busyMillis, 0);
  checkProfile(profile);
});

test('however windows are cut, the pieces add up to the whole', () => {
  const stack = fc.constantFrom('a', 'a;b', 'a;b;c', 'd', '(idle)', '(program)');
  fc.assert(
    fc.property(
      fc.array(stack, { minLength: 2, maxLength: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (stacks, at) => {
        const input = drawn(stacks);
        const cut = Math.round(input.startTime + (input.endTime - input.startTime) * at);
        const before = stacks.filter((_, index) => input.startTime + 10_000 * index < cut);
        const first = convertCpuProfile({ ...drawn(before), endTime: cut }, OPTIONS);
        const second = convertCpuProfile(input, { ...OPTIONS, fromMicros: cut });
        const whole = convertCpuProfile(input, OPTIONS);
        for (const { profile } of [first, second, whole]) checkProfile(profile);
        const busy = (conversion: typeof whole) => Math.round(conversion.busyMillis * 1000);
        assert.equal(busy(first) + busy(second), busy(whole));
        assert.equal(Math.round((first.wallMillis + second.wallMillis) * 1000), Math.round(whole.wallMillis * 1000));
      },
    ),
  );
});
