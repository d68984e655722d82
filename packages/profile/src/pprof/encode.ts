import { FRAME_KINDS, NO_PARENT, type Profile, type ValueType } from '../model.js';
import { PairIndex } from '../pair-index.js';
import { FUNCTION, LABEL, LINE, LOCATION, PROFILE, SAMPLE, VALUE_TYPE } from './fields.js';
import { WireWriter } from './wire-writer.js';

const INLINED = FRAME_KINDS.indexOf('inlined');

/**
 * Writes a profile as pprof (google/pprof `profile.proto`), not compressed. Only what the samples use is written, so a stack table
 * shared by several profiles is no burden. Inlined frames share a location with their caller, which is how pprof
 * tells them; other frame kinds have no place in the format. Equal profiles give equal bytes.
 */
export function writePprof(profile: Profile): Uint8Array {
  return new PprofWriter(profile).write();
}

class PprofWriter {
  private readonly profile: Profile;
  private readonly out = new WireWriter(16_384);
  private readonly message = new WireWriter();
  private readonly inner = new WireWriter();
  private readonly strings: string[] = [];
  private readonly stringIndex = new Map<string, number>();
  /** By string of the profile: its index here, −1 before its first use. */
  private readonly known: Int32Array;
  /** A location is a frame inlined into a location, or called: (location or NO_PARENT, frame). Its id is its index + 1. */
  private readonly locations = new PairIndex();
  /** By node: its location, −1 before its first use. */
  private readonly locationOf: Int32Array;

  constructor(profile: Profile) {
    this.profile = profile;
    this.known = new Int32Array(profile.stacks.strings.length).fill(-1);
    this.locationOf = new Int32Array(profile.stacks.nodes.length).fill(-1);
    this.string('');
  }

  write(): Uint8Array {
    const { profile, out } = this;
    for (const type of profile.sampleTypes) this.valueType(PROFILE.sampleType, type);
    for (let i = 0; i < profile.samples.length; i++) this.sample(i);
    this.locationsAndFunctions();
    if (profile.periodType !== undefined) this.valueType(PROFILE.periodType, profile.periodType);
    for (const text of this.strings) out.text(PROFILE.stringTable, text);
    if (profile.timeNanos !== 0n) out.fieldExact(PROFILE.timeNanos, profile.timeNanos);
    if (profile.durationNanos !== 0) out.field(PROFILE.durationNanos, profile.durationNanos);
    if (profile.period !== 0) out.field(PROFILE.period, profile.period);
    return out.finish();
  }

  private valueType(field: number, type: ValueType): void {
    const { message } = this;
    message.clear();
    message.field(VALUE_TYPE.type, this.string(type.type));
    message.field(VALUE_TYPE.unit, this.string(type.unit));
    this.out.message(field, message);
  }

  private sample(index: number): void {
    const { message, inner } = this;
    const { samples, labelSets, stacks } = this.profile;
    message.clear();
    inner.clear();
    for (let node = samples.node[index] as number; node !== NO_PARENT; ) {
      inner.varint(this.location(node) + 1);
      // The location also tells the frames this one was inlined into.
      while (this.isInlined(node)) node = stacks.nodes.parent[node] as number;
      node = stacks.nodes.parent[node] as number;
    }
    message.message(SAMPLE.locationId, inner);
    inner.clear();
    for (const column of samples.values) inner.varint(column[index] as number);
    message.message(SAMPLE.value, inner);
    for (const label of labelSets[samples.labelSet[index] as number] ?? []) {
      inner.clear();
      inner.field(LABEL.key, this.string(label.name));
      inner.field(LABEL.text, this.string(label.value));
      message.message(SAMPLE.label, inner);
    }
    this.out.message(PROFILE.sample, message);
  }

  /** The location of a node. Frames inlined into each other may be many, so their chain is walked, not recursed into. */
  private location(node: number): number {
    const { parent, frame } = this.profile.stacks.nodes;
    const known = this.locationOf[node] as number;
    if (known !== -1) return known;
    if (!this.isInlined(node)) {
      const location = this.locations.indexOf(NO_PARENT, frame[node] as number);
      this.locationOf[node] = location;
      return location;
    }
    const chain = [node];
    for (let at = node; this.isInlined(at); ) {
      at = parent[at] as number;
      chain.push(at);
    }
    let location = NO_PARENT;
    for (let i = chain.length - 1; i >= 0; i--) {
      const at = chain[i] as number;
      location = this.locations.indexOf(location, frame[at] as number);
      this.locationOf[at] = location;
    }
    return location;
  }

  private isInlined(node: number): boolean {
    const { frames, nodes } = this.profile.stacks;
    return frames.kind[nodes.frame[node] as number] === INLINED && nodes.parent[node] !== NO_PARENT;
  }

  private locationsAndFunctions(): void {
    const { out, message, inner, locations } = this;
    const { frames } = this.profile.stacks;
    const functionOf = new Int32Array(frames.length).fill(-1);
    const functionId = new Map<string, number>();
    // The first frame of each function, by id − 1.
    const functions: number[] = [];
    for (let i = 0; i < locations.length; i++) {
      message.clear();
      message.field(LOCATION.id, i + 1);
      for (let at = i; at !== NO_PARENT; at = locations.first[at] as number) {
        const frame = locations.second[at] as number;
        if (functionOf[frame] === -1) {
          const key = `${frames.name[frame]} ${frames.systemName[frame]} ${frames.file[frame]} ${frames.startLine[frame]}`;
          let id = functionId.get(key);
          if (id === undefined) {
            id = functions.push(frame);
            functionId.set(key, id);
          }
          functionOf[frame] = id;
        }
        inner.clear();
        inner.field(LINE.functionId, functionOf[frame] as number);
        const line = frames.line[frame] as number;
        if (line !== 0) inner.field(LINE.line, line);
        message.message(LOCATION.line, inner);
      }
      out.message(PROFILE.location, message);
    }
    functions.forEach((frame, index) => {
      message.clear();
      message.field(FUNCTION.id, index + 1);
      const name = this.interned(frames.name[frame] as number);
      const systemName = frames.systemName[frame] as number;
      message.field(FUNCTION.name, name);
      message.field(FUNCTION.systemName, systemName === 0 ? name : this.interned(systemName));
      message.field(FUNCTION.filename, this.interned(frames.file[frame] as number));
      const startLine = frames.startLine[frame] as number;
      if (startLine !== 0) message.field(FUNCTION.startLine, startLine);
      out.message(PROFILE.function, message);
    });
  }

  private string(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  private interned(string: number): number {
    if (this.known[string] === -1) this.known[string] = this.string(this.profile.stacks.strings[string] as string);
    return this.known[string] as number;
  }
}
