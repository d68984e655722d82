/**
 * How names that would break a line of collapsed stacks are written.
 *
 * The format has no escape of its own, and the usual signs for one occur in real names (backslashes in PHP and in Windows paths,
 * percent signs in routes), so ours begins with U+241B, the symbol for escape, which nobody's functions are called.
 * It is followed by two hexadecimal digits, the code of the sign:
 *
 * | written | stands for |
 * | ------- | ---------- |
 * | `␛3B` | `;` |
 * | `␛0A`, `␛0D` | line feed, carriage return |
 * | `␛20`, `␛09` | blank or tab as first or last sign of a name, where a reader would trim it |
 * | `␛23` | `#` as first sign of a line, where it would make a comment |
 * | `␛1B` | `␛` itself |
 * | `␛00` | the empty name |
 *
 * Any other use of `␛` is read as it stands. Names without these signs are written as they are.
 */
const ESCAPE = '\u241b';
const EMPTY_NAME = `${ESCAPE}00`;

const WRITTEN = new Map<string, string>([
  [';', '3B'],
  ['\n', '0A'],
  ['\r', '0D'],
  [' ', '20'],
  ['\t', '09'],
  ['#', '23'],
  [ESCAPE, '1B'],
]);
const MEANT = new Map(Array.from(WRITTEN, ([sign, code]) => [code, sign]));

/** Signs that never stand in a name as written, and blanks at its ends. */
const ALWAYS_ESCAPED = /[;\n\r\u241b]|^[ \t]|[ \t]$/g;

/** A name as written in a line; `isFirst` when it begins the line. */
export function escapeName(name: string, isFirst: boolean): string {
  if (name === '') return EMPTY_NAME;
  const escaped = name.replace(ALWAYS_ESCAPED, (sign) => ESCAPE + (WRITTEN.get(sign) as string));
  return isFirst && escaped.startsWith('#') ? `${ESCAPE}23${escaped.slice(1)}` : escaped;
}

/** The name a line means. */
export function unescapeName(written: string): string {
  if (!written.includes(ESCAPE)) return written;
  if (written === EMPTY_NAME) return '';
  let name = '';
  let from = 0;
  for (let at = written.indexOf(ESCAPE); at !== -1; at = written.indexOf(ESCAPE, from)) {
    const sign = MEANT.get(written.slice(at + 1, at + 3));
    const end = sign === undefined ? at + 1 : at + 3;
    name += written.slice(from, at) + (sign ?? ESCAPE);
    from = end;
  }
  return name + written.slice(from);
}
