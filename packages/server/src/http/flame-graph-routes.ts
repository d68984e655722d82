import {
  cutCallTree,
  cutDiffTree,
  encodeDiff,
  encodeFlameGraph,
  FLAME_GRAPH_MEDIA_TYPE,
  type FlameGraphMeaning,
} from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { selectCallTree, selectThreads } from '../store/select.js';
import type { Store } from '../store/store.js';
import { FAST_COMPRESSION } from './compression.js';
import { knownParametersOf, maxNodesOf, selectionOf } from './query-parameters.js';
import { selectDiff } from './select-diff.js';

const FLAME_GRAPH_PARAMETERS = ['type', 'query', 'from', 'until', 'maxNodes', 'thread'];
const THREADS_PARAMETERS = ['type', 'query', 'from', 'until'];
const DIFF_PARAMETERS = [
  'type',
  ...['leftQuery', 'leftFrom', 'leftUntil'],
  ...['rightQuery', 'rightFrom', 'rightUntil'],
  'maxNodes',
];

/** `GET /api/v1/flamegraph` and `GET /api/v1/diff`: trees in the columnar form, which is what the page draws; `GET /api/v1/threads`: what to ask the first for. */
export function flameGraphRoutes(app: FastifyInstance, store: Store): void {
  app.get(ROUTES.flameGraph, { compress: FAST_COMPRESSION }, async (request, reply) => {
    const parameters = knownParametersOf(request, FLAME_GRAPH_PARAMETERS);
    const selection = selectionOf(parameters);
    const maxNodes = maxNodesOf(parameters);
    const tree = cutCallTree(await selectCallTree(store, selection), maxNodes);
    return columnar(reply, encodeFlameGraph(tree, meaningOf(selection.profileType)));
  });

  app.get(ROUTES.threads, async (request) => ({
    threads: await selectThreads(store, selectionOf(knownParametersOf(request, THREADS_PARAMETERS))),
  }));

  app.get(ROUTES.diff, { compress: FAST_COMPRESSION }, async (request, reply) => {
    const parameters = knownParametersOf(request, DIFF_PARAMETERS);
    const left = selectionOf(parameters, 'left');
    const right = selectionOf(parameters, 'right');
    const maxNodes = maxNodesOf(parameters);
    // By share: of two ranges of unequal length the shorter has its say too.
    const diff = cutDiffTree(await selectDiff(store, left, right), maxNodes, 'share');
    return columnar(reply, encodeDiff(diff, meaningOf(left.profileType)));
  });
}

function columnar(reply: FastifyReply, bytes: Uint8Array): Buffer {
  reply.header('content-type', FLAME_GRAPH_MEDIA_TYPE);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function meaningOf(profileType: string): FlameGraphMeaning {
  const [, sampleType = '', unit = ''] = profileType.split(':');
  return { sampleType, unit };
}
