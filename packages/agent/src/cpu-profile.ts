/**
 * V8's .cpuprofile → the model.
 *
 * A sample says what ran from its time until the next sample, so that is its weight. V8 samples wall time: what it labels
 * `(idle)` is waiting and left out. `(program)` stays, as a frame of its own: it is native code without JS on the stack (HTTP
 * parsing, libuv, callbacks on their way into JS), and measured against the thread's CPU time it is work, not waiting.
 * `(garbage collector)` is a frame of its own as well, for V8 does not say on whose behalf it collects.
 *
 * What is neither idle nor using the CPU (`execSync`, `Atomics.wait`, a machine that is short of cores) looks like work to V8.
 * Therefore all weights are scaled to the CPU time of the thread, when that is known and smaller.
 */
import { fileURLToPath } from 'node:url';
import { NO_PARENT, type Profile, SampleTableBuilder, StackTableBuilder } from '@pilotlight/profile';
import { AGENT_SCRIPT } from './thread-profiler.js';

/** As the inspector gives it. Times are microseconds of the monotonic clock, the one of `process.hrtime`. */
export interface CpuProfile {
  readonly nodes: readonly CpuProfileNode[];
  readonly startTime: number;
  readonly endTime: number;
  /** Ids of nodes. */
  readonly samples?: readonly number[];
  /** The first from startTime, each other from the sample before; may be negative. */
  readonly timeDeltas?: readonly number[];
}

export interface CpuProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Of the function, 0-based; -1 for none. */
  readonly lineNumber: number;
}

export interface ConversionOptions {
  /** The window begins here, in the profile's clock: windows overlap, and what lies before belongs to the last one. */
  readonly fromMicros: number;
  readonly intervalMicros: number;
  /** Of the main thread within the window; undefined when unknown. */
  readonly cpuMillis: number | undefined;
  /** Added to the profile's clock gives microseconds since the epoch. */
  readonly epochMicros: number;
  /** Shown as `.` in file paths. */
  readonly workingDirectory: string;
}

export interface Conversion {
  readonly profile: Profile;
  /** Of the window, after the cut. */
  readonly wallMillis: number;
  /** Part of the window in which the main thread was not idle, before scaling. */
  readonly busyMillis: number;
  /** Samples the profiler took, idle ones too: what it cost depends on them. */
  readonly ticks: number;
}

/** In the place of a node of ours: what runs there is waiting. */
const IDLE = -2;

/** What the agent runs on the main thread: its messages, and its part in the end of the process. */
const AGENT_SCRIPTS = new Set([
  AGENT_SCRIPT,
  ...['./start.js', './exit-gate.js'].map((file) => new URL(file, import.meta.url).href),
]);

/**
 * Where the workers of pools wait for their next task, by `Atomics.wait`. V8 shows that as work of the function, and the kernel
 * knows better only for the thread: without this the wait would take most of the CPU that the tasks used.
 */
const POOL_WAIT_FUNCTION = 'atomicsWaitLoop';
const POOL_WAIT_FILE = /\/node_modules\/(?:piscina|tinypool)\/dist\//;

export function convertCpuProfile(input: CpuProfile, options: ConversionOptions): Conversion {
  const stacks = new StackTableBuilder();
  const nodeOf = convertNodes(input.nodes, stacks, options.workingDirectory);
  const from = Math.max(options.fromMicros, input.startTime);
  const weights = weighSamples(input, nodeOf, from);

  let busyMicros = 0;
  for (const { micros } of weights.values()) busyMicros += micros;
  const wallMicros = Math.max(0, input.endTime - from);
  const cpuMicros = (options.cpuMillis ?? Number.POSITIVE_INFINITY) * 1000;
  const scale = busyMicros > cpuMicros ? cpuMicros / busyMicros : 1;

  const samples = new SampleTableBuilder(2);
  for (const [node, { ticks, micros }] of weights) samples.add(node, 0, ticks, Math.round(micros * scale * 1000));
  const profile: Profile = {
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: Math.round(options.intervalMicros * 1000),
    timeNanos: BigInt(Math.round(options.epochMicros + from)) * 1000n,
    durationNanos: Math.round(wallMicros * 1000),
  };
  return {
    profile,
    wallMillis: wallMicros / 1000,
    busyMillis: busyMicros / 1000,
    ticks: input.samples?.length ?? 0,
  };
}

