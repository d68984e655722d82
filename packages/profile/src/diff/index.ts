export * from './cut-diff-tree.js';
export { diffCallTrees, sideOf } from './diff-call-trees.js';
export { type DiffColumns, type DiffTable, diffTable, shareChange } from './diff-table.js';
export type { DiffTree } from './diff-tree.js';
export * from './flamebearer.js';
export { type DiffBasis, widthTree } from './width-tree.js';
