import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime } from './time-parameter.js';

const NOW = Date.parse('2026-03-04T05:06:07.890Z');

test('every form of a time', () => {
  const forms: [string, number][] = [
    ['now', NOW],
    ['now-30s', NOW - 30_000],
    ['now-5m', NOW - 300_000],
    ['now-1h', NOW - 3_600_000],
    ['now-2d', NOW - 172_800_000],
    ['now-1w', NOW - 604_800_000],
    ['20260304', Date.parse('2026-03-04T00:00:00Z')],
    ['0', 0],
    ['1772600767', 1_772_600_767_000],
    ['1772600767890', 1_772_600_767_890],
    ['1772600767890123', 1_772_600_767_890],
    // The Go client sends these; they are past what a number holds exactly.
    ['1772600767890123456', 1_772_600_767_890],
    // Seconds, since no such day is in the calendar.
    ['20261399', 20_261_399_000],
    ['99999999', 99_999_999_000],
  ];
  for (const [text, ms] of forms) assert.equal(parseTime('from', text, NOW), ms, text);
});

test('a day that is in no calendar is no date', () => {
  assert.equal(parseTime('from', '20260231', NOW), 20_260_231_000);
});

test('what is no time is refused with the name of the parameter', () => {
  const wrong = ['', 'yesterday', '-1', '1.5', '1e9', ' 1', '0x10', 'now+1h', 'now-1', 'now-1y', 'now-h', '١٢٣', 'NaN'];
  for (const text of [...wrong, '1'.repeat(21), `now-${'9'.repeat(10)}w`]) {
    assert.throws(
      () => parseTime('until', text, NOW),
      { code: 'malformed_request', message: /^until: .* is not a time/ },
      text,
    );
  }
});

test('the refused text is cut', () => {
  assert.throws(
    () => parseTime('from', 'x'.repeat(10_000), NOW),
    ({ message }: Error) => message.length < 400,
  );
});
