export * from './configuration.js';
export { startAgent } from './start.js';
