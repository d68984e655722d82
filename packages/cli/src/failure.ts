import { PilotlightError } from '@pilotlight/profile';

/** What to say of anything thrown: the facts, the code to look up in docs/errors.md, and the cause where fetch hides it. */
export function sentence(thrown: unknown): string {
  if (thrown instanceof PilotlightError) return `${thrown.message} (${thrown.code})`;
  if (!(thrown instanceof Error)) return String(thrown);
  // fetch says only "fetch failed"; the reason is one level down.
  const cause = thrown.cause;
  return cause instanceof Error && cause.message !== '' ? `${thrown.message}: ${cause.message}` : thrown.message;
}
