import { gzipSync } from 'node:zlib';
import {
  cutCallTree,
  PilotlightError,
  type Profile,
  stackFrameCount,
  writeCollapsed,
  writePprof,
  writeSpeedscope,
  writeSvg,
} from '@pilotlight/profile';
import { EXPORT_FORMATS, type ExportFormat, ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import { type Selection, selectCallTree, selectProfile } from '../store/select.js';
import type { Store } from '../store/store.js';
import { fileName, serviceOf } from './file-name.js';
import { flamebearerFile } from './flamebearer-file.js';
import { knownParametersOf, maxNodesOf, selectionOf } from './query-parameters.js';

/** Frames of all stacks together, each as often as it stands there. */
const FRAMES_MAX = 5_000_000;

const EXPORT_PARAMETERS = ['format', 'type', 'query', 'from', 'until', 'thread', 'maxNodes'];

interface Export {
  readonly contentType: string;
  readonly extension: string;
  write(store: Store, selection: Selection, maxNodes: number): Promise<string | Uint8Array>;
}

const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
  pprof: {
    contentType: 'application/gzip',
    extension: 'pb.gz',
    write: async (store, selection) => gzipSync(writePprof(await profileOf(store, selection))),
  },
  collapsed: {
    contentType: 'text/plain; charset=utf-8',
    extension: 'collapsed.txt',
    write: async (store, selection) => writeCollapsed(await spelledOut(store, selection), 0),
  },
  speedscope: {
    contentType: 'application/json; charset=utf-8',
    extension: 'speedscope.json',
    write: async (store, selection) => writeSpeedscope(await spelledOut(store, selection), headingOf(selection).title),
  },
  flamebearer: {
    contentType: 'application/json; charset=utf-8',
    extension: 'flamebearer.json',
    write: async (store, selection, maxNodes) =>
      JSON.stringify(flamebearerFile(cutCallTree(await treeOf(store, selection), maxNodes), selection.profileType)),
  },
  svg: {
    contentType: 'image/svg+xml; charset=utf-8',
    extension: 'svg',
    write: async (store, selection) => writeSvg(await treeOf(store, selection), headingOf(selection)),
  },
};

/** `GET /api/v1/export`: the merged profile of a selection as a file of a format others read. */
export function exportRoute(app: FastifyInstance, store: Store): void {
  app.get(ROUTES.export, async (request, reply) => {
    const parameters = knownParametersOf(request, EXPORT_PARAMETERS);
    const format = formatOf(parameters.get('format') ?? '');
    const selection = selectionOf(parameters);
    const { contentType, extension, write } = EXPORTS[format];
    const file = await write(store, selection, maxNodesOf(parameters));
    reply.header('content-type', contentType);
    reply.header('content-disposition', `attachment; filename="${fileName(selection, extension)}"`);
    return typeof file === 'string' ? file : Buffer.from(file.buffer, file.byteOffset, file.length);
  });
}

/** @throws PilotlightError `malformed_query` */
function formatOf(text: string): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => one === text);
  if (format !== undefined) return format;
  throw new PilotlightError(
    'malformed_query',
    `format=${text.slice(0, 50)} is not known; there are ${EXPORT_FORMATS.join(', ')}`,
  );
}

async function profileOf(store: Store, selection: Selection): Promise<Profile> {
  const profile = await selectProfile(store, selection);
  if (profile.samples.length === 0) throw nothing(selection);
  return profile;
}

/** For formats that write every stack out: what is a tree of a few megabytes here may be gigabytes there. */
async function spelledOut(store: Store, selection: Selection): Promise<Profile> {
  const profile = await profileOf(store, selection);
  const frames = stackFrameCount(profile);
  if (frames > FRAMES_MAX) {
    throw new PilotlightError(
      'query_limit',
      `the stacks hold ${frames} frames, the limit of this format is ${FRAMES_MAX}; pprof has none`,
      { limit: FRAMES_MAX },
    );
  }
  return profile;
}

async function treeOf(store: Store, selection: Selection) {
  const tree = await selectCallTree(store, selection);
  if (tree.length === 1) throw nothing(selection);
  return tree;
}

/** A file with nothing in it would be found out only when somebody opens it. */
function nothing({ profileType, startMs, endMs }: Selection): PilotlightError {
  return new PilotlightError(
    'not_found',
    `no sample of ${profileType} matches from ${isoTime(startMs)} until ${isoTime(endMs)}`,
  );
}

function headingOf(selection: Selection) {
  const [name = '', type = '', unit = ''] = selection.profileType.split(':');
  return {
    title: `${serviceOf(selection) || 'all services'}: ${name} ${type}`,
    subtitle: [
      `${isoTime(selection.startMs)} to ${isoTime(selection.endMs)}`,
      ...(selection.thread === undefined ? [] : [`thread ${selection.thread}`]),
    ].join(', '),
    unit,
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
