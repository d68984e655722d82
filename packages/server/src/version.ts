import { readFileSync } from 'node:fs';

/** One version for all packages. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
