export * from './cut-diff-tree.js';
export { type DiffColumns, type DiffTable, diffTable, shareChange } from './diff-table.js';
export { type DiffTree, diffCallTrees, sideOf } from './diff-tree.js';
export { type DiffBasis, widthTree } from './width-tree.js';
