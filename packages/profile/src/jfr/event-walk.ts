import type { PilotlightError } from '../errors.js';
import type { Chunk } from './chunk.js';
import { type Cursor, malformed } from './wire.js';

/**
 * Calls `visit` for each event of a chunk, with the cursor at the event's first field and its end at the event's end.
 *
 * Events are found by their sizes alone, so one whose content is not understood costs nothing but itself. Once a size
 * is wrong no later event can be found: the walk ends and says where.
 */
export function walkEvents(
  cursor: Cursor,
  chunk: Chunk,
  visit: (type: number, start: number) => void,
): PilotlightError | undefined {
  let start = chunk.events;
  while (start < chunk.end) {
    cursor.position = start;
    cursor.end = chunk.end;
    let size: number;
    let type: number;
    try {
      size = cursor.varint();
      type = cursor.varint();
    } catch (cause) {
      return cause as PilotlightError;
    }
    const head = cursor.position - start;
    if (size < head || size > chunk.end - start) {
      return malformed(start, `expected an event of ${head} to ${chunk.end - start} bytes, found size ${size}`);
    }
    cursor.end = start + size;
    visit(type, start);
    start += size;
  }
  return undefined;
}
