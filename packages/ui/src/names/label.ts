import { type FunctionName, parseFunctionName } from './function-name.js';
import { cutMiddle, printable } from './printable.js';

/** Below this many characters a cut name tells nothing. */
const CUT_COLUMNS_MIN = 4;
/** No screen has room for more. */
const LABEL_LENGTH_MAX = 600;

/** A step of a label with the columns of the fixed-pitch font it takes. */
interface LabelStep {
  readonly text: string;
  readonly columns: number;
}

/**
 * The ways to write a function's name, from the longest to the shortest. The package is shortened first and the method last, since a row of
 * labels that all say `org.apache.cassandr` says nothing.
 */
export function labelSteps(name: string): string[] {
  const parsed = parseFunctionName(name);
  const texts = [name, ...shorter(parsed)].map((text) => printable(cutMiddle(text, LABEL_LENGTH_MAX)));
  return texts.filter(
    (text, index) => text !== '' && (index === 0 || columnsOf(text) < columnsOf(texts[index - 1] as string)),
  );
}

function shorter({ language, package: pack, owner, method }: FunctionName): string[] {
  switch (language) {
    case 'jvm':
      return [
        `${initials(pack)}${owner}.${method}`,
        `${owner}.${method}`,
        `${owner.slice(owner.lastIndexOf('.') + 1)}.${method}`,
        method,
      ].map((text) => text.replace(/^\./, ''));
    case 'go': {
      const rest = owner === '' ? method : `${owner}.${method}`;
      return [`${pack.slice(pack.lastIndexOf('/') + 1)}.${rest}`, rest, method];
    }
    case 'javascript': {
      const file = owner.replace(/(:\d+)+$/, '');
      const lead = method === '' ? '' : `${method} `;
      const short = [
        `${lead}${tail(pack)}/${owner}`.replace(/ \/|^\//, (sign) => sign.replace('/', '')),
        `${lead}${owner}`,
      ];
      return method === '' ? short : [...short, `${lead}${file}`, method];
    }
    case 'script':
      return [`${tail(pack)}/${owner} ${method}`.replace(/^\//, ''), `${owner} ${method}`, method];
    case 'native':
      return owner === '' ? [method, bare(method)] : [`${owner}::${method}`, method, bare(method)];
    case 'plain':
      return [];
  }
}

/** `org.apache.cassandra.db` → `o.a.c.db.`: the last part stays whole. */
function initials(pack: string): string {
  if (pack === '') return '';
  const parts = pack.split('.');
  return parts.map((part, index) => (index < parts.length - 1 ? part.slice(0, 1) : part) + '.').join('');
}

/** The last folder of a path; a package such as `@a/b` stays whole. */
function tail(path: string): string {
  return path.startsWith('@') ? path : path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Without its arguments and those of its template. */
function bare(method: string): string {
  const bracket = method.search(/[<(]/);
  return bracket > 0 && !method.startsWith('operator') ? method.slice(0, bracket) : method;
}

/** Columns a text takes in a fixed-pitch font; what is not plain Latin may be two wide, so it is counted as two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code & 0xfc00) === 0xdc00) continue;
    columns += code < 0x300 || code === 0x2026 ? 1 : 2;
  }
  return columns;
}

/** Labels of the names of one tree. The steps of a name are worked out when it is first drawn, and kept. */
export class Labels {
  private readonly steps: (readonly LabelStep[] | undefined)[];

  constructor(private readonly names: readonly string[]) {
    this.steps = new Array(names.length);
  }

  /** The longest step that fits, else the shortest cut in the middle, else nothing. */
  fit(nameIndex: number, columns: number): string {
    let steps = this.steps[nameIndex];
    if (steps === undefined) {
      steps = labelSteps(this.names[nameIndex] ?? '').map((text) => ({ text, columns: columnsOf(text) }));
      this.steps[nameIndex] = steps;
    }
    for (const step of steps) if (step.columns <= columns) return step.text;
    const last = steps[steps.length - 1];
    if (last === undefined || columns < CUT_COLUMNS_MIN) return '';
    return cutMiddle(last.text, last.columns === last.text.length ? columns : columns >> 1);
  }
}
