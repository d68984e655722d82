import { PilotlightError } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/store.js';
import { parametersOf, timesOf } from './query-parameters.js';
import { labelValues, selectMatching } from './select-matching.js';

const PROFILE_TYPE = '__profile_type__';

/** `GET /pyroscope/label-values`: the values of `label`, as a JSON array. `__name__` stands for the profile types there, as older clients ask for them. */
export function labelValuesRoute(app: FastifyInstance, store: Store): void {
  app.get(ROUTES.labelValues, async (request) => {
    const parameters = parametersOf(request);
    const label = parameters.get('label') ?? '';
    if (label === '') throw new PilotlightError('malformed_query', 'label is missing: the name of the label');
    const query = parameters.get('query') ?? '';
    const entries = await selectMatching(store, query === '' ? [] : [query], timesOf(parameters, ''));
    return labelValues(entries, label === '__name__' ? PROFILE_TYPE : label);
  });
}
