import { MATCHER_OPERATORS, type MatcherOperator } from '@pilotlight/protocol';
import { fixedRange, formatSpan, parseSpan, type RangeChoice } from './time-range.js';
import {
  type FrameLink,
  INITIAL_VIEW,
  type LabelFilter,
  ORIENTATIONS,
  PAGES,
  PANES,
  SORT_COLUMNS,
  type TableSort,
  TRANSFORM_KINDS,
  type Transform,
  type ViewState,
} from './view-state.js';

/**
 * The view as the query of the page's address, and back. What has its initial value is left out, so that links stay short.
 *
 * | parameter | holds |
 * | --- | --- |
 * | `service`, `type`, `search` | text |
 * | `label` | `name=value`, once a filter; also `!=`, `=~`, `!~` |
 * | `last`, or `from` and `until` | `15m`; milliseconds since the epoch |
 * | `refresh` | seconds |
 * | `frame`, `zoom` | path id in hexadecimal, a point, the function's name |
 * | `sort` | `name`, `self`, `total`; with `-` before it: descending |
 * | `panes` | `both`, `graph`, `table` |
 * | `compare`, and all that begin with `compare.` | see `compare/comparison.ts` |
 * | `orientation` | `icicle`, `flame` |
 * | `sandwich` | the name of a function |
 * | `transform` | `focus`, `merge`, `drop`, `collapse` or `recursion`, a point, the name of a function; once a transform |
 * | `page` | `profile`, `status` |
 *
 * Reading takes anything: a parameter that makes no sense is as if absent.
 */
export function writeAddress(view: ViewState): string {
  const query = new URLSearchParams();
  if (view.service !== '') query.set('service', view.service);
  if (view.profileType !== '') query.set('type', view.profileType);
  for (const filter of view.labels) query.append('label', writeFilter(filter));
  writeRange(query, view.range);
  if (view.refreshSeconds !== 0) query.set('refresh', String(view.refreshSeconds));
  if (view.search !== '') query.set('search', view.search);
  if (view.zoom !== undefined) query.set('zoom', writeFrame(view.zoom));
  if (view.frame !== undefined) query.set('frame', writeFrame(view.frame));
  if (writeSort(view.sort) !== writeSort(INITIAL_VIEW.sort)) query.set('sort', writeSort(view.sort));
  if (view.panes !== INITIAL_VIEW.panes) query.set('panes', view.panes);
  for (const [name, value] of new URLSearchParams(view.compare)) query.append(name, value);
  if (view.orientation !== INITIAL_VIEW.orientation) query.set('orientation', view.orientation);
  if (view.sandwich !== '') query.set('sandwich', view.sandwich);
  for (const { kind, name } of view.transforms) query.append('transform', `${kind}.${name}`);
  if (view.page !== INITIAL_VIEW.page) query.set('page', view.page);
  return query.toString();
}

export function readAddress(text: string): ViewState {
  const query = new URLSearchParams(text);
  return {
    page: oneOf(PAGES, query.get('page')) ?? INITIAL_VIEW.page,
    service: query.get('service') ?? '',
    profileType: query.get('type') ?? '',
    labels: query.getAll('label').flatMap((each) => readFilter(each) ?? []),
    range: readRange(query) ?? INITIAL_VIEW.range,
    refreshSeconds: readRefresh(query.get('refresh')),
    search: query.get('search') ?? '',
    frame: readFrame(query.get('frame')),
    zoom: readFrame(query.get('zoom')),
    sort: readSort(query.get('sort')) ?? INITIAL_VIEW.sort,
    panes: oneOf(PANES, query.get('panes')) ?? INITIAL_VIEW.panes,
    compare: new URLSearchParams([...query].filter(([name]) => /^compare(\.|$)/.test(name))).toString(),
    orientation: oneOf(ORIENTATIONS, query.get('orientation')) ?? INITIAL_VIEW.orientation,
    sandwich: query.get('sandwich') ?? '',
    transforms: query.getAll('transform').flatMap((each) => readTransform(each) ?? []),
  };
}

