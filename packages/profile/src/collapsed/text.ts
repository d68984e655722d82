/** What a file of lines turned out to be. */
export interface DecodedText {
  readonly text: string;
  /** Bytes that are no text were read as U+FFFD. */
  readonly isDamaged: boolean;
}

/** Decodes UTF-8, with or without a byte order mark, and UTF-16 of either order with one. The mark is no part of the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le', bytes.subarray(2));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16le', swapped(bytes.subarray(2)));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decode('utf-8', bytes.subarray(3));
  return decode('utf-8', bytes);
}

function decode(encoding: string, bytes: Uint8Array): DecodedText {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  if (!text.includes('\ufffd')) return { text, isDamaged: false };
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return { text, isDamaged: false };
  } catch {
    // The decoder has no other way to say that the replacement sign was not in the file.
    return { text, isDamaged: true };
  }
}

/** Big-endian units as little-endian ones, which every run-time can decode; an odd last byte stays. */
function swapped(bytes: Uint8Array): Uint8Array {
  // Not `slice`, which makes no copy of a Buffer.
  const turned = new Uint8Array(bytes);
  for (let i = 0; i + 1 < turned.length; i += 2) {
    turned[i] = bytes[i + 1] as number;
    turned[i + 1] = bytes[i] as number;
  }
  return turned;
}
