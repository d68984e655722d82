/**
 * A store of thirty days, made in the process: through HTTP it would take an hour.
 *
 * `shop`: 3 pods, together a profile every 10 s, 300 samples each (some 290 distinct stacks of 20,000). Its newest day is drawn profile by profile, the engine copies
 * it to the 29 days before. `fleet`: 50 pods, a profile a minute each, for the newest day, out of the profiles of `shop`. All arrived when they were
 * taken, so every hour is a partition. Stacks and series go in as uploads do, through `Store.append`.
 */
import { RefusalTally, SampleTableBuilder, StackTableBuilder } from '@pilotlight/profile';
import { uploadsOf } from '../../packages/server/dist/ingest/upload.js';
import { RowBinaryWriter } from '../../packages/server/dist/store/row-binary.js';
import { STORE_DEFAULTS, Store } from '../../packages/server/dist/store/store.js';
import { decodeUploadRecord } from '../../packages/server/dist/store/upload-record.js';
import { seeded, syntheticStacks } from '../server/synthetic.mjs';

export const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
export const DAYS = 30;
export const PROFILES_A_DAY = 8_640;
export const FLEET_PODS = 50;
const SHOP_PODS = 3;
const FLEET_EVERY_MS = 60_000;
const STACKS = 20_000;
const SAMPLES = 300;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const VALUE = 10_000_000;
const TENANT = 'anonymous';
const COLUMNS =
  'tenant String, profile_type String, service String, hour UInt32, series_id UInt64, time_ms Int64, duration_ms UInt32, total Int64, ' +
  'nodes Array(UInt64), values Array(Int64), upload_id FixedString(16), ingest_s UInt32, batch UInt64';
const NAMES = COLUMNS.replaceAll(/ [A-Z][^,]*/g, '');

export function openStore(folder) {
  return Store.open({
    folder,
    retentionAgeSeconds: 3_650 * 86_400,
    retentionBytes: 1e12,
    ...STORE_DEFAULTS,
    onTrouble: console.error,
  });
}

/** Fills a new folder; the newest profiles end at `endMs`, a whole hour. Returns the samples of the newest day of `shop`, and how long all roll-ups took. */
export async function makeDataSet(folder, endMs) {
  const random = seeded(42);
  const { names, stacks } = syntheticStacks(STACKS, random);
  const store = await openStore(folder);
  // All stacks once, and each series once at the end, so that the engine knows them; the rows of these uploads are two of a hundred thousand.
  const first = seed('shop', 'p0', endMs - DAYS * DAY, stacks);
  const record = decodeUploadRecord(first.bytes);
  const leaves = Float64Array.from(record.series[0].nodes, (row) => record.nodes.id[row]);
  for (let i = leaves.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [leaves[i], leaves[j]] = [leaves[j], leaves[i]];
  }
  const shop = Array.from({ length: SHOP_PODS }, (_, pod) => seed('shop', `p${pod}`, endMs - 1, stacks.slice(0, 1)));
  const fleet = Array.from({ length: FLEET_PODS }, (_, pod) => seed('fleet', `p${pod}`, endMs - 1, stacks.slice(0, 1)));
  const oldest = [...shop.keys()].map((pod) => seed('shop', `p${pod}`, endMs - DAYS * DAY + 1, stacks.slice(0, 1)));
  const start = [...fleet.keys()].map((pod) =>
    seed('fleet', `p${pod}`, endMs - DAY, stacks.slice(0, pod === 0 ? STACKS : 1)),
  );
  await store.append([first, ...shop, ...oldest, ...fleet, ...start]);
  await store.caughtUp();

  const day = newestDay(
    leaves,
    random,
    shop.map(({ seriesIds }) => seriesIds[0]),
    endMs,
  );
  await store.engine.insert({ table: 'pilotlight.profiles', columns: COLUMNS.split(', '), rows: day.rows });
  const copies = [`tenant = '${TENANT}'`, "service = 'shop'", `time_ms >= ${endMs - DAY}`, `time_ms < ${endMs - 1}`];
  for (let back = 1; back < DAYS; back++) await store.engine.execute(copyOfDay(copies, back));
  const pods = fleet.map(({ seriesIds }) => seriesIds[0]);
  for (let hour = 0; hour < 24; hour += 4) {
    const from = endMs - DAY + hour * HOUR;
    await store.engine.execute(fleetOf([...copies, `time_ms >= ${from}`, `time_ms < ${from + 4 * HOUR}`], pods));
  }
  await store.close();
  // Opened anew, it finds what went past it.
  const opened = await openStore(folder);
  const started = performance.now();
  await opened.rollUp();
  const rollUpMillis = performance.now() - started;
  await opened.close();
  return { samples: day.samples, rollUpMillis };

  function seed(service, pod, timeMs, ofStacks) {
    const table = new StackTableBuilder();
    const column = new SampleTableBuilder(1);
    for (const stack of ofStacks) {
      column.add(table.stack(stack.map((name) => table.frame(table.string(names[name]), 0, 0, 0, name))), 0, VALUE);
    }
    const profile = {
      stacks: table.finish(),
      ...column.finish(),
      sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      period: VALUE,
      timeNanos: 0n,
      durationNanos: 10e9,
    };
    const context = {
      tenant: TENANT,
      labels: new Map([
        ['service_name', service],
        ['pod', pod],
      ]),
      fromMs: timeMs,
      untilMs: timeMs + 10_000,
      receivedMs: timeMs,
      retentionAgeSeconds: 3_650 * 86_400,
      content: [],
      identity: '',
    };
    const named = { metric: 'process_cpu', profile, labels: [], periodSource: '' };
    return uploadsOf({ profiles: [named] }, context, new RefusalTally())[0];
  }
}

