import { cutCallTree, PilotlightError, writePprof } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import { selectCallTree, selectProfile, selectTimeSeries } from '../store/select.js';
import type { Store } from '../store/store.js';
import { flamebearerFile } from './flamebearer-file.js';
import { parametersOf } from './query-parameters.js';
import { renderMaxNodes, renderSelection } from './render-query.js';

const TIMELINE_POINTS = 1_500;
const STEP_SECONDS_MIN = 15;

/** `GET /pyroscope/render`: one query as flamebearer JSON with its timeline, or with `format=pprof` as a file. */
export function renderRoute(app: FastifyInstance, store: Store): void {
  app.get(ROUTES.render, async (request, reply) => {
    const query = parametersOf(request);
    const selection = renderSelection(query);
    const format = query.get('format') ?? 'json';
    if (format === 'pprof') {
      reply.header('content-type', 'application/vnd.google.protobuf');
      reply.header('content-disposition', 'attachment; filename="profile.pb"');
      return Buffer.from(writePprof(await selectProfile(store, selection)));
    }
    if (format !== 'json')
      throw new PilotlightError('malformed_query', `format=${format.slice(0, 50)} is neither json nor pprof`);
    const maxNodes = renderMaxNodes(query);
    const stepSeconds = Math.max(
      STEP_SECONDS_MIN,
      Math.round((selection.endMs - selection.startMs) / 1_000 / TIMELINE_POINTS),
    );
    const [tree, series] = await Promise.all([
      selectCallTree(store, selection),
      selectTimeSeries(store, selection, stepSeconds * 1_000, [], 'sum'),
    ]);
    return {
      ...flamebearerFile(cutCallTree(tree, maxNodes), selection.profileType),
      timeline: timeline(series[0]?.points ?? [], selection.startMs, selection.endMs, stepSeconds),
      groups: null,
      heatmap: null,
    };
  });
}

function timeline(
  points: readonly { timeMs: number; value: number }[],
  startMs: number,
  endMs: number,
  stepSeconds: number,
) {
  const stepMs = stepSeconds * 1_000;
  // The last point may lie past the end: it holds what is left of the range.
  const samples = new Array<number>(Math.ceil((endMs - startMs) / stepMs) + 1).fill(0);
  for (const { timeMs, value } of points) {
    const index = Math.round((timeMs - startMs) / stepMs);
    if (index >= 0 && index < samples.length) samples[index] = value;
  }
  return { startTime: Math.floor(startMs / 1_000), samples, durationDelta: stepSeconds, watermarks: null };
}
