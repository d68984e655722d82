import { after } from 'node:test';

/**
 * Owns what all tests of a file share: an `after` called within a `before` would end it when that hook is over. Call it at the top of the file.
 *
 * @returns {{ after: (end: () => unknown) => void }}
 */
export function fileScope() {
  const ends = [];
  after(async () => {
    for (const end of ends) await end();
  });
  return { after: (end) => ends.push(end) };
}
