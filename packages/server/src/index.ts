export * from './options.js';
export * from './server.js';
export * from './until-signal.js';
export { VERSION } from './version.js';
