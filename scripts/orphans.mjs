import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const OUTPUT = /(\.d)?\.([cm]?)[jt]s(\.map)?$/;

/**
 * Removes compiled files whose source is gone. The compiler leaves them, and then a deleted test still runs and a deleted
 * module is still published.
 *
 * @param {string} packages Folder of the packages; of each, `dist` is compared with `src`.
 */
export function removeOrphans(packages) {
  for (const name of readdirSync(packages)) {
    const dist = join(packages, name, 'dist');
    if (existsSync(dist)) sweep(dist, join(packages, name, 'src'));
  }
}

function sweep(dist, src) {
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    const output = join(dist, entry.name);
    if (entry.isDirectory()) {
      if (existsSync(join(src, entry.name))) sweep(output, join(src, entry.name));
      else rmSync(output, { recursive: true });
      continue;
    }
    const kind = OUTPUT.exec(entry.name);
    if (kind === null) continue;
    const source = join(src, entry.name.slice(0, kind.index));
    const endings = kind[2] === '' ? ['.ts', '.tsx'] : [`.${kind[2]}ts`];
    if (!endings.some((ending) => existsSync(source + ending))) rmSync(output);
  }
}
