/** The table of docs/ARCHITECTURE.md: who may import whom. */

/**
 * @typedef {object} Wall
 * @property {readonly string[]} mayImport Other packages of the house.
 * @property {readonly string[]} mayLocate Packages whose files it may find, not load.
 * @property {boolean} anywhere Runs in browsers too: no module and no global of Node's.
 * @property {boolean} bare Without dependencies of third parties.
 */

/** @type {Readonly<Record<string, Wall>>} */
export const WALLS = {
  profile: { mayImport: [], mayLocate: [], anywhere: true, bare: true },
  protocol: { mayImport: ['profile'], mayLocate: [], anywhere: true, bare: false },
  agent: { mayImport: ['profile'], mayLocate: [], anywhere: false, bare: true },
  server: { mayImport: ['profile', 'protocol'], mayLocate: [], anywhere: false, bare: false },
  ui: { mayImport: ['profile', 'protocol'], mayLocate: [], anywhere: true, bare: false },
  // The one exception to "floor 3 never imports floor 3": the command line starts the server.
  cli: { mayImport: ['profile', 'protocol', 'server'], mayLocate: ['ui', 'agent'], anywhere: false, bare: false },
};

/** The name on npm of a package of the house. */
export function npmName(name) {
  return name === 'cli' ? 'pilotlight' : `@pilotlight/${name}`;
}

/** The package of the house a specifier leads to, if any. */
export function packageOf(specifier) {
  if (specifier === 'pilotlight' || specifier.startsWith('pilotlight/')) return 'cli';
  return /^@pilotlight\/([^/]+)/.exec(specifier)?.[1];
}
