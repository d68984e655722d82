import { PilotlightError } from '@pilotlight/profile';

const UNIT_MS = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/**
 * A time as the clients of the Pyroscope API write it: 8 digits are a date (YYYYMMDD, UTC), otherwise seconds since the epoch, or milliseconds (13
 * digits), microseconds (16), nanoseconds (19); `now`, `now-1h`.
 *
 * @returns milliseconds since the epoch. @throws PilotlightError `malformed_request` with the name of the parameter.
 */
export function parseTime(parameter: string, text: string, nowMs: number): number {
  const relative = /^now(?:-(\d{1,9})(s|m|h|d|w))?$/.exec(text);
  if (relative) return nowMs - Number(relative[1] ?? 0) * (UNIT_MS.get(relative[2] ?? 's') as number);
  if (/^\d{8}$/.test(text)) {
    const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
    const ms = Date.parse(`${day}T00:00:00Z`);
    // 31 February would be read as 3 March.
    if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)) return ms;
  }
  if (/^\d{1,20}$/.test(text)) {
    if (text.length >= 19) return Number(BigInt(text) / 1_000_000n);
    if (text.length >= 16) return Number(BigInt(text) / 1_000n);
    return text.length >= 13 ? Number(text) : Number(text) * 1_000;
  }
  throw new PilotlightError(
    'malformed_request',
    `${parameter}: ${JSON.stringify(text.slice(0, 100))} is not a time (seconds, milliseconds, microseconds or nanoseconds since the epoch, YYYYMMDD, now-1h)`,
  );
}