/** What `compare` holds first: the same labels, just before. */
export function beginComparison(labels: readonly LabelFilter[]): string {
  const filters = labels.map((filter) => ['compare.label', writeFilter(filter)]);
  return new URLSearchParams([['compare', 'before'], ...filters]).toString();
}

function readTransform(text: string): Transform | undefined {
  const point = text.indexOf('.');
  const kind = oneOf(TRANSFORM_KINDS, text.slice(0, Math.max(point, 0)));
  return kind === undefined ? undefined : { kind, name: text.slice(point + 1) };
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((each) => each === text);
}

/**
 * The signs an operator is made of are escaped in a label's name, so that the first one found ends it; and so is a "~" at the head of a
 * value, so that "=" before it does not become "=~".
 */
export function writeFilter({ name, operator, value }: LabelFilter): string {
  return escapeSigns(name, /[%=!~]/g) + operator + escapeSigns(value, /^[%~]/);
}

export function readFilter(text: string): LabelFilter | undefined {
  const at = text.search(/[=!]/);
  if (at <= 0) return undefined;
  const operator = OPERATORS_LONGEST_FIRST.find((each) => text.startsWith(each, at));
  if (operator === undefined) return undefined;
  const value = text.slice(at + operator.length);
  return {
    name: unescapeSigns(text.slice(0, at), /%(25|3d|21|7e)/g),
    operator,
    value: unescapeSigns(value, /^%(25|7e)/),
  };
}

const OPERATORS_LONGEST_FIRST: readonly MatcherOperator[] = [...MATCHER_OPERATORS].sort((a, b) => b.length - a.length);

function escapeSigns(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function unescapeSigns(text: string, escapes: RegExp): string {
  return text.replace(escapes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function writeRange(query: URLSearchParams, range: RangeChoice): void {
  if (range.kind === 'fixed') {
    query.set('from', String(range.start));
    query.set('until', String(range.end));
  } else if (INITIAL_VIEW.range.kind !== 'last' || range.seconds !== INITIAL_VIEW.range.seconds) {
    query.set('last', formatSpan(range.seconds));
  }
}

function readRange(query: URLSearchParams): RangeChoice | undefined {
  const from = query.get('from');
  const until = query.get('until');
  if (from !== null && until !== null && /^\d{1,16}$/.test(from) && /^\d{1,16}$/.test(until)) {
    const fixed = fixedRange(Number(from), Number(until));
    if (fixed !== undefined) return fixed;
  }
  const seconds = parseSpan(query.get('last') ?? '');
  return seconds === undefined ? undefined : { kind: 'last', seconds };
}

function readRefresh(text: string | null): number {
  if (text === null || !/^\d{1,5}$/.test(text)) return 0;
  return Number(text);
}

/** Longer names would make links that mail programs break. */
const LINK_NAME_LENGTH_MAX = 160;

function writeFrame({ pathId, name }: FrameLink): string {
  return `${pathId.toString(16)}.${name.slice(0, LINK_NAME_LENGTH_MAX)}`;
}

function readFrame(text: string | null): FrameLink | undefined {
  const match = /^([0-9a-f]{1,13})\.(.*)$/s.exec(text ?? '');
  if (match === null) return undefined;
  return { pathId: Number.parseInt(match[1] as string, 16), name: (match[2] as string).slice(0, LINK_NAME_LENGTH_MAX) };
}

function writeSort({ column, descending }: TableSort): string {
  return `${descending ? '-' : ''}${column}`;
}

function readSort(text: string | null): TableSort | undefined {
  const descending = text?.startsWith('-') ?? false;
  const column = oneOf(SORT_COLUMNS, descending ? (text?.slice(1) ?? null) : text);
  return column === undefined ? undefined : { column, descending };
}
