import { ROUTES } from '@pilotlight/protocol';
import { VERSION } from '../version.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', format: 'int64' } as const;
const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const schemas = {
  Status: object({
    version: text,
    startedAt: { type: 'string', format: 'date-time' },
    uploads: whole,
    series: whole,
    storeBytes: whole,
    logRecords: whole,
    logBytes: whole,
    retention: object({ ageSeconds: whole, bytes: whole }),
  }),
  Refusals: object({
    refusals: {
      type: 'array',
      items: object({
        service: text,
        reason: text,
        count: whole,
        last: { type: 'string', format: 'date-time' },
        message: text,
      }),
    },
  }),
};

/** The description of our own API, `/api/v1/…`; a test holds answers against it. */
export function openApi() {
  const get = (summary: string, schema: string) => ({
    get: {
      summary,
      responses: {
        200: {
          description: summary,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
        },
      },
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Pilotlight', version: VERSION },
    paths: {
      [ROUTES.status]: get('What the server holds and how it is set', 'Status'),
      [ROUTES.refusals]: get('The last refusals by service and reason, the latest first', 'Refusals'),
    },
    components: { schemas },
  };
}
