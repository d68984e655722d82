/** Two answers of the server, so many seconds apart. */
export interface ReportPair {
  readonly latest: { readonly uploads: number; readonly startedAt: string };
  readonly earlier: { readonly uploads: number; readonly startedAt: string };
  readonly seconds: number;
}

/** How fast uploads come in, in words; a server that was started in between counts from its start. */
export function uploadRate({ latest, earlier, seconds }: ReportPair): string {
  if (seconds < 1) return 'counting …';
  const before = latest.startedAt === earlier.startedAt ? earlier.uploads : 0;
  const rate = (latest.uploads - before) / seconds;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en-US')} a second`;
}
