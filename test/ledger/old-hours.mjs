/**
 * Puts uploads into a data folder as if they had been taken hours and weeks ago, so that the next server has old partitions to
 * drop: `node old-hours.mjs FOLDER MARK HOURS…`. A program of its own, since the engine must not run in the harness.
 */
import { decode } from '../../packages/server/dist/ingest/decode.js';
import { STORE_DEFAULTS, Store } from '../../packages/server/dist/store/store.js';

const [folder, mark, ...hoursAgo] = process.argv.slice(2);
const FOR_EVER = 3_650 * 86_400;

let now = 0;
const store = await Store.open({
  folder,
  retentionAgeSeconds: FOR_EVER,
  retentionBytes: Number.MAX_SAFE_INTEGER,
  ...STORE_DEFAULTS,
  now: () => now || Date.now(),
  onTrouble: (message) => {
    throw new Error(message);
  },
});
for (const hours of hoursAgo) {
  now = Date.now() - Number(hours) * 3_600_000;
  const { uploads, error } = await decode({
    kind: 'ingest',
    tenant: 'anonymous',
    receivedMs: now,
    retentionAgeSeconds: FOR_EVER,
    inflatedBytesMax: 1_000_000,
    query: new URLSearchParams({ name: 'ledger_old', from: String(now), format: 'collapsed' }).toString(),
    contentType: '',
    contentEncoding: '',
    body: Buffer.from(`main;handle;shared 1\nmain;old_${mark}_${hours} 1\n`),
  });
  if (error !== undefined) throw new Error(error.message);
  await store.append(uploads);
  await store.caughtUp();
}
await store.close();
