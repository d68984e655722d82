/**
 * Label selectors as PromQL writes them: `{service_name="shop", pod=~"a.*", zone!="b"}`.
 *
 * Names are `[A-Za-z_][A-Za-z0-9_]*`, or any text in double quotes (`{"process.runtime.name"="nodejs"}`), so that labels with dots can be
 * asked for. Unquoted names may hold dots too, since existing clients send them. Values stand in double quotes, single quotes or backticks; in the first
 * two a backslash escapes.
 */
import { PilotlightError } from '@pilotlight/profile';

export const MATCHER_OPERATORS = ['=', '!=', '=~', '!~'] as const;
export type MatcherOperator = (typeof MATCHER_OPERATORS)[number];

export interface Matcher {
  readonly name: string;
  readonly operator: MatcherOperator;
  readonly value: string;
}

export const SELECTOR_LENGTH_MAX = 8_192;
export const PATTERN_LENGTH_MAX = 1_024;
export const MATCHERS_MAX = 64;

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** @throws PilotlightError `malformed_query`, naming the position. */
export function parseSelector(selector: string): Matcher[] {
  const fail = (at: number, what: string): never => {
    throw new PilotlightError('malformed_query', `label selector, character ${at + 1}: ${what}`, { offset: at });
  };
  if (selector.length > SELECTOR_LENGTH_MAX) {
    throw new PilotlightError('query_limit', `label selector is longer than ${SELECTOR_LENGTH_MAX} characters`, {
      limit: SELECTOR_LENGTH_MAX,
    });
  }
  let at = 0;
  const blank = () => {
    while (at < selector.length && /\s/.test(selector[at] as string)) at++;
  };
  const quoted = (): string => {
    const quote = selector[at] as string;
    let out = '';
    at++;
    while (at < selector.length && selector[at] !== quote) {
      if (selector[at] === '\\' && quote !== '`') {
        at++;
        const escaped = selector[at] ?? '';
        out += ESCAPES.get(escaped) ?? escaped;
      } else {
        out += selector[at];
      }
      at++;
    }
    if (at >= selector.length) fail(at, `the closing ${quote} is missing`);
    at++;
    return out;
  };

  blank();
  if (selector[at] !== '{') fail(at, "expected '{'");
  at++;
  const matchers: Matcher[] = [];
  for (;;) {
    blank();
    if (selector[at] === '}') break;
    let name = '';
    if (selector[at] === '"') {
      name = quoted();
    } else {
      while (at < selector.length && /[A-Za-z0-9_.]/.test(selector[at] as string)) name += selector[at++];
    }
    if (name === '') fail(at, 'expected a label name');
    blank();
    const two = selector.slice(at, at + 2);
    const operator = two === '=~' || two === '!~' || two === '!=' ? two : selector[at] === '=' ? '=' : undefined;
    if (operator === undefined) return fail(at, 'expected one of = != =~ !~');
    at += operator.length;
    blank();
    if (!'"\'`'.includes(selector[at] ?? ' ')) fail(at, 'expected a quoted value');
    const start = at;
    const value = quoted();
    if (operator.endsWith('~') && value.length > PATTERN_LENGTH_MAX) {
      fail(start, `the pattern is longer than ${PATTERN_LENGTH_MAX} characters`);
    }
    matchers.push({ name, operator, value });
    if (matchers.length > MATCHERS_MAX) fail(at, `more than ${MATCHERS_MAX} matchers`);
    blank();
    if (selector[at] === ',') at++;
    else if (selector[at] !== '}') fail(at, "expected ',' or '}'");
  }
  at++;
  blank();
  if (at < selector.length) fail(at, "nothing may follow the '}'");
  return matchers;
}

/** Writes matchers as `parseSelector` reads them. */
export function formatSelector(matchers: readonly Matcher[]): string {
  const quote = (value: string) =>
    `"${value.replace(/[\\"\n\r\t]/g, (c) => (c === '\n' ? '\\n' : c === '\r' ? '\\r' : c === '\t' ? '\\t' : `\\${c}`))}"`;
  const name = (text: string) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? text : quote(text));
  return `{${matchers.map((m) => `${name(m.name)}${m.operator}${quote(m.value)}`).join(', ')}}`;
}
