/** The name of the root of a call tree. A file of its own, so that the page's first load has it without all that makes trees. */
export const ROOT_NAME = 'total';
