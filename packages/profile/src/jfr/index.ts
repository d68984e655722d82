export { JfrCutter, type JfrPiece } from './cut.js';
export { type JfrOptions, readJfr } from './read.js';
