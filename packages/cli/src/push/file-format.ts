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
  if (JFR_MAGIC.every((byte, index) => bytes[index] === byte)) return 'jfr';
  return bytes.some(isControl) ? 'pprof' : 'collapsed';
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d;
}
