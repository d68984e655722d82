export * from './mutate.js';
export * from './random.js';
export * from './reader-trial.js';
