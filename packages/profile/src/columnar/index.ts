export * from './decode.js';
export * from './encode.js';
export { FLAME_GRAPH_MEDIA_TYPE, type FlameGraphMeaning } from './layout.js';
