/**
 * What XML 1.0 has no place for, escaped or not: most control characters, halves of pairs of surrogates, and two that are no characters. And signs that
 * turn the reading direction, with which a name can be made to read as another, or that show as nothing.
 */
const UNWRITABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any text as the content of an element or of an attribute. What cannot be shown becomes U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"']/g, (sign) => ESCAPES[sign] as string);
}
