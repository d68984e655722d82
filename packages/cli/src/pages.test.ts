/** The pages of docs/ tell what the code does: each list there is compared with the one here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_CODES } from '@pilotlight/profile';
import { HTTP_STATUS } from '@pilotlight/protocol';

function page(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}

test('errors.md: every code, no other, each with its HTTP status', () => {
  const rows = [...page('errors.md').matchAll(/^\| `(\w+)` +\| (\d+) /gm)].map(
    ([, code, status]) => `${code} ${status}`,
  );
  assert.deepEqual(rows.sort(), ERROR_CODES.map((code) => `${code} ${HTTP_STATUS[code]}`).sort());
});
