import { callTree } from '../call-tree.js';
import type { Profile } from '../model.js';
import { escapeName } from './escape.js';

/**
 * Writes one value of a profile as collapsed stacks, a line `root;…;leaf count` for each distinct stack of function names, in
 * name order. Files, lines, kinds and labels have no place in the format. Names that would break a line are escaped, see
 * `escape.ts`, so that reading gives the same names back.
 */
export function writeCollapsed(profile: Profile, valueIndex: number): string {
  const tree = callTree(profile, valueIndex);
  const lines: string[] = [];
  const written = tree.names.map((name) => escapeName(name, false));
  // The stack of the current node, by depth, as text.
  const stacks: string[] = [''];
  for (let i = 1; i < tree.length; i++) {
    const depth = tree.depth[i] as number;
    const name = tree.name[i] as number;
    const stack = depth === 1 ? escapeName(tree.names[name] as string, true) : `${stacks[depth - 1]};${written[name]}`;
    stacks[depth] = stack;
    if (tree.self[i] !== 0) lines.push(`${stack} ${tree.self[i]}\n`);
  }
  return lines.join('');
}
