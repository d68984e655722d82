/**
 * `npm run bench [name …]`: runs the benchmarks named, or all. Each prints its figures with ratios to a baseline of the same run, since machines
 * differ and are noisy; each bounds itself in time.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs') && name !== 'main.mjs')
  .map((name) => name.slice(0, -4));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
);
let failed = 0;
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}.mjs`, folder))], { stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
