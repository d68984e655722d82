/** Queries that come as the parameters of an address. */
import type { FastifyRequest } from 'fastify';
import { parseQuery } from '../ingest/query-string.js';
import { parseTime } from '../ingest/time-parameter.js';
import type { Selection } from '../store/select.js';
import { checkMaxNodes, checkSelection } from './query-checks.js';

export type Parameters = ReadonlyMap<string, string>;

/** @throws PilotlightError `malformed_request` */
export function parametersOf(request: FastifyRequest): Parameters {
  const question = request.url.indexOf('?');
  return parseQuery(question < 0 ? '' : request.url.slice(question + 1));
}

/**
 * What a query of our own API selects: `type`, a profile type; `query`, a label selector (default: all); `from` and `until`, as
 * `parseTime` takes them (default: the last hour). `side` is put before each name but that of the type, as in `leftQuery`.
 *
 * @throws PilotlightError
 */
export function selectionOf(parameters: Parameters, side: '' | 'left' | 'right' = ''): Selection {
  const named = (name: string) => (side === '' ? name : `${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  const now = Date.now();
  const time = (name: string, otherwise: string) =>
    parseTime(named(name), parameters.get(named(name)) || otherwise, now);
  return checkSelection({
    profileTypeID: parameters.get('type') ?? '',
    labelSelector: parameters.get(named('query')) || '{}',
    start: time('from', 'now-1h'),
    end: time('until', 'now'),
  });
}

/** How many nodes of a tree are asked for. @throws PilotlightError `malformed_query` or `query_limit` */
export function maxNodesOf(parameters: Parameters): number {
  return checkMaxNodes(parameters.get('maxNodes'));
}
