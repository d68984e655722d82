/**
 * What the first load weighs, gzipped: the page, what it links, and nothing that waits for a click or for data. `node size.mjs` prints it and
 * fails above the budget. Run after `vite build`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export const FIRST_LOAD_BYTES_MAX = 40 * 1024;
const SITE = fileURLToPath(new URL('./site/', import.meta.url));

/** Bytes as sent, by file; `late` are the files that only a later need loads. */
export function pageSizes() {
  const html = readFileSync(`${SITE}index.html`, 'utf8');
  const linked = new Set([...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1]));
  const sizeOf = (file) => gzipSync(readFileSync(SITE + file), { level: 6 }).length;
  const first = ['index.html', ...linked].map((file) => ({ file, bytes: sizeOf(file) }));
  const late = readdirSync(`${SITE}assets`)
    .map((name) => `assets/${name}`)
    .filter((file) => !linked.has(file))
    .map((file) => ({ file, bytes: sizeOf(file) }));
  return { first, late, firstBytes: first.reduce((sum, { bytes }) => sum + bytes, 0) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { first, late, firstBytes } = pageSizes();
  for (const { file, bytes } of first) console.log(`first ${String(bytes).padStart(6)} ${file}`);
  for (const { file, bytes } of late) console.log(`late  ${String(bytes).padStart(6)} ${file}`);
  console.log(`first load ${firstBytes} of ${FIRST_LOAD_BYTES_MAX} bytes`);
  if (firstBytes > FIRST_LOAD_BYTES_MAX) process.exitCode = 1;
}
