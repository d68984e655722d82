import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime } from './time.js';

const NOW = Date.UTC(2026, 10, 30, 18, 0, 0);

test('times as people type them', () => {
  const expected: [string, string][] = [
    ['now', '2026-11-30T18:00:00.000Z'],
    ['now-90s', '2026-11-30T17:58:30.000Z'],
    ['now-2h', '2026-11-30T16:00:00.000Z'],
    ['now-7d', '2026-11-23T18:00:00.000Z'],
    ['2026-11-30T12:00Z', '2026-11-30T12:00:00.000Z'],
    ['1796061600', '2026-11-30T18:00:00.000Z'],
  ];
  for (const [text, iso] of expected) assert.equal(new Date(parseTime(text, NOW)).toISOString(), iso, text);
});

test('what is no time is refused', () => {
  for (const text of ['', 'yesterday', 'now+1h', 'now-1w', '12:00', '2026-13-45', '99999999999999']) {
    assert.throws(() => parseTime(text, NOW), { code: 'commander.invalidArgument' }, text);
  }
});
