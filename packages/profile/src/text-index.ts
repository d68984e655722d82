import { textId } from './node-id.js';

const FIRST_FACTOR = (Math.random() * 0x1_0000_0000) | 1;
const SECOND_FACTOR = (Math.random() * 0x1_0000_0000) | 1;

/**
 * Distinct texts → running indexes, the empty text first. They are found by their ids, which whoever stores the stacks needs
 * anyway: a text is hashed once, and a reader that has its bytes never needs the engine to hash it.
 */
export class TextIndex {
  readonly texts: string[] = [];
  private ids: Float64Array;
  private slots: Int32Array;
  /** Texts whose id another text has. By accident there is none; made on purpose, they must not be walked along one by one. */
  private readonly twins = new Map<string, number>();

  /** `capacity`, a power of two, is how many texts fit before the first growth. */
  constructor(capacity = 256) {
    this.ids = new Float64Array(capacity);
    this.slots = new Int32Array(capacity * 2).fill(-1);
    this.put('', textId(''));
  }

  /** The index of a text; `id` is its `textId`. */
  put(text: string, id: number): number {
    const { ids, slots } = this;
    const mask = slots.length - 1;
    let slot = slotHash(id) & mask;
    for (;;) {
      const index = slots[slot] as number;
      if (index < 0) break;
      if (ids[index] === id) return this.texts[index] === text ? index : this.twin(text, id);
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.texts.length;
    return this.append(text, id);
  }

  /** The ids of the texts, by index. */
  finishIds(): Float64Array {
    return this.ids.slice(0, this.texts.length);
  }

  private twin(text: string, id: number): number {
    let index = this.twins.get(text);
    if (index === undefined) {
      index = this.append(text, id);
      this.twins.set(text, index);
    }
    return index;
  }

  private append(text: string, id: number): number {
    const index = this.texts.push(text) - 1;
    this.ids[index] = id;
    if (this.texts.length === this.ids.length) this.grow();
    return index;
  }

  private grow(): void {
    const ids = new Float64Array(this.ids.length * 2);
    ids.set(this.ids);
    const slots = new Int32Array(ids.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (const old of this.slots) {
      if (old < 0) continue;
      let slot = slotHash(ids[old] as number) & mask;
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      slots[slot] = old;
    }
    this.ids = ids;
    this.slots = slots;
  }
}

/** Other slots in each process, so that ids that were made to share one share it nowhere else. */
function slotHash(id: number): number {
  const hash = Math.imul((id | 0) ^ Math.imul((id / 0x1_0000_0000) | 0, FIRST_FACTOR), SECOND_FACTOR);
  return hash ^ (hash >>> 15);
}
