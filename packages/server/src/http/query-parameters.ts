/** Queries that come as the parameters of an address. */
import { PilotlightError } from '@pilotlight/profile';
import type { FastifyRequest } from 'fastify';
import { parseQuery } from '../ingest/query-string.js';
import { parseTime } from '../ingest/time-parameter.js';
import type { Selection } from '../store/select.js';
import { checkMaxNodes, checkSelection } from './query-checks.js';

export type Parameters = ReadonlyMap<string, string>;

/** Of two with one name the first counts, or with `once` they are refused. @throws PilotlightError `malformed_request` */
export function parametersOf(request: FastifyRequest, once = false): Parameters {
  const question = request.url.indexOf('?');
  return parseQuery(question < 0 ? '' : request.url.slice(question + 1), once);
}

/**
 * Those of a route of our own, which takes no others and each once: a filter that is spelled wrongly, or the second of two, would otherwise be answered with
 * more than was asked for.
 *
 * @throws PilotlightError `malformed_request`, naming those there are, if any
 */
export function knownParametersOf(request: FastifyRequest, known: readonly string[]): Parameters {
  const parameters = parametersOf(request, true);
  for (const name of parameters.keys()) {
    if (known.includes(name)) continue;
    throw new PilotlightError(
      'malformed_request',
      `the parameter ${JSON.stringify(name.slice(0, 100))} is not known here; there are ${known.join(', ') || 'none'}`,
    );
  }
  return parameters;
}

/** Of two selections in one query; the names of their parameters begin with it. */
export type Side = '' | 'left' | 'right';

/** `query`, or `leftQuery`. */
export function named(name: string, side: Side): string {
  return side === '' ? name : `${side}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** `from` and `until`, as `parseTime` takes them; default: the last hour. Milliseconds. @throws PilotlightError `malformed_request` */
export function timesOf(parameters: Parameters, side: Side): { start: number; end: number } {
  const now = Date.now();
  const time = (name: string, otherwise: string) => parseTime(name, parameters.get(name) || otherwise, now);
  return { start: time(named('from', side), 'now-1h'), end: time(named('until', side), 'now') };
}

/**
 * What a query of our own API selects: `type`, a profile type; `query`, a label selector (default: all); `from` and `until`; `thread` where there is but one
 * side.
 *
 * @throws PilotlightError
 */
export function selectionOf(parameters: Parameters, side: Side = ''): Selection {
  const selection = checkSelection({
    profileTypeID: parameters.get('type') ?? '',
    labelSelector: parameters.get(named('query', side)) || '{}',
    ...timesOf(parameters, side),
  });
  const thread = parameters.get('thread') ?? '';
  return thread === '' ? selection : { ...selection, thread };
}

/** How many nodes of a tree are asked for. @throws PilotlightError `malformed_query` or `query_limit` */
export function maxNodesOf(parameters: Parameters): number {
  return checkMaxNodes(parameters.get('maxNodes'));
}
