import type { Selection } from '../store/select.js';

const PART_LETTERS_MAX = 60;

/** The service a selection names by an equality; empty when it names none, or leaves it open. */
export function serviceOf({ matchers }: Selection): string {
  return matchers.find(({ name, operator }) => name === 'service_name' && operator === '=')?.value ?? '';
}

/**
 * A file name from what comes from outside, such as `shop-process_cpu-cpu-20261130T181500Z.svg`: letters, digits, `_` and `-` alone, so that nothing in
 * it is a path, a hidden file, an end of the header it goes into, or a surprise.
 */
export function fileName(selection: Selection, extension: string): string {
  const [name = '', type = ''] = selection.profileType.split(':');
  const time = new Date(selection.startMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const parts = [serviceOf(selection), name, type, time]
    .map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, PART_LETTERS_MAX))
    .filter((part, index, all) => part !== '' && part !== all[index - 1]);
  return `${parts.join('-')}.${extension}`;
}
