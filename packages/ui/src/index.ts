import { fileURLToPath } from 'node:url';

/** The folder of the built page: `index.html` and `assets/`. Whoever serves it needs only this path, and imports no page code. */
export const siteDirectory: string = fileURLToPath(new URL('../site', import.meta.url));
