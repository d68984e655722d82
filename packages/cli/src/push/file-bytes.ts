import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PilotlightError } from '@pilotlight/profile';
import { fileFault } from '../failure.js';

/** The bytes of a file from its beginning on, inflated where it is gzipped; never more in memory than was asked for. */
export class FileBytes {
  private readonly parts: AsyncIterator<Buffer>;
  /** Read, and not taken yet. */
  private ahead: Uint8Array[] = [];

  private constructor(
    private readonly file: ReadStream,
    stream: AsyncIterable<Buffer>,
  ) {
    this.parts = stream[Symbol.asyncIterator]();
  }

  /**
   * @param onRead Is told how many bytes of the file were read, as they are.
   * @throws Error that says in words why the file cannot be read.
   */
  static async open(path: string, onRead: (bytes: number) => void = () => {}): Promise<FileBytes> {
    const file = await inWords(async () => {
      const handle = await open(path);
      const isFolder = (await handle.stat()).isDirectory();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      await handle.close();
      if (isFolder) throw Object.assign(new Error(), { code: 'EISDIR' });
      return { isPacked: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b };
    });
    const stream = createReadStream(path, { highWaterMark: 1_048_576 });
    if (!file.isPacked) return new FileBytes(stream, counted(stream, onRead));
    const gunzip = createGunzip({ chunkSize: 1_048_576 });
    // A file that cannot be read to its end must not look like one that ends early.
    pipeline(counted(stream, onRead), gunzip, () => {});
    return new FileBytes(stream, gunzip);
  }

  /** The next bytes, at most so many; fewer only at the end. They stay in place for the next call. */
  async peek(bytesMax: number): Promise<Uint8Array> {
    await this.readAhead(bytesMax);
    return Buffer.concat(this.ahead, Math.min(this.aheadBytes(), bytesMax));
  }

  /** Whether there are more bytes than so many. */
  async hasMoreThan(bytes: number): Promise<boolean> {
    await this.readAhead(bytes + 1);
    return this.aheadBytes() > bytes;
  }

  /** The next bytes in a buffer of their own; fewer only at the end. */
  async take(bytesMax: number): Promise<Uint8Array> {
    const taken = new Uint8Array(bytesMax);
    return taken.subarray(0, await this.move(bytesMax, (part, at) => taken.set(part, at)));
  }

  /** Passes over bytes; returns how many there were. */
  async skip(bytes: number): Promise<number> {
    return this.move(bytes, () => {});
  }

  close(): void {
    this.file.destroy();
  }

  private async move(bytesMax: number, to: (part: Uint8Array, at: number) => void): Promise<number> {
    let at = 0;
    while (at < bytesMax) {
      const part = await this.next();
      if (part === undefined) break;
      const left = bytesMax - at;
      if (part.length > left) this.ahead.unshift(part.subarray(left));
      const wanted = part.subarray(0, left);
      to(wanted, at);
      at += wanted.length;
    }
    return at;
  }

  private async readAhead(bytes: number): Promise<void> {
    while (this.aheadBytes() < bytes) {
      const part = await this.read();
      if (part === undefined) return;
      this.ahead.push(part);
    }
  }

  private aheadBytes(): number {
    return this.ahead.reduce((sum, part) => sum + part.length, 0);
  }

  private async next(): Promise<Uint8Array | undefined> {
    return this.ahead.shift() ?? (await this.read());
  }

  private async read(): Promise<Uint8Array | undefined> {
    const { value, done } = await inWords(() => this.parts.next());
    return done === true ? undefined : value;
  }
}

async function* counted(stream: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const part of stream) {
    onRead(part.length);
    yield part;
  }
}

/** @throws Error with a sentence in place of a number of the system, PilotlightError for a damaged gzip. */
async function inWords<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') === true)
      throw new PilotlightError('malformed_profile', `gzip: ${message}`, { cause: thrown });
    throw new Error(fileFault(thrown) ?? message);
  }
}
