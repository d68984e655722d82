/**
 * The patterns of `drop_frames` and `keep_frames`: a regular expression that must match the whole name.
 *
 * It comes from the profile, so it is hostile input and never reaches `RegExp`. Supported is what profilers write in
 * practice: alternatives separated by `|`, each made of literal characters, `\` before a character that stands for itself,
 * `.` (any one character), `.*` and `.+`; an outer `^`, `$`, `(…)` or `(?:…)` around the whole is taken off.
 * Anything else is not applied. Each alternative is matched by going back to its last `.*` only, and all the work for
 * one profile is counted in steps, so the worst pattern costs a bounded time.
 */
export class NamePattern {
  private readonly alternatives: readonly Int32Array[];

  private constructor(alternatives: readonly Int32Array[]) {
    this.alternatives = alternatives;
  }

  /** The pattern, or undefined where it uses more than is supported. */
  static parse(source: string): NamePattern | undefined {
    if (source.length > PATTERN_LENGTH_MAX) return undefined;
    const alternatives: Int32Array[] = [];
    for (const part of splitAlternatives(withoutFence(source))) {
      const tokens = tokensOf(part);
      if (tokens === undefined) return undefined;
      alternatives.push(tokens);
    }
    return new NamePattern(alternatives);
  }

  /** Whether the whole name matches; every comparison is taken off the budget, and false comes back once it is used up. */
  matches(name: string, budget: StepBudget): boolean {
    return this.alternatives.some((tokens) => matchesTokens(tokens, name, budget));
  }
}

/** Steps of matching that are left. A profile of 100,000 names and 50 alternatives needs about 10 million. */
export interface StepBudget {
  steps: number;
}

export const MATCH_STEPS_MAX = 50_000_000;
const PATTERN_LENGTH_MAX = 16_384;
const ANY_CHARACTER = -1;
const ANY_TEXT = -2;

function matchesTokens(tokens: Int32Array, name: string, budget: StepBudget): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    if (--budget.steps < 0) return false;
    const wanted = tokens[token];
    if (wanted === ANY_TEXT) {
      star = token++;
      starAt = at;
    } else if (wanted === ANY_CHARACTER || wanted === name.charCodeAt(at)) {
      token++;
      at++;
    } else if (star !== -1) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === ANY_TEXT) token++;
  return token === tokens.length;
}

function withoutFence(source: string): string {
  let text = source;
  if (text.startsWith('^')) text = text.slice(1);
  if (text.endsWith('$') && !text.endsWith('\\$')) text = text.slice(0, -1);
  const inner = text.startsWith('(?:') ? text.slice(3) : text.startsWith('(') ? text.slice(1) : undefined;
  // Only when the first bracket is closed by the last one; another bracket inside makes the pattern unsupported anyway.
  return inner?.endsWith(')') && !inner.endsWith('\\)') ? inner.slice(0, -1) : text;
}

function splitAlternatives(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '|') {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function tokensOf(text: string): Int32Array | undefined {
  const tokens: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '.') {
      const next = text[at + 1];
      if (next === '*' || next === '+') at++;
      if (next !== '*') tokens.push(ANY_CHARACTER);
      if (next === '*' || next === '+') tokens.push(ANY_TEXT);
    } else if (sign === '\\') {
      const escaped = text[++at];
      // `\d`, `\b`, `\1` … are not the character after the backslash.
      if (escaped === undefined || /[A-Za-z0-9]/.test(escaped)) return undefined;
      tokens.push(escaped.charCodeAt(0));
    } else if ('()[]{}*+?^$'.includes(sign)) {
      return undefined;
    } else tokens.push(sign.charCodeAt(0));
  }
  return Int32Array.from(tokens);
}
