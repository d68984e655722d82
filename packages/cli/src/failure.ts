import { PilotlightError } from '@pilotlight/profile';

/** What the system's refusals of a file mean. */
const FILE_FAULTS = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'it is a folder, not a file'],
  ['EACCES', 'this user may not open it'],
  ['EPERM', 'this user may not open it'],
  ['EROFS', 'it lies on a disk that cannot be written'],
  ['ENOSPC', 'the disk is full'],
  ['EMFILE', 'too many files are open'],
]);

/** Why a file could not be opened, read or written, in words; undefined for any other error. */
export function fileFault(thrown: unknown): string | undefined {
  return FILE_FAULTS.get((thrown as NodeJS.ErrnoException | null)?.code ?? '');
}

/** What to say of anything thrown: the facts, the code to look up in docs/errors.md, and the cause where fetch hides it. */
export function sentence(thrown: unknown): string {
  if (thrown instanceof PilotlightError) return `${thrown.message} (${thrown.code})`;
  if (!(thrown instanceof Error)) return String(thrown);
  const fault = fileFault(thrown);
  const { path } = thrown as NodeJS.ErrnoException;
  if (fault !== undefined && path !== undefined) return `${path}: ${fault}`;
  // fetch says only "fetch failed"; the reason is one level down.
  const cause = thrown.cause;
  return cause instanceof Error && cause.message !== '' ? `${thrown.message}: ${cause.message}` : thrown.message;
}
