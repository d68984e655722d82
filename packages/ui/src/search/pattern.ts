/** What was typed into the search box. */
export type Pattern =
  | { readonly kind: 'none' }
  /** Found wherever it stands, in capitals or not. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly source: string; readonly flags: string }
  | { readonly kind: 'invalid'; readonly reason: string };

export const PATTERN_LENGTH_MAX = 1_024;

/** Plain text by default, so that `foo(` finds `foo(`; between slashes, a regular expression: `/^read/` or `/^READ/i`. */
export function parsePattern(typed: string): Pattern {
  if (typed === '') return { kind: 'none' };
  if (typed.length > PATTERN_LENGTH_MAX) {
    return { kind: 'invalid', reason: `longer than ${PATTERN_LENGTH_MAX} characters` };
  }
  const slashes = /^\/(.+)\/(i?)$/s.exec(typed);
  if (slashes === null) return { kind: 'text', text: typed };
  const [, source = '', flags = ''] = slashes;
  try {
    new RegExp(source, flags);
  } catch (thrown) {
    return { kind: 'invalid', reason: syntaxFault(thrown, source, flags) };
  }
  return { kind: 'expression', source, flags };
}

/** V8 says "Invalid regular expression: /x(/: Unterminated group": the reader knows the pattern, what counts is the end. */
function syntaxFault(thrown: unknown, source: string, flags: string): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const at = message.lastIndexOf(`/${source}/${flags}`);
  const fault = at === -1 ? message : message.slice(at + source.length + flags.length + 2).replace(/^:\s*/, '');
  return fault.charAt(0).toLowerCase() + fault.slice(1);
}

/** Which names hold a text, by index. One pass with no backtracking: safe on the page's own thread. */
export function matchText(names: readonly string[], text: string): Uint8Array {
  const wanted = text.toLowerCase();
  return Uint8Array.from(names, (name) => (name.toLowerCase().includes(wanted) ? 1 : 0));
}
