/**
 * The stacks of a service as a file, so that a restart need not read them from the engine. A snapshot can always be thrown away: damaged,
 * of another store or of another format, it is ignored and the engine is asked.
 *
 * ```
 *  u32 magic "PLS1" | u32 CRC-32 of the rest | u32 header length | header (JSON) | padding to 8 | columns, each padded to 8
 * ```
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ServiceStacks } from './service-stacks.js';

const MAGIC = 0x31534c50;

interface Header {
  readonly storeId: string;
  readonly tenant: string;
  readonly service: string;
  readonly batch: number;
  readonly frames: number;
  readonly nodes: number;
  readonly strings: readonly string[];
}

export class SnapshotFolder {
  constructor(
    private readonly folder: string,
    /** Of the store these stacks belong to: a snapshot of another one says nothing. */
    private readonly storeId: string,
  ) {}

  async write(tenant: string, service: string, stacks: ServiceStacks, batch: number): Promise<void> {
    const frames = stacks.frames.length;
    const nodes = stacks.nodes.length;
    const header: Header = { storeId: this.storeId, tenant, service, batch, frames, nodes, strings: stacks.strings };
    const json = Buffer.from(JSON.stringify(header));
    const columns = [
      stacks.frames.ids.subarray(0, frames),
      stacks.nodes.ids.subarray(0, nodes),
      stacks.frameName.subarray(0, frames),
      stacks.frameSystemName.subarray(0, frames),
      stacks.frameFile.subarray(0, frames),
      stacks.frameStartLine.subarray(0, frames),
      stacks.frameLine.subarray(0, frames),
      stacks.nodeParent.subarray(0, nodes),
      stacks.nodeFrame.subarray(0, nodes),
      stacks.frameWeek.subarray(0, frames),
      stacks.nodeWeek.subarray(0, nodes),
      stacks.frameKind.subarray(0, frames),
    ];
    let size = align(12 + json.length);
    for (const column of columns) size = align(size + column.byteLength);
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32LE(MAGIC, 0);
    bytes.writeUInt32LE(json.length, 8);
    json.copy(bytes, 12);
    let at = align(12 + json.length);
    for (const column of columns) {
      bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
      at = align(at + column.byteLength);
    }
    bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
    const path = this.path(tenant, service);
    mkdirSync(this.folder, { recursive: true });
    // No fsync: a file cut short fails its checksum and is ignored.
    await writeFile(`${path}.new`, bytes);
    await rename(`${path}.new`, path);
  }

  /** Removes the snapshots of all services but these. */
  prune(services: readonly { readonly tenant: string; readonly service: string }[]): void {
    const kept = new Set<string>();
    for (const { tenant, service } of services) kept.add(this.path(tenant, service));
    // Whoever frees disk space may have thrown the whole folder away.
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : []) {
      const path = join(this.folder, name);
      if (!kept.has(path) && !kept.has(path.replace(/\.new$/, ''))) rmSync(path, { force: true });
    }
  }

  read(tenant: string, service: string): { stacks: ServiceStacks; batch: number } | undefined {
    let file: Buffer;
    try {
      file = readFileSync(this.path(tenant, service));
    } catch {
      // Absent, or not to be read: the engine has everything.
      return undefined;
    }
    if (file.length < 12 || file.readUInt32LE(0) !== MAGIC || crc32(file.subarray(8)) !== file.readUInt32LE(4)) {
      return undefined;
    }
    const bytes = file.byteOffset % 8 === 0 ? file : new Uint8Array(file);
    const headerLength = file.readUInt32LE(8);
    const header = JSON.parse(file.subarray(12, 12 + headerLength).toString()) as Header;
    if (header.storeId !== this.storeId || header.tenant !== tenant || header.service !== service) return undefined;
    let at = align(12 + headerLength);
    const column = <T extends { byteLength: number }>(
      type: new (b: ArrayBufferLike, o: number, n: number) => T,
      n: number,
    ): T => {
      const out = new type(bytes.buffer, bytes.byteOffset + at, n);
      at = align(at + out.byteLength);
      return out;
    };
    const { frames, nodes, strings } = header;
    // In the order of the file: object literals are evaluated from first to last.
    const stacks = ServiceStacks.from({
      strings,
      frameId: column(Float64Array, frames),
      nodeId: column(Float64Array, nodes),
      frameName: column(Int32Array, frames),
      frameSystemName: column(Int32Array, frames),
      frameFile: column(Int32Array, frames),
      frameStartLine: column(Int32Array, frames),
      frameLine: column(Int32Array, frames),
      nodeParent: column(Int32Array, nodes),
      nodeFrame: column(Int32Array, nodes),
      frameWeek: column(Uint16Array, frames),
      nodeWeek: column(Uint16Array, nodes),
      frameKind: column(Uint8Array, frames),
    });
    return { stacks, batch: header.batch };
  }

  /** Names are data, never file names. */
  private path(tenant: string, service: string): string {
    const name = createHash('sha256')
      .update(JSON.stringify([tenant, service]))
      .digest('hex');
    return join(this.folder, `${name.slice(0, 32)}.stacks`);
  }
}

function align(size: number): number {
  return (size + 7) & ~7;
}
