import { PilotlightError } from '@pilotlight/profile';

/**
 * The profile type somebody means by `wanted`: its whole id, or as much of it as is not ambiguous: `cpu`, `process_cpu`,
 * `memory:alloc_space`. Without a wish, the CPU time, or the only one there is.
 *
 * @param ids Those there are, `name:type:unit:periodType:periodUnit`.
 * @throws PilotlightError `unknown_profile_type`, naming those there are.
 */
export function chooseProfileType(ids: readonly string[], wanted: string | undefined): string {
  const [only, ...more] = ids;
  if (wanted === undefined && only !== undefined && more.length === 0) return only;
  const [id, ...others] = ids.filter((one) => namesOf(one).includes(wanted ?? 'process_cpu:cpu'));
  if (id !== undefined && others.length === 0) return id;
  const problem =
    wanted === undefined ? 'say which one' : id === undefined ? `none is "${wanted}"` : `several are "${wanted}"`;
  throw new PilotlightError(
    'unknown_profile_type',
    `profile type: ${problem}; there are ${[...ids].sort().join(', ')}`,
  );
}

function namesOf(id: string): string[] {
  const [name = '', type = ''] = id.split(':');
  return [id, name, type, `${name}:${type}`];
}
