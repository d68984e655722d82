import { PilotlightError } from '@pilotlight/profile';

const PARAMETERS_MAX = 100;

/**
 * The parameters of a query string; of two with one name the first counts, or with `once` they are refused. Unlike URLSearchParams it refuses bytes that are not UTF-8 instead of
 * replacing them: a label must not become another one in silence.
 *
 * @throws PilotlightError `malformed_request`
 */
export function parseQuery(query: string, once = false): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const pairs = query === '' ? [] : query.split('&');
  if (pairs.length > PARAMETERS_MAX) {
    throw new PilotlightError('malformed_request', `more than ${PARAMETERS_MAX} query parameters`);
  }
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'a query parameter');
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), `the query parameter ${JSON.stringify(name)}`);
    if (!parameters.has(name)) parameters.set(name, value);
    else if (once) {
      throw new PilotlightError(
        'malformed_request',
        `the parameter ${JSON.stringify(name.slice(0, 100))} is there twice; one is taken`,
      );
    }
  }
  return parameters;
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new PilotlightError('malformed_request', `${what} is not percent-encoded UTF-8: ${text.slice(0, 200)}`);
  }
}
