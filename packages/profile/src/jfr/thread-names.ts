import { cutToBytes } from '../name-limit.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import type { JfrDetailTexts } from './detail-rows.js';
import { FieldReader } from './fields.js';
import type { LetterBudget } from './letter-budget.js';
import type { Cursor } from './wire.js';

const UNREAD = -1;
const OS_NAME = 0;
const JAVA_NAME = 1;

/** Names of the threads of one chunk: Java's where a thread has one, else the system's. */
export class ThreadNames {
  private readonly pool: ConstantPool | undefined;
  private readonly reader: FieldReader | undefined;
  private readonly names: Int32Array;

  constructor(
    private readonly cursor: Cursor,
    private readonly pools: ConstantPools,
    private readonly texts: JfrDetailTexts,
    private readonly budget: LetterBudget,
    private readonly bytesMax: number,
  ) {
    this.pool = pools.named('java.lang.Thread');
    this.reader = this.pool && new FieldReader(this.pool.type, ['osName', 'javaName']);
    this.names = new Int32Array(this.pool?.length ?? 0).fill(UNREAD);
  }

  /** Index of the text of a thread's name; 0 for a thread that is not in the pool. Moves the cursor at its first sight. */
  of(low: number, high: number): number {
    const index = this.pool === undefined ? -1 : this.pool.keys.find(low, high);
    if (index < 0) return 0;
    let name = this.names[index] as number;
    if (name === UNREAD) {
      name = this.read(index);
      this.names[index] = name;
    }
    return name;
  }

  private read(index: number): number {
    const { cursor } = this;
    const reader = this.reader as FieldReader;
    cursor.position = (this.pool as ConstantPool).offset(index);
    cursor.end = cursor.bytes.length;
    reader.read(cursor, this.pools.text);
    const name = cutToBytes((reader.texts[JAVA_NAME] || reader.texts[OS_NAME]) as string, this.bytesMax);
    this.budget.take(name.length);
    return this.texts.string(name);
  }
}
