export { type CollapsedOptions, readCollapsed } from './decode.js';
export { writeCollapsed } from './encode.js';
