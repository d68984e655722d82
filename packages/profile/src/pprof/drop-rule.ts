import type { RefusalTally } from '../refusal-tally.js';
import type { FunctionTable } from './functions.js';
import { MATCH_STEPS_MAX, NamePattern } from './name-pattern.js';
import type { StringTable } from './strings.js';

/**
 * Which functions `drop_frames` takes away: 1 by row of the function table where its pattern matches and that of
 * `keep_frames` does not. Undefined when the profile has no pattern, or one that is not supported: then nothing is dropped,
 * and that is counted.
 */
export function droppedFunctions(
  patterns: { readonly dropFrames: number; readonly keepFrames: number },
  functions: FunctionTable,
  strings: StringTable,
  tally: RefusalTally,
): Uint8Array | undefined {
  const { dropFrames, keepFrames } = patterns;
  if (dropFrames === 0) return undefined;
  const refuse = (why: string): undefined => {
    tally.add('drop_frames', () => `drop_frames is not applied: ${why}`);
    return undefined;
  };
  if (!strings.has(dropFrames) || !strings.has(keepFrames)) return refuse('it names a missing string');
  const drop = NamePattern.parse(strings.text(dropFrames));
  const keep = keepFrames === 0 ? undefined : NamePattern.parse(strings.text(keepFrames));
  if (drop === undefined || (keepFrames !== 0 && keep === undefined)) return refuse('its pattern is not supported');

  const budget = { steps: MATCH_STEPS_MAX };
  // Functions share names, and the name decides.
  const byName = new Int8Array(strings.length).fill(-1);
  const dropped = new Uint8Array(functions.length);
  for (let row = 0; row < functions.length; row++) {
    const name = functions.name[row] as number;
    if (!strings.has(name)) continue;
    if (byName[name] === -1) {
      const text = strings.text(name);
      // A function without a name is nobody's to drop.
      const isDropped = text !== '' && drop.matches(text, budget) && !(keep?.matches(text, budget) ?? false);
      byName[name] = isDropped ? 1 : 0;
    }
    dropped[row] = byName[name] as number;
  }
  return budget.steps < 0 ? refuse('matching it takes too long') : dropped;
}
