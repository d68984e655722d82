import { PilotlightError } from '@pilotlight/profile';
import type { Engine } from './engine.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE } from './schema.js';
import { ServiceStacks } from './service-stacks.js';
import type { SnapshotFolder } from './snapshot.js';

export interface StackCacheOptions {
  readonly engine: Engine;
  readonly snapshots: SnapshotFolder;
  /** Nodes of all services together that are kept; the service unused for longest goes first. */
  readonly nodesMax: number;
  /** The newest batch of stacks in the engine at the start. */
  readonly startBatch: number;
}

/** The stacks of the services in use, loaded once each: from a snapshot, and from the engine what came after it. */
export class StackCache {
  /** In order of use, the latest last. */
  private readonly loaded = new Map<string, { stacks: Promise<ServiceStacks>; nodes: number; saved: number }>();

  /** Services that were loaded before: of these the engine may have got more since the start. */
  private readonly seen = new Set<string>();

  constructor(private readonly options: StackCacheOptions) {}

  get services(): number {
    return this.loaded.size;
  }

  async of(tenant: string, service: string): Promise<ServiceStacks> {
    const key = JSON.stringify([tenant, service]);
    let entry = this.loaded.get(key);
    if (entry === undefined) {
      entry = { stacks: this.load(tenant, service, key), nodes: 0, saved: 0 };
      this.loaded.set(key, entry);
    } else {
      this.loaded.delete(key);
      this.loaded.set(key, entry);
    }
    try {
      const stacks = await entry.stacks;
      entry.nodes = stacks.nodes.length;
      return stacks;
    } catch (thrown) {
      // A failed load must not be remembered as the service's stacks.
      if (this.loaded.get(key) === entry) this.loaded.delete(key);
      throw thrown;
    }
  }

  /**
   * Drops services until the rest is below the limit. Only to be called when no drain and no query holds rows of them; both ask anew each time, so
   * the drainer calls it between two batches.
   */
  shrink(): void {
    let nodes = 0;
    for (const entry of this.loaded.values()) nodes += entry.nodes;
    for (const [key, entry] of this.loaded) {
      if (nodes <= this.options.nodesMax || this.loaded.size <= 1) return;
      this.loaded.delete(key);
      nodes -= entry.nodes;
    }
  }

  /** Forgets the services that have no series left, their snapshots too. */
  keepOnly(services: readonly { readonly tenant: string; readonly service: string }[]): void {
    const kept = new Set(services.map(({ tenant, service }) => JSON.stringify([tenant, service])));
    for (const key of this.loaded.keys()) if (!kept.has(key)) this.loaded.delete(key);
    for (const key of this.seen) if (!kept.has(key)) this.seen.delete(key);
    this.options.snapshots.prune(services);
  }

  /** Writes snapshots of what has grown. To be called when everything in memory is in the engine too. */
  async save(batch: number): Promise<void> {
    for (const [key, entry] of this.loaded) {
      const stacks = await entry.stacks;
      if (stacks.changes === entry.saved) continue;
      const [tenant, service] = JSON.parse(key) as [string, string];
      await this.options.snapshots.write(tenant, service, stacks, batch);
      entry.saved = stacks.changes;
    }
  }

  private async load(tenant: string, service: string, key: string): Promise<ServiceStacks> {
    const first = !this.seen.has(key);
    this.seen.add(key);
    const snapshot = this.options.snapshots.read(tenant, service);
    // Nothing of a service goes into the engine before the service is loaded, so there is nothing newer to be asked for.
    if (first && snapshot !== undefined && snapshot.batch >= this.options.startBatch) return snapshot.stacks;
    const stacks = snapshot?.stacks ?? new ServiceStacks();
    const since = snapshot?.batch ?? -1;
    await this.loadFrames(stacks, tenant, service, since);
    await this.loadNodes(stacks, tenant, service, since);
    return stacks;
  }

  private async loadFrames(stacks: ServiceStacks, tenant: string, service: string, since: number): Promise<void> {
    const answer = await this.options.engine.query(
      `SELECT frame_id, name, system_name, file, start_line, line, kind, week FROM ${DATABASE}.frames
       WHERE tenant = {tenant:String} AND service = {service:String} AND toInt64(batch) > {since:Int64}`,
      { tenant, service, since },
    );
    const rows = new RowBinaryReader(answer);
    while (rows.more) {
      const id = rows.int64();
      const name = rows.string();
      const systemName = rows.string();
      const file = rows.string();
      const startLine = rows.uint32();
      const line = rows.uint32();
      const kind = rows.uint8();
      const week = rows.uint16();
      const known = stacks.frames.find(id);
      if (known >= 0) {
        stacks.frameWeek[known] = Math.max(stacks.frameWeek[known] as number, week);
        continue;
      }
      const texts = [name, systemName, file].map((text) => stacks.string(text)) as [number, number, number];
      stacks.addFrame(id, ...texts, startLine, line, kind, week);
    }
  }

  private async loadNodes(stacks: ServiceStacks, tenant: string, service: string, since: number): Promise<void> {
    // The table is in the order of its hashes; by depth, parents come first.
    const answer = await this.options.engine.query(
      `SELECT node_id, parent_id, frame_id, week FROM ${DATABASE}.nodes
       WHERE tenant = {tenant:String} AND service = {service:String} AND toInt64(batch) > {since:Int64}
       ORDER BY depth`,
      { tenant, service, since },
    );
    const rows = new RowBinaryReader(answer);
    while (rows.more) {
      const id = rows.int64();
      const parentId = rows.int64();
      const frameIdentity = rows.int64();
      const week = rows.uint16();
      const known = stacks.nodes.find(id);
      if (known >= 0) {
        stacks.nodeWeek[known] = Math.max(stacks.nodeWeek[known] as number, week);
        continue;
      }
      const parent = parentId === 0 ? -1 : stacks.nodes.find(parentId);
      const frame = stacks.frames.find(frameIdentity);
      if (frame < 0 || (parentId !== 0 && parent < 0)) {
        throw new PilotlightError(
          'internal',
          `the store misses the ${frame < 0 ? 'frame' : 'parent'} of node ${id} of service ${service}`,
        );
      }
      stacks.addNode(id, parent, frame, week);
    }
  }
}
