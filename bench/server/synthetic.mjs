import { gzipSync } from 'node:zlib';
import { SampleTableBuilder, StackTableBuilder, writePprof } from '@pilotlight/profile';

/** A generator of whole numbers that is the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A program with `stackCount` stacks of depth 12 to 27 and 2,000 functions: the names of the functions, the stacks as indexes of them. */
export function syntheticStacks(stackCount, random = seeded(42)) {
  const names = Array.from(
    { length: 2_000 },
    (_, i) => `com.example.service.module${i % 97}.Class${i % 523}.method${i}`,
  );
  // Stacks branch off earlier ones, as those of a program do.
  const stacks = [];
  for (let i = 0; i < stackCount; i++) {
    const base = i === 0 ? [0] : stacks[random(i)];
    const keep = Math.max(1, Math.min(base.length - random(6), 24));
    const stack = base.slice(0, keep);
    while (stack.length < 12 + random(16)) stack.push(random(names.length));
    stacks.push(stack);
  }
  return { names, stacks };
}

/** `count` pprof bodies of `samples` samples each, out of that program. */
export function syntheticProfiles(count, samples, stackCount) {
  const random = seeded(42);
  const { names, stacks } = syntheticStacks(stackCount, random);
  return Array.from({ length: count }, () => {
    const table = new StackTableBuilder();
    const column = new SampleTableBuilder(1);
    for (let i = 0; i < samples; i++) {
      // A few stacks are hot, most are rare.
      const stack = stacks[Math.min(random(stackCount), random(stackCount))];
      column.add(
        table.stack(stack.map((name) => table.frame(table.string(names[name]), 0, 0, 0, name))),
        0,
        10_000_000,
      );
    }
    const profile = {
      stacks: table.finish(),
      ...column.finish(),
      sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      period: 10_000_000,
      timeNanos: 0n,
      durationNanos: 10e9,
    };
    return gzipSync(writePprof(profile), { level: 1 });
  });
}
