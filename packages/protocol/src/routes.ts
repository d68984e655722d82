/** The HTTP routes of the server: one list, used by the server, the client and the tests. */
export const ROUTES = {
  ingest: '/ingest',
  ingestPrefixed: '/pyroscope/ingest',
  render: '/pyroscope/render',
  renderDiff: '/pyroscope/render-diff',
  labelValues: '/pyroscope/label-values',
  push: '/push.v1.PusherService/Push',
  querier: '/querier.v1.QuerierService',
  ready: '/ready',
  healthz: '/healthz',
  metrics: '/metrics',
  flameGraph: '/api/v1/flamegraph',
  diff: '/api/v1/diff',
  export: '/api/v1/export',
  refusals: '/api/v1/refusals',
  status: '/api/v1/status',
  openApi: '/api/v1/openapi.json',
} as const;

/** What a merged profile can be had as: `GET /api/v1/export?format=…`. */
export const EXPORT_FORMATS = ['pprof', 'collapsed', 'speedscope', 'flamebearer', 'svg'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
