import { type Label, PilotlightError } from '@pilotlight/profile';

export interface AppName {
  readonly name: string;
  readonly labels: readonly Label[];
}

/**
 * Reads `app{key=value,key=value}` as the agents write it: labels begin at the first `{`, a name ends at the first `=`, a value at the next `,`; the
 * last `}` ends all, so that values may hold braces. Blanks around names and values are cut off.
 *
 * @throws PilotlightError `malformed_name`, naming the place.
 */
export function parseAppName(text: string): AppName {
  const fail = (at: number, what: string): never => {
    throw new PilotlightError('malformed_name', `name, character ${at + 1}: ${what} in ${JSON.stringify(cut(text))}`, {
      offset: at,
    });
  };
  const brace = text.indexOf('{');
  const name = (brace < 0 ? text : text.slice(0, brace)).trim();
  if (name === '') fail(0, 'the application name is missing');
  if (brace < 0) {
    if (text.includes('}')) fail(text.indexOf('}'), "a '}' without its '{'");
    return { name, labels: [] };
  }
  if (!text.trimEnd().endsWith('}')) fail(text.length, "the closing '}' is missing");
  const end = text.lastIndexOf('}');
  const labels: Label[] = [];
  const seen = new Set<string>();
  for (let at = brace + 1; at < end; ) {
    let comma = text.indexOf(',', at);
    if (comma < 0 || comma > end) comma = end;
    const pair = text.slice(at, comma);
    const start = at;
    at = comma + 1;
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0) fail(start, `a label without '=' (${JSON.stringify(cut(pair.trim()))})`);
    const label = pair.slice(0, equals).trim();
    if (label === '') fail(start, "a label without a name before '='");
    if (seen.has(label)) fail(start, `the label ${JSON.stringify(cut(label))} a second time`);
    seen.add(label);
    labels.push({ name: label, value: pair.slice(equals + 1).trim() });
  }
  return { name, labels };
}

function cut(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