interface Weight {
  ticks: number;
  micros: number;
}

/** Our nodes with what they weigh after `from`; idle time has no weight. */
function weighSamples(input: CpuProfile, nodeOf: ReadonlyMap<number, number>, from: number): Map<number, Weight> {
  const { samples = [], timeDeltas = [] } = input;
  let time = input.startTime;
  const ticks = samples.map((id, index) => ({ id, micros: (time += timeDeltas[index] ?? 0), index }));
  ticks.sort((a, b) => a.micros - b.micros || a.index - b.index);

  const weights = new Map<number, Weight>();
  for (let i = 0; i < ticks.length; i++) {
    const tick = ticks[i] as (typeof ticks)[number];
    const micros = (ticks[i + 1]?.micros ?? input.endTime) - Math.max(tick.micros, from);
    const node = nodeOf.get(tick.id) ?? IDLE;
    if (micros <= 0 || node < 0) continue;
    let weight = weights.get(node);
    if (weight === undefined) weights.set(node, (weight = { ticks: 0, micros: 0 }));
    weight.micros += micros;
    // The first entry is where V8 began, not a tick of its clock.
    if (tick.index > 0) weight.ticks++;
  }
  return weights;
}

/** V8's node ids → nodes of ours. V8 gives parents before their children, but this does not lean on it. */
function convertNodes(
  nodes: readonly CpuProfileNode[],
  stacks: StackTableBuilder,
  workingDirectory: string,
): Map<number, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isChild = new Set(nodes.flatMap((node) => node.children ?? []));
  const converted = new Map<number, number>();
  const pending: PendingNode[] = nodes
    .filter((node) => !isChild.has(node.id))
    .map((node) => ({ node, parent: NO_PARENT, caller: NO_PARENT, isAgents: false }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, parent } = next;
    if (converted.has(node.id)) continue;
    // The agent's time counts for whatever it interrupted.
    const isAgents = next.isAgents || AGENT_SCRIPTS.has(node.callFrame.url);
    const own = isAgents ? parent : convertNode(node.callFrame, parent, stacks, workingDirectory);
    const self = isAgents ? next.caller : isPoolWait(node.callFrame) ? IDLE : own;
    converted.set(node.id, self);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) pending.push({ node: child, parent: own, caller: self, isAgents });
    }
  }
  return converted;
}

function isPoolWait({ functionName, url }: CallFrame): boolean {
  return functionName === POOL_WAIT_FUNCTION && POOL_WAIT_FILE.test(url);
}

interface PendingNode {
  readonly node: CpuProfileNode;
  readonly parent: number;
  /** What the caller's own time counts for: its node, unless it waits. */
  readonly caller: number;
  readonly isAgents: boolean;
}

function convertNode(frame: CallFrame, parent: number, stacks: StackTableBuilder, workingDirectory: string): number {
  const { functionName, url } = frame;
  const isTop = parent === NO_PARENT && url === '';
  if (isTop && functionName === '(idle)') return IDLE;
  if (isTop && functionName === '(root)') return NO_PARENT;
  if (isTop && (functionName === '(program)' || functionName === '(garbage collector)')) {
    return stacks.node(parent, stacks.frame(stacks.string(functionName), 0, 0, 0, 0, 'marker'));
  }
  const file = filePath(url, workingDirectory);
  // V8 forgets the line of a module's top level now and then (-1); it is the first one.
  const line = file === '' ? 0 : Math.max(1, frame.lineNumber + 1);
  const name = functionName === '' ? `(anonymous) ${file}:${line}` : functionName;
  const kind = file === '' ? 'native' : 'unknown';
  return stacks.node(parent, stacks.frame(stacks.string(name), 0, stacks.string(file), line, line, kind));
}

/** `file:` and the working directory taken off; `node:fs` and the like as they are. */
function filePath(url: string, workingDirectory: string): string {
  let path = url;
  if (url.startsWith('file://')) {
    try {
      path = fileURLToPath(url);
    } catch {
      // A URL of another host or with an escaped slash is no path here: shown as it is.
    }
  }
  return path.startsWith(`${workingDirectory}/`) ? `.${path.slice(workingDirectory.length)}` : path;
}
