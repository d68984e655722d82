/**
 * Names of frames that no program has: they stand in the place of something the input lacks. Their kind is `marker` in
 * the model; formats without kinds keep them apart by the brackets.
 */

/** The one frame of a sample without a stack trace. */
export const NO_STACK_NAME = '[no stack]';

/** The leaf of a stack trace that was deeper than the limit. */
export const STACK_CUT_NAME = '[deeper frames cut]';
