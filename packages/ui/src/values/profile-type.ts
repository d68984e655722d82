/** A profile type as people read it. */
export interface ProfileTypeText {
  readonly id: string;
  /** `CPU time`, `Allocated memory`. */
  readonly title: string;
  /** Unit of the values: `nanoseconds`, `bytes`, `count`. */
  readonly unit: string;
  /** How the values of a while are best read: spread over it, or as they are. */
  readonly over: 'time' | 'nothing';
  /** What the timeline shows, in words where its unit (for `scaleFor`) does not say it. */
  readonly rateTitle: string;
  readonly rateUnit: string;
}

const TITLES = new Map([
  ['process_cpu:cpu', 'CPU time'],
  ['process_cpu:samples', 'CPU samples'],
  ['wall:wall', 'Wall-clock time'],
  ['memory:alloc_space', 'Allocated memory'],
  ['memory:alloc_objects', 'Allocated objects'],
  ['memory:inuse_space', 'Memory in use'],
  ['memory:inuse_objects', 'Objects in use'],
  ['memory:alloc_in_new_tlab_bytes', 'Allocated memory (new TLAB)'],
  ['memory:alloc_in_new_tlab_objects', 'Allocated objects (new TLAB)'],
  ['memory:alloc_outside_tlab_bytes', 'Allocated memory (outside TLAB)'],
  ['memory:alloc_outside_tlab_objects', 'Allocated objects (outside TLAB)'],
  ['memory:alloc_sample_bytes', 'Allocated memory (sampled)'],
  ['memory:alloc_sample_objects', 'Allocated objects (sampled)'],
  ['memory:live', 'Live objects'],
  ['memory:malloc_bytes', 'Native memory'],
  ['memory:malloc_objects', 'Native allocations'],
  ['mutex:contentions', 'Lock contentions'],
  ['mutex:delay', 'Lock delay'],
  ['block:contentions', 'Blockings'],
  ['block:delay', 'Blocked time'],
  ['goroutine:goroutines', 'Goroutines'],
  ['goroutines:goroutine', 'Goroutines'],
  ['goroutines:goroutines', 'Goroutines'],
  ['exceptions:samples', 'Exceptions'],
]);

/** What a profile shows at a moment, where others show what happened since the one before. */
const LEVELS = /^(inuse_|goroutine|live$)/;

/** Reads `name:type:unit:periodType:periodUnit`; what it does not know it shows as it is. */
export function profileTypeText(id: string): ProfileTypeText {
  const [name = '', type = '', unit = ''] = id.split(':');
  const title = TITLES.get(`${name}:${type}`) ?? (type === name || type === '' ? name : `${name}: ${type}`);
  const known = { id, title: title.replaceAll('_', ' '), unit };
  if (LEVELS.test(type)) return { ...known, over: 'nothing', rateTitle: '', rateUnit: unit };
  if (unit !== 'nanoseconds') return { ...known, over: 'time', rateTitle: 'per second', rateUnit: unit };
  if (name === 'process_cpu') return { ...known, over: 'time', rateTitle: 'cores', rateUnit: 'cores' };
  return { ...known, over: 'time', rateTitle: 'threads', rateUnit: 'threads' };
}

/** The value of a stretch of time as the timeline shows it. */
export function rateOf(value: number, seconds: number, type: ProfileTypeText): number {
  if (type.over === 'nothing' || seconds <= 0) return value;
  return type.unit === 'nanoseconds' ? value / 1e9 / seconds : value / seconds;
}

/** Which type of several to open with: where time goes first, then what is allocated. */
export function mostTelling(ids: readonly string[]): string {
  const order = ['process_cpu:cpu', 'process_cpu:', 'wall:', 'memory:alloc', 'memory:inuse', 'memory:', ''];
  for (const start of order) {
    const found = ids.filter((id) => id.startsWith(start)).sort()[0];
    if (found !== undefined) return found;
  }
  return '';
}
