import { type CallTree, type DiffTree, diffCallTrees, PilotlightError } from '@pilotlight/profile';
import { type Selection, selectCallTree } from '../store/select.js';
import type { Store } from '../store/store.js';

/** The call trees of two selections laid over each other. @throws PilotlightError `malformed_query` when they are of two profile types */
export async function selectDiff(store: Store, left: Selection, right: Selection): Promise<DiffTree> {
  if (left.profileType !== right.profileType) {
    throw new PilotlightError(
      'malformed_query',
      `the sides are of two profile types, ${left.profileType} and ${right.profileType}; nothing of them compares`,
    );
  }
  const trees = await Promise.all([selectCallTree(store, left), selectCallTree(store, right)]);
  return diffCallTrees(...(trees as [CallTree, CallTree]));
}
