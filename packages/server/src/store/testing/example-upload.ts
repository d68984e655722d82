/** Uploads for tests, from stacks drawn as text: `main;a;b 5`, one a line. */
import { RefusalTally, readCollapsed } from '@pilotlight/profile';
import { uploadsOf } from '../../ingest/upload.js';
import type { Upload } from '../store.js';

export const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';

export interface Drawn {
  readonly stacks: string;
  readonly service?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timeMs: number;
  readonly durationMs?: number;
  /** Of arrival; default: the same. */
  readonly receivedMs?: number;
}

export function exampleUpload({
  stacks,
  service = 'shop',
  labels = {},
  timeMs,
  durationMs = 0,
  receivedMs = timeMs,
}: Drawn): Upload {
  const bytes = new TextEncoder().encode(stacks);
  const reading = readCollapsed(bytes, { sampleType: { type: 'cpu', unit: 'nanoseconds' } });
  const profiles = reading.profiles.map((named) => ({
    ...named,
    metric: 'process_cpu',
    profile: { ...named.profile, periodType: { type: 'cpu', unit: 'nanoseconds' } },
  }));
  const [upload] = uploadsOf(
    { ...reading, profiles },
    {
      tenant: 'anonymous',
      labels: new Map([['service_name', service], ...Object.entries(labels)]),
      fromMs: timeMs,
      untilMs: timeMs + durationMs,
      receivedMs,
      retentionAgeSeconds: 10 * 365 * 86_400,
      content: [bytes],
      identity: '',
    },
    new RefusalTally(),
  );
  if (upload === undefined) throw new Error('the stacks hold no value');
  return upload;
}
