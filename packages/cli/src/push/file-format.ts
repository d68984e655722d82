/** Formats `push` takes, told by content; file names lie, and `.gz` says nothing. */
export type FileFormat = 'jfr' | 'pprof' | 'collapsed';

const JFR_MAGIC = [0x46, 0x4c, 0x52, 0x00];
/**
 * The format of an inflated file.
 *
 * Text is told by the absence of control characters. A pprof file always has some: each sample type is a message that
 * begins with byte 8.
 */
export function fileFormat(bytes: Uint8Array): FileFormat {
  if (isJfr(bytes)) return 'jfr';
  return bytes.some(isControl) ? 'pprof' : 'collapsed';
}

/** The format that the first bytes of any file speak for; undefined for all that is hardly a profile. */
export function looksLike(head: Uint8Array): FileFormat | undefined {
  if (isJfr(head)) return 'jfr';
  if (beginsWithSampleType(head)) return 'pprof';
  if (head.some(isControl)) return undefined;
  const first = Buffer.from(head)
    .toString()
    .split(/\r?\n/)
    .find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && /^[^\s{}][^{}]*;.*[ \t]\d+$/.test(first) ? 'collapsed' : undefined;
}

/** A pprof's first field is a message of two small numbers: 0x0a, length, 0x08, varint, 0x10, varint. */
function beginsWithSampleType(head: Uint8Array): boolean {
  if (head[0] !== 0x0a || head[2] !== 0x08) return false;
  let at = 3;
  while ((head[at] as number) >= 0x80) at++;
  return head[at + 1] === 0x10 && at < 2 + (head[1] as number);
}

function isJfr(bytes: Uint8Array): boolean {
  return JFR_MAGIC.every((byte, index) => bytes[index] === byte);
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d;
}