function newestDay(leaves, random, series, endMs) {
  const rows = new RowBinaryWriter(1 << 26);
  let samples = 0;
  for (let i = 0; i < PROFILES_A_DAY; i++) {
    const timeMs = endMs - DAY + i * 10_000;
    const sums = new Map();
    for (let k = 0; k < SAMPLES; k++) {
      // A few stacks are hot, most are rare.
      const node = leaves[Math.min(random(leaves.length), random(leaves.length))];
      sums.set(node, (sums.get(node) ?? 0) + VALUE);
    }
    const nodes = Float64Array.from(sums.keys()).sort();
    samples += nodes.length;
    rows.string(TENANT);
    rows.string(CPU);
    rows.string('shop');
    rows.uint32(Math.floor(timeMs / HOUR));
    rows.int64(series[i % series.length]);
    rows.int64(timeMs);
    rows.uint32(10_000);
    rows.int64(SAMPLES * VALUE);
    rows.int64Array(nodes);
    rows.int64Array(nodes.map((node) => sums.get(node)));
    rows.raw(
      Uint8Array.from({ length: 16 }, () => random(256)),
      false,
    );
    rows.uint32(Math.floor(timeMs / 1_000));
    rows.int64(1);
  }
  return { rows: rows.bytes(), samples };
}

function copyOfDay(where, back) {
  const replaced = new Map([
    ['hour', `hour - ${back * 24}`],
    ['time_ms', `time_ms - ${back * DAY}`],
    ['upload_id', `MD5(concat(upload_id, toString(${back})))`],
    ['ingest_s', `ingest_s - ${(back * DAY) / 1_000}`],
  ]);
  return copy(where, replaced, '');
}

/** Pod k of the fleet has a profile each minute: those of `shop` at ten seconds k modulo 6 of it. */
function fleetOf(where, pods) {
  const perMinute = FLEET_EVERY_MS / 10_000;
  const replaced = new Map([
    ['service', "'fleet'"],
    ['series_id', `[${pods.map((pod) => `toUInt64(${pod})`).join(', ')}][pod + 1]`],
    ['upload_id', "MD5(concat(upload_id, 'f', toString(pod)))"],
  ]);
  const own = `ARRAY JOIN arrayFilter(p -> p % ${perMinute} = intDiv(time_ms, 10000) % ${perMinute}, range(${pods.length})) AS pod`;
  return copy(where, replaced, own);
}

function copy(where, replaced, join) {
  const columns = NAMES.split(', ').map((name) => replaced.get(name) ?? name);
  return `INSERT INTO pilotlight.profiles (${NAMES}) SELECT ${columns.join(', ')} FROM pilotlight.profiles ${join} WHERE ${where.join(' AND ')}`;
}
