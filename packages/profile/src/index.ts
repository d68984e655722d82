export * from './builder.js';
export * from './errors.js';
export * from './model.js';
export * from './node-id.js';
