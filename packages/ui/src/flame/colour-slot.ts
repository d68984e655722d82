import { textId } from '@pilotlight/profile';
import { type FunctionName, parseFunctionName } from '../names/function-name.js';

/** A hue for each family of packages, a shade for each package in it. */
export const HUES = 18;
export const SHADES = 3;
export const SLOTS = HUES * SHADES;

/** Domains turned round, `org.apache.cassandra`: two parts name nobody yet. */
const REVERSED_DOMAINS = new Set(['org', 'com', 'net', 'io', 'de', 'edu', 'dev']);

/**
 * The colour slot of a function: a pure hash of its package, so that it is the same in every session, in the graph and in the table.
 * A function without a package is hashed by itself.
 */
export function colourSlot(name: string): number {
  const parsed = parseFunctionName(name);
  if (parsed.package === '') return textId(parsed.method) % SLOTS;
  return (textId(family(parsed)) % HUES) * SHADES + (textId(parsed.package) % SHADES);
}

/** What belongs together: the project, where the package tells. */
function family({ language, package: pack }: FunctionName): string {
  switch (language) {
    case 'jvm': {
      const parts = pack.split('.');
      return parts.slice(0, REVERSED_DOMAINS.has(parts[0] as string) ? 3 : 2).join('.');
    }
    case 'go': {
      const parts = pack.split('/');
      return parts.slice(0, (parts[0] as string).includes('.') ? 3 : 1).join('/');
    }
    case 'native':
      return pack.split('::')[0] as string;
    default:
      return pack;
  }
}
