export { type JfrOptions, readJfr } from './read.js';
