import { FLAME_GRAPH_MEDIA_TYPE } from '@pilotlight/profile';
import { EXPORT_FORMATS, ROUTES } from '@pilotlight/protocol';
import { VERSION } from '../version.js';
import { NODES_DEFAULT, NODES_MAX } from './query-checks.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const whole = { type: 'integer', format: 'int64' } as const;
const list = (items: unknown) => ({ type: 'array', items });
/** `optional` are the members that need not be there. */
const object = (properties: Record<string, unknown>, optional: Record<string, unknown> = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const schemas = {
  Refusal: object({ service: text, reason: text, count: whole, last: time, message: text }),
  Refusals: object({ refusals: list(reference('Refusal')) }),
  Agent: object(
    { service: text, spyName: text, userAgent: text, uploads: whole, refusals: whole },
    { lastUpload: time, lastRefusal: time, lastReason: text },
  ),
  Status: object({
    version: text,
    startedAt: time,
    uploads: whole,
    uploadsKnown: whole,
    refused: whole,
    series: whole,
    storeBytes: whole,
    logRecords: whole,
    logBytes: whole,
    setAside: whole,
    retention: object({ ageSeconds: whole, bytes: whole }),
    tables: list(object({ table: text, rows: whole, bytes: whole })),
    services: list(
      object({ service: text, profiles: whole, samples: whole, bytes: whole, oldest: time, newest: time }),
    ),
    agents: list(reference('Agent')),
    refusals: list(reference('Refusal')),
  }),
  Threads: object({ threads: list(object({ thread: text, total: whole })) }),
  Error: object({ code: text, message: text }),
};

const parameter = (name: string, description: string, schema: unknown = text, required = false) => ({
  name,
  in: 'query',
  required,
  description,
  schema,
});
const TYPE = parameter('type', 'Profile type: name:type:unit:periodType:periodUnit', text, true);
const MAX_NODES = parameter(
  'maxNodes',
  `Nodes of the tree, about; the lighter ones are summed up as "other". Default ${NODES_DEFAULT}`,
  {
    ...whole,
    minimum: 0,
    maximum: NODES_MAX,
  },
);
const THREAD = parameter('thread', 'Only samples of this thread, as long as details are kept');
const TIME = 'milliseconds or seconds since the epoch, YYYYMMDD, now, now-1h';
/** A selector and a range, named as they are or with a side before them. */
const selection = (query: string, from: string, until: string) => [
  parameter(query, 'Label selector as PromQL writes it. Default {}: all'),
  parameter(from, `Start: ${TIME}. Default now-1h`),
  parameter(until, `End, not included: ${TIME}. Default now`),
];

const json = (schema: string) => ({ 'application/json': { schema: reference(schema) } });
const file = { schema: { type: 'string', format: 'binary' } };
const get = (summary: string, content: Record<string, unknown>, parameters: readonly unknown[] = []) => ({
  get: {
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      200: { description: summary, content },
      ...(parameters.length === 0 ? {} : { 400: { description: 'The question is wrong', content: json('Error') } }),
    },
  },
});

/** The description of our own API, `/api/v1/…`; a test holds answers against it. */
export function openApi() {
  return {
    openapi: '3.1.0',
    info: { title: 'Pilotlight', version: VERSION },
    paths: {
      [ROUTES.flameGraph]: get(
        'The call tree of a selection in the columnar form',
        { [FLAME_GRAPH_MEDIA_TYPE]: file },
        [TYPE, ...selection('query', 'from', 'until'), MAX_NODES, THREAD],
      ),
      [ROUTES.threads]: get('What the threads of a selection took, the busiest first', json('Threads'), [
        TYPE,
        ...selection('query', 'from', 'until'),
      ]),
      [ROUTES.diff]: get('The call trees of two selections laid over each other', { [FLAME_GRAPH_MEDIA_TYPE]: file }, [
        TYPE,
        ...selection('leftQuery', 'leftFrom', 'leftUntil'),
        ...selection('rightQuery', 'rightFrom', 'rightUntil'),
        MAX_NODES,
      ]),
      [ROUTES.export]: get(
        'The merged profile of a selection as a file',
        {
          'application/gzip': file,
          'text/plain': file,
          'application/json': file,
          'image/svg+xml': file,
        },
        [
          parameter('format', 'What to write', { type: 'string', enum: EXPORT_FORMATS }, true),
          TYPE,
          ...selection('query', 'from', 'until'),
          THREAD,
          MAX_NODES,
        ],
      ),
      [ROUTES.status]: get('What the server took, holds and refused, and how it is set', json('Status')),
      [ROUTES.refusals]: get('The last refusals by service and reason, the latest first', json('Refusals')),
    },
    components: { schemas },
  };
}
