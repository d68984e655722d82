import { PilotlightError } from '@pilotlight/profile';
import type { ProfileTypeInfo } from '@pilotlight/protocol';

/**
 * The profile type somebody means by `wanted`: its whole id, or as much of it as is not ambiguous: `cpu`, `process_cpu`,
 * `memory:alloc_space`. Without a wish, the CPU time, or the only one there is.
 *
 * @throws PilotlightError `unknown_profile_type`, naming those there are.
 */
export function chooseProfileType(types: readonly ProfileTypeInfo[], wanted: string | undefined): string {
  const ids = [...new Set(types.map((type) => type.id))].sort();
  if (ids.length === 0) throw new PilotlightError('not_found', 'there is no profile in this time range');
  const found =
    wanted === undefined
      ? types.filter((type) => ids.length === 1 || (type.name === 'process_cpu' && type.sampleType === 'cpu'))
      : types.filter(
          (type) =>
            type.id === wanted || [type.name, type.sampleType, `${type.name}:${type.sampleType}`].includes(wanted),
        );
  const [id, ...others] = [...new Set(found.map((type) => type.id))];
  if (id !== undefined && others.length === 0) return id;
  const problem =
    wanted === undefined ? 'say which one' : id === undefined ? `none is "${wanted}"` : `several are "${wanted}"`;
  throw new PilotlightError('unknown_profile_type', `profile type: ${problem}; there are ${ids.join(', ')}`);
}
