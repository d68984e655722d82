import { type ErrorCode, PilotlightError } from '../errors.js';
import type { Profile, Reading } from '../model.js';

/** The profile of a reading of one. */
export function onlyProfile({ profiles }: Reading): Profile {
  const [named] = profiles;
  if (named === undefined || profiles.length > 1) throw new Error(`${profiles.length} profiles`);
  return named.profile;
}

/** Reason → count. */
export function reasonsOf({ refusals }: Reading): Record<string, number> {
  return Object.fromEntries(refusals.map(({ reason, count }) => [reason, count]));
}

/** For `assert.throws`: the error has this code and message. */
export function refused(code: ErrorCode, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof PilotlightError && error.code === code && message.test(error.message);
}
