import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instructionsFor } from './instructions.js';
import { groupRefusals } from './refusal-table.js';

test('every instruction sends to this server', () => {
  const instructions = instructionsFor('https://profiles.example/below');
  assert.deepEqual(
    instructions.map(({ id }) => id),
    ['java', 'node', 'go', 'python', 'file'],
  );
  for (const { lines } of instructions) assert.match(lines, /https:\/\/profiles\.example\/below(["' \\/]|$)/m);
});

test('refusals by service, the latest first', () => {
  const refusal = (service: string, reason: string, last: string) => ({ service, reason, last, count: 1, message: '' });
  const groups = groupRefusals([
    refusal('a', 'old', '2026-01-01T00:00:00Z'),
    refusal('b', 'middle', '2026-01-02T00:00:00Z'),
    refusal('a', 'new', '2026-01-03T00:00:00Z'),
  ]);
  assert.deepEqual(
    groups.map(({ service, refusals }) => [service, refusals.map(({ reason }) => reason)]),
    [
      ['a', ['new', 'old']],
      ['b', ['middle']],
    ],
  );
});
