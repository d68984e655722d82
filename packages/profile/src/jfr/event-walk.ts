import type { PilotlightError } from '../errors.js';
import type { Chunk } from './chunk.js';
import { type Cursor, malformed } from './wire.js';

const UNREAD = -1;

/**
 * Goes from event to event of a chunk, with the cursor at the event's first field and its end at the event's end.
 *
 * Events are found by their sizes alone, so one whose content is not understood costs nothing but itself. Once a size
 * is wrong no later event can be found: the walk ends and `fault` says where.
 */
export class EventWalk {
  /** Id of the event's type. */
  type = 0;
  /** Offset into the file. */
  start = 0;
  fault: PilotlightError | undefined;
  private following: number;
  private readonly end: number;

  constructor(
    private readonly cursor: Cursor,
    chunk: Chunk,
  ) {
    this.following = chunk.events;
    this.end = chunk.end;
  }

  /** False when there is no further event. */
  next(): boolean {
    const { cursor, end, following: start } = this;
    if (start >= end) return false;
    const { bytes } = cursor;
    // Nearly all sizes have one byte and types one or two.
    if (start + 3 <= end && (bytes[start] as number) < 0x80) {
      let position = start + 2;
      let type = bytes[start + 1] as number;
      if (type >= 0x80) {
        const second = bytes[position++] as number;
        type = second < 0x80 ? (type & 0x7f) | (second << 7) : UNREAD;
      }
      const following = start + (bytes[start] as number);
      if (type !== UNREAD && following >= position && following <= end) {
        this.type = type;
        this.start = start;
        this.following = following;
        cursor.position = position;
        cursor.end = following;
        return true;
      }
    }
    return this.nextOfAnySize();
  }

  private nextOfAnySize(): boolean {
    const { cursor, end, following: start } = this;
    cursor.position = start;
    cursor.end = end;
    let size: number;
    try {
      size = cursor.varint();
      this.type = cursor.varint();
    } catch (cause) {
      return this.stop(cause as PilotlightError);
    }
    const head = cursor.position - start;
    if (size < head || size > end - start) {
      return this.stop(malformed(start, `expected an event of ${head} to ${end - start} bytes, found size ${size}`));
    }
    this.start = start;
    this.following = start + size;
    cursor.end = start + size;
    return true;
  }

  private stop(fault: PilotlightError): false {
    this.fault = fault;
    this.following = this.end;
    return false;
  }
}
