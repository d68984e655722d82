/** The routes a client asks: those of the small client here, which so brings no others into the page. */
export const CLIENT_ROUTES = {
  ingest: '/ingest',
  querier: '/querier.v1.QuerierService',
  render: '/pyroscope/render',
  flameGraph: '/api/v1/flamegraph',
  diff: '/api/v1/diff',
  threads: '/api/v1/threads',
  export: '/api/v1/export',
  refusals: '/api/v1/refusals',
  status: '/api/v1/status',
} as const;

/** The HTTP routes of the server: one list, used by the server, the client and the tests. */
export const ROUTES = {
  ...CLIENT_ROUTES,
  ingestPrefixed: '/pyroscope/ingest',
  renderDiff: '/pyroscope/render-diff',
  labelValues: '/pyroscope/label-values',
  push: '/push.v1.PusherService/Push',
  ready: '/ready',
  healthz: '/healthz',
  metrics: '/metrics',
  openApi: '/api/v1/openapi.json',
} as const;

/** What a merged profile can be had as: `GET /api/v1/export?format=…`. */
export const EXPORT_FORMATS = ['pprof', 'collapsed', 'speedscope', 'flamebearer', 'svg'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
