/** Profiles drawn as collapsed stacks, for tests. */
import { type Profile, readCollapsed } from '@pilotlight/profile';

/** `main;a 5` a line, with a time where the drawing has none. */
export function profileOf(drawing: string, times: { timeNanos?: bigint; durationNanos?: number } = {}): Profile {
  const reading = readCollapsed(Buffer.from(drawing), { sampleType: { type: 'cpu', unit: 'nanoseconds' } });
  const profile = reading.profiles[0]?.profile;
  if (profile === undefined) throw new Error('the drawing holds no stack');
  return { ...profile, ...times };
}
