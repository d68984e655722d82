import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Where the shared recordings are when nobody says: beside the checkout. */
const BESIDE_THE_CHECKOUT = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/**
 * A file of the shared test data. Absent, the test is skipped with a reason and undefined comes back; on CI it fails, since a
 * comparison that silently compares nothing is worth nothing.
 */
export function testData(t: TestContext, path: string): Uint8Array | undefined {
  const file = join(process.env['PILOTLIGHT_TESTDATA'] ?? BESIDE_THE_CHECKOUT, path);
  if (existsSync(file)) return readFileSync(file);
  if (process.env['CI'] === 'true') throw new Error(`no data: ${path} is not under PILOTLIGHT_TESTDATA`);
  t.skip('skipped: no data');
  return undefined;
}
