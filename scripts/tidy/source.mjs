/**
 * Source text as the walls see it. No parser: a scan for comments and texts is enough for imports and names, runs before
 * anything is installed, and takes the whole repository in a tenth of a second.
 */

/** A text, or else a comment. Texts come first in each place, so `'http://…'` is not taken for a comment. */
const TOKEN = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const IMPORT = /\b(from|import|import\s*\(|require\s*\(|import\.meta\.resolve\s*\()\s*(['"])([^'"\n]+)\2/g;

/**
 * @typedef {object} Source
 * @property {string} path Below the root, with `/`.
 * @property {string} text
 * @property {string} code The text with comments blanked; line breaks stay, so places hold.
 * @property {string} bare As `code`, with the contents of texts blanked too.
 * @property {string} firstComment
 * @property {readonly Import[]} imports
 *
 * @typedef {object} Import
 * @property {string} specifier
 * @property {boolean} resolveOnly Asked for its place only (`import.meta.resolve`), not loaded.
 * @property {number} line
 */

/** @returns {Source} */
export function readSource(path, text) {
  const code = text.replace(TOKEN, (token, string) => (string === undefined ? blank(token) : token));
  const bare = text.replace(TOKEN, blank);
  const firstComment = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+/m.exec(text)?.[0] ?? '';
  const imports = [...code.matchAll(IMPORT)].map((match) => ({
    specifier: match[3],
    resolveOnly: match[1].startsWith('import.meta'),
    line: lineOf(code, match.index),
  }));
  return { path, text, code, bare, firstComment, imports };
}

/** 1-based line of an index. */
export function lineOf(text, index) {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function blank(token) {
  return token.replace(/[^\n]/g, ' ');
}
