export * from './options.js';
export * from './server.js';
export { VERSION } from './version.js';
