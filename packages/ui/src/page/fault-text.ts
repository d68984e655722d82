/** A fault in words a reader can use. Browsers say of a server that is away what their engine says: "Failed to fetch", "Load failed". */
export function faultText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const isAway = thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message);
  return isAway ? 'it cannot be reached' : thrown.message;
}
