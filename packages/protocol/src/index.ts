export * from './client.js';
export * from './routes.js';
export * from './selector.js';
export * from './status.js';
