export { JfrCutter, type JfrPiece } from './cut.js';
export { JfrNames } from './known-names.js';
export { type JfrOptions, readJfr } from './read.js';
