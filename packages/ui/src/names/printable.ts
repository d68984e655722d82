/**
 * Signs that would change the text around them, or show as nothing: control characters, line separators, and the marks that turn the reading
 * direction, with which a name can be made to read as another.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text as it is shown: every such sign becomes a visible replacement. Copies and links keep the raw text. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd');
}

/** A text cut in its middle to at most `charactersMax`, at whole characters: names differ at their ends. */
export function cutMiddle(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const kept = Math.max(charactersMax - 1, 0);
  let head = Math.ceil(kept / 2);
  let tail = text.length - (kept - head);
  if (isLowSurrogate(text, head)) head--;
  if (isLowSurrogate(text, tail)) tail++;
  return `${text.slice(0, head)}…${text.slice(tail)}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
