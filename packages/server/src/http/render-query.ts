/** Queries as `/pyroscope/render` and its like write them: profile type and selector in one text. */
import { PilotlightError } from '@pilotlight/profile';
import type { Selection } from '../store/select.js';
import { checkMaxNodes, checkSelection } from './query-checks.js';
import { named, type Parameters, type Side, timesOf } from './query-parameters.js';

/** `query`, `from` and `until`, with the side put before their names. @throws PilotlightError */
export function renderSelection(parameters: Parameters, side: Side = ''): Selection {
  const name = named('query', side);
  const text = parameters.get(name) ?? '';
  const brace = text.indexOf('{');
  if (brace < 0) throw new PilotlightError('malformed_query', `${name} must be a profile type and a selector: type{…}`);
  return checkSelection({
    profileTypeID: text.slice(0, brace),
    labelSelector: text.slice(brace),
    ...timesOf(parameters, side),
  });
}

/** Clients send all kinds of things here and take the default for an answer. @throws PilotlightError */
export function renderMaxNodes(parameters: Parameters): number {
  return checkMaxNodes(Number(parameters.get('max-nodes') ?? parameters.get('maxNodes') ?? 0) || 0);
}
