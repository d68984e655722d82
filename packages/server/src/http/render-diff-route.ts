import { cutDiffTree, toDiffFlamebearer } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/store.js';
import { metadataOf } from './flamebearer-file.js';
import { parametersOf } from './query-parameters.js';
import { renderMaxNodes, renderSelection } from './render-query.js';
import { selectDiff } from './select-diff.js';

/** `GET /pyroscope/render-diff`: two queries of one profile type, laid over each other, as flamebearer JSON. */
export function renderDiffRoute(app: FastifyInstance, store: Store): void {
  app.get(ROUTES.renderDiff, async (request) => {
    const parameters = parametersOf(request);
    const left = renderSelection(parameters, 'left');
    const right = renderSelection(parameters, 'right');
    const diff = cutDiffTree(await selectDiff(store, left, right), renderMaxNodes(parameters), 'value');
    const { names, levels, total, maxSelf, leftTicks, rightTicks } = toDiffFlamebearer(diff);
    return {
      version: 1,
      flamebearer: { names, levels, numTicks: total, maxSelf },
      metadata: { format: 'double', ...metadataOf(left.profileType) },
      leftTicks,
      rightTicks,
    };
  });
}
