/** What every query is checked for, once, whichever route it came by. */
import { PilotlightError } from '@pilotlight/profile';
import { parseSelector } from '@pilotlight/protocol';
import type { Selection } from '../store/select.js';
import { TENANT } from './intake.js';

export const NODES_DEFAULT = 8_192;
export const NODES_MAX = 1_048_576;
export const POINTS_MAX = 100_000;
const SPANS_MAX = 10_000;
/** Milliseconds either side of 1970 that a date can tell. */
const TIME_MAX = 8.64e15;

export interface RawSelection {
  readonly profileTypeID: string;
  readonly labelSelector: string;
  readonly start: bigint | number;
  readonly end: bigint | number;
  readonly callSite?: readonly string[];
  /** Each up to 16 hexadecimal digits; none: all samples. */
  readonly spans?: readonly string[];
}

/** @throws PilotlightError `malformed_query` */
export function checkSelection(raw: RawSelection): Selection {
  const parts = raw.profileTypeID.split(':');
  if ((parts.length !== 5 && parts.length !== 6) || parts[0] === '') {
    throw new PilotlightError(
      'unknown_profile_type',
      `${JSON.stringify(raw.profileTypeID.slice(0, 200))} is not a profile type: name:type:unit:periodType:periodUnit`,
    );
  }
  if (raw.labelSelector.trim() === '')
    throw new PilotlightError('malformed_query', 'the label selector is empty; {} is all');
  const { startMs, endMs } = checkRange(raw.start, raw.end);
  return {
    tenant: TENANT,
    profileType: parts.slice(0, 5).join(':'),
    matchers: parseSelector(raw.labelSelector),
    startMs,
    endMs,
    ...(raw.callSite !== undefined && raw.callSite.length > 0 ? { callSite: raw.callSite } : {}),
    ...(raw.spans !== undefined && raw.spans.length > 0 ? { spans: checkSpans(raw.spans) } : {}),
  };
}

/** @throws PilotlightError `malformed_query` or `query_limit` */
function checkSpans(spans: readonly string[]): bigint[] {
  if (spans.length > SPANS_MAX) {
    throw new PilotlightError('query_limit', `${spans.length} spans are asked for, the limit is ${SPANS_MAX}`, {
      limit: SPANS_MAX,
    });
  }
  return spans.map((span) => {
    if (/^[0-9a-f]{1,16}$/i.test(span)) return BigInt(`0x${span}`);
    throw new PilotlightError(
      'malformed_query',
      `${JSON.stringify(span.slice(0, 100))} is no span: 16 hexadecimal digits`,
    );
  });
}

/** Milliseconds since the epoch. @throws PilotlightError `malformed_query` */
export function checkRange(start: bigint | number, end: bigint | number): { startMs: number; endMs: number } {
  const startMs = Number(start);
  const endMs = Number(end);
  if (endMs === 0) throw new PilotlightError('malformed_query', 'the range is missing (start and end, milliseconds)');
  if (startMs > endMs)
    throw new PilotlightError('malformed_query', `bad range: it ends (${endMs}) before it starts (${startMs})`);
  if (Math.abs(startMs) > TIME_MAX || Math.abs(endMs) > TIME_MAX) {
    throw new PilotlightError('malformed_query', `the range is beyond ±${TIME_MAX} ms`, { limit: TIME_MAX });
  }
  return { startMs, endMs };
}

/** How many nodes a flame graph may have. @throws PilotlightError */
export function checkMaxNodes(asked: bigint | number | string | undefined): number {
  const maxNodes = Number(asked ?? 0);
  if (maxNodes === 0) return NODES_DEFAULT;
  if (maxNodes < 0) throw new PilotlightError('malformed_query', `max_nodes is ${maxNodes}, below 0`);
  if (!Number.isInteger(maxNodes)) {
    throw new PilotlightError('malformed_query', `max_nodes is ${String(asked).slice(0, 50)}, no number of nodes`);
  }
  if (maxNodes > NODES_MAX) {
    throw new PilotlightError('query_limit', `max_nodes is ${maxNodes}, the limit is ${NODES_MAX}`, {
      limit: NODES_MAX,
    });
  }
  return maxNodes;
}

/** Milliseconds of a step given in seconds. @throws PilotlightError */
export function checkStep(seconds: number, startMs: number, endMs: number): number {
  const stepMs = Math.round(seconds * 1_000);
  if (!(stepMs >= 1))
    throw new PilotlightError('malformed_query', `the step is ${seconds} s; it must be 0.001 s or more`);
  // The first point holds what lies up to one step before the range.
  if (startMs - stepMs < -TIME_MAX) {
    throw new PilotlightError(
      'malformed_query',
      `the step is ${seconds} s; from the start of the range that leads beyond -${TIME_MAX} ms`,
      {
        limit: TIME_MAX,
      },
    );
  }
  const points = (endMs - startMs) / stepMs;
  if (points > POINTS_MAX) {
    throw new PilotlightError('query_limit', `the range holds ${Math.ceil(points)} steps, the limit is ${POINTS_MAX}`, {
      limit: POINTS_MAX,
    });
  }
  return stepMs;
}
