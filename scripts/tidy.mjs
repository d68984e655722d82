/**
 * The walls of docs/ARCHITECTURE.md, kept. `npm run tidy` lists every fault of the repository's files; `npm test` fails on one.
 * The rules: tidy/rules.mjs; the table: tidy/walls.mjs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULES } from './tidy/rules.mjs';
import { readSource } from './tidy/source.mjs';

/** Written by programs, or read by nobody as code. */
const EXEMPT = /(?:^|\/)gen\/|^package-lock\.json$/;

/** The faults of one file as `path:line: sentence (rule)`. */
export function tidy(path, text) {
  if (EXEMPT.test(path)) return [];
  const source = readSource(path, text);
  return Object.entries(RULES).flatMap(([rule, check]) =>
    [...check(source)].map(({ line, message }) => `${path}:${line}: ${message} (${rule})`),
  );
}

/** The faults of all files that are in git or would be added. */
export function tidyRepository(root) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const faults = [];
  for (const path of listed.toString().split('\0')) {
    const text = path === '' ? undefined : readText(join(root, path));
    if (text !== undefined) faults.push(...tidy(path, text));
  }
  return faults;
}

/** Undefined for what is no text, and for a file deleted but not yet committed. */
function readText(path) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
    throw error;
  }
  return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = tidyRepository(fileURLToPath(new URL('..', import.meta.url)));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
