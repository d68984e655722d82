import { NO_PARENT, type Profile } from './model.js';

/** How many frames the stacks of all samples have together: what a format has to write that writes each stack out. */
export function stackFrameCount({ stacks: { nodes }, samples }: Profile): number {
  const depth = new Int32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const above = nodes.parent[i] as number;
    depth[i] = above === NO_PARENT ? 1 : (depth[above] as number) + 1;
  }
  let count = 0;
  for (let i = 0; i < samples.length; i++) count += depth[samples.node[i] as number] as number;
  return count;
}
