import { type CallTree, flameLayout, type TopTable, topTable } from '@pilotlight/profile';
import type { PilotlightClient, Selection } from '@pilotlight/protocol';
import { colourSlot } from '../flame/colour-slot.js';
import type { FlameData } from '../flame/flame-data.js';
import { subtreeEnds } from '../flame/subtree.js';
import { Labels } from '../names/label.js';
import { profileTypeText } from '../values/profile-type.js';
import { loadMean, type Snapshots, snapshotsOf } from './snapshots.js';

/** One merged profile with everything the page derives from it once. */
export interface ProfileData extends FlameData {
  readonly snapshots: Snapshots;
  /** What shares are shares of: `total`, or a part of it. */
  readonly whole: string;
  /** Its values are those of the server, sums of all snapshots: divided by `snapshots.divisor` they are what is shown. */
  readonly tree: CallTree;
  /** Colour slot by name index. */
  readonly slots: Uint8Array;
  readonly table: TopTable;
}

export interface CutFrames {
  /** Index of its name; −1: nothing was cut. */
  readonly name: number;
  readonly value: number;
}

/**
 * Nodes asked for; what is over comes summed up. So many are half a megabyte (a quarter gzipped) and ten milliseconds here. At the usual 16,384 a large
 * Java program loses 40 % of its time to "other", in the graph, in the table and in every search.
 */
export const NODES_MAX = 131_072;
/** What the server calls what it cut. */
const CUT_NAME = 'other';

export async function loadProfile(
  client: PilotlightClient,
  selection: Selection,
  abort: AbortSignal,
): Promise<ProfileData> {
  const isLevel = profileTypeText(selection.profileType).over === 'nothing';
  const [tree, mean] = await Promise.all([
    client.flameGraph(selection, NODES_MAX, abort),
    isLevel ? loadMean(client, selection, abort) : undefined,
  ]);
  return profileData(tree, selection.profileType, mean);
}

/** `mean` is that of the snapshots of a level. */
export function profileData(tree: CallTree, profileType: string, mean?: number): ProfileData {
  const type = profileTypeText(profileType);
  const snapshots = snapshotsOf(type, tree.total[0] as number, mean);
  return { type, snapshots, whole: 'total', ...partsOf(tree, cutFrames(tree)) };
}

/** A tree made of that of a profile, its values of the same kind. `whole` completes the sentence "30 % of …". */
export function derivedData({ type, snapshots, cut }: ProfileData, tree: CallTree, whole: string): ProfileData {
  return {
    type,
    snapshots,
    whole,
    ...partsOf(tree, cutFrames(tree, cut.name === -1 ? -1 : tree.names.indexOf(CUT_NAME, 1))),
  };
}

function partsOf(tree: CallTree, cut: CutFrames): Omit<ProfileData, 'type' | 'snapshots' | 'whole'> {
  return {
    tree,
    ends: subtreeEnds(tree),
    layout: flameLayout(tree),
    labels: new Labels(tree.names),
    slots: Uint8Array.from(tree.names, colourSlot),
    table: topTable(tree),
    cut,
  };
}

/** A tree smaller than what was asked for was not cut: an "other" in it is a function of that name. */
function cutFrames(tree: CallTree, name = cutName(tree)): CutFrames {
  let value = 0;
  if (name !== -1) for (let i = 1; i < tree.length; i++) if (tree.name[i] === name) value += tree.self[i] as number;
  return { name, value };
}

/** Index of the name under which the server summed up what it cut off; −1: nothing was. */
export function cutName({ length, names }: Pick<CallTree, 'length' | 'names'>): number {
  return length > NODES_MAX ? names.indexOf(CUT_NAME, 1) : -1;
}
