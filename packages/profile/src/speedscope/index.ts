export * from './encode.js';
