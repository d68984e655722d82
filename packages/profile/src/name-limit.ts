const ENCODER = new TextEncoder();
/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

/** The longest beginning of a text that takes at most `bytesMax` bytes in UTF-8, in whole characters. */
export function cutToBytes(text: string, bytesMax: number): string {
  if (text.length * BYTES_PER_UNIT_MAX <= bytesMax) return text;
  const { read } = ENCODER.encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}
