/** Profiles for tests: drawn as collapsed stacks, and real recordings. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Profile, readCollapsed } from '@pilotlight/profile';

const BESIDE_THE_CHECKOUT = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/** `main;a 5` a line, with a time where the drawing has none. */
export function profileOf(drawing: string, times: { timeNanos?: bigint; durationNanos?: number } = {}): Profile {
  const reading = readCollapsed(Buffer.from(drawing), { sampleType: { type: 'cpu', unit: 'nanoseconds' } });
  const profile = reading.profiles[0]?.profile;
  if (profile === undefined) throw new Error('the drawing holds no stack');
  return { ...profile, ...times };
}

/** A real recording, inflated; absent, the test is skipped with a reason, and on CI it fails. */
export function testRecording(t: TestContext, path: string): Uint8Array | undefined {
  const file = join(process.env['PILOTLIGHT_TESTDATA'] ?? BESIDE_THE_CHECKOUT, path);
  if (existsSync(file)) return new Uint8Array(gunzipSync(readFileSync(file)));
  if (process.env['CI'] === 'true') throw new Error(`no data: ${path} is not under PILOTLIGHT_TESTDATA`);
  t.skip('skipped: no data');
  return undefined;
}
