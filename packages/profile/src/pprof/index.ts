export { type PprofOptions, readPprof } from './decode.js';
export { writePprof } from './encode.js';
