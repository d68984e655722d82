/** The HTTP routes of the server: one list, used by the server, the client and the tests. */
export const ROUTES = {
  ingest: '/ingest',
  ingestPrefixed: '/pyroscope/ingest',
  render: '/pyroscope/render',
  push: '/push.v1.PusherService/Push',
  querier: '/querier.v1.QuerierService',
  ready: '/ready',
  healthz: '/healthz',
  metrics: '/metrics',
  flameGraph: '/api/v1/flamegraph',
  diff: '/api/v1/diff',
  refusals: '/api/v1/refusals',
  status: '/api/v1/status',
  openApi: '/api/v1/openapi.json',
} as const;
