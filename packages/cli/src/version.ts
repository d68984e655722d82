import { readFileSync } from 'node:fs';

/** Told to the server with each upload, which shows it among its agents. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
