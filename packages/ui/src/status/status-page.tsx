import type { StatusReport } from '@pilotlight/protocol';
import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { resource } from '../data/resource.js';
import { shownName } from '../flame/flame-text.js';
import { printable } from '../names/printable.js';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { Refusals } from '../start/refusals.js';
import { formatValue } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';
import { uploadRate } from './upload-rate.js';

const REFRESH_MILLIS = 5_000;

/** How the server is: what comes in, what it refuses, what it keeps, and who sends. Asked anew every five seconds while it is seen. */
export function StatusPage({ store }: { store: PageStore }) {
  const { reports, ticks } = useMemo(() => statusOf(store), [store]);
  useEffect(() => {
    document.title = 'Status · Pilotlight';
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') ticks.value++;
    }, REFRESH_MILLIS);
    return () => {
      clearInterval(timer);
      reports.stop();
    };
  }, [reports, ticks]);
  const pair = reports.data.value;
  const fault = reports.error.value;
  return (
    <main class="start status">
      <h1>Status</h1>
      {fault && <p class="fault">The server did not tell its status: {faultText(fault)}</p>}
      {pair === undefined ? (
        !fault && <p class="muted">Asking the server …</p>
      ) : (
        <StatusTables store={store} report={pair.latest} rate={uploadRate(pair)} />
      )}
    </main>
  );
}

interface Timed {
  readonly report: StatusReport;
  readonly at: number;
}

function statusOf(store: PageStore) {
  const ticks = signal(0);
  const seen: Timed[] = [];
  const reports = resource(
    computed(() => ticks.value + 1),
    async (_, abort) => {
      const report = await store.client.status(abort);
      seen.push({ report, at: performance.now() });
      if (seen.length > 13) seen.shift();
      const first = seen[0] as Timed;
      return { latest: report, earlier: first.report, seconds: (performance.now() - first.at) / 1_000 };
    },
  );
  return { reports, ticks };
}

function StatusTables({ store, report, rate }: { store: PageStore; report: StatusReport; rate: string }) {
  const { retention } = report;
  return (
    <>
      <dl class="facts">
        <Fact name="Version">{report.version}</Fact>
        <Fact name="Running since">{timeOf(report.startedAt)}</Fact>
        <Fact name="Uploads taken">{count(report.uploads)}</Fact>
        <Fact name="Uploads now">{rate}</Fact>
        <Fact name="Sent twice, kept once">{count(report.uploadsKnown)}</Fact>
        <Fact name="Refused">{count(report.refused)}</Fact>
        <Fact name="Series">{count(report.series)}</Fact>
        <Fact name="On disk">
          {bytes(report.storeBytes)}
          {retention.bytes > 0 && ` of ${bytes(retention.bytes)}`}
        </Fact>
        <Fact name="Kept for">{retention.ageSeconds > 0 ? spanText(retention.ageSeconds) : 'ever'}</Fact>
        <Fact name="In the log, to be drained">
          {count(report.logRecords)} uploads, {bytes(report.logBytes)}
        </Fact>
        <Fact name="Set aside">{count(report.setAside)}</Fact>
      </dl>
      <section>
        <h2>Agents</h2>
        <Table
          empty="Nothing was uploaded since this server started."
          head={['Service', 'Agent', 'Uploads#', 'Refused#', 'Last upload', 'Last refusal']}
          rows={report.agents.map((agent) => [
            shownName(agent.service),
            printable([agent.spyName, agent.userAgent].filter((name) => name !== '').join(' · ')) || '(no name)',
            count(agent.uploads),
            count(agent.refusals),
            timeOf(agent.lastUpload),
            agent.lastRefusal === undefined ? '' : `${timeOf(agent.lastRefusal)} ${agent.lastReason ?? ''}`,
          ])}
        />
      </section>
      <section>
        <h2>Refused</h2>
        <Refusals store={store} />
      </section>
      <section>
        <h2>Storage by service</h2>
        <Table
          empty="Nothing is stored."
          head={['Service', 'On disk#', 'Profiles#', 'Samples#', 'Oldest', 'Newest']}
          rows={report.services.map((service) => [
            shownName(service.service),
            bytes(service.bytes),
            count(service.profiles),
            count(service.samples),
            timeOf(service.oldest),
            timeOf(service.newest),
          ])}
        />
      </section>
      <section>
        <h2>Storage by table</h2>
        <Table
          empty="Nothing is stored."
          head={['Table', 'On disk#', 'Rows#']}
          rows={report.tables.map(({ table, rows, bytes: size }) => [table, bytes(size), count(rows)])}
        />
      </section>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Headings that end in `#` are of numbers. The first column names the row. */
function Table({
  head,
  rows,
  empty,
}: {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  empty: string;
}) {
  if (rows.length === 0) return <p class="muted">{empty}</p>;
  const numberClass = (column: number) => (head[column]?.endsWith('#') ? 'number' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by the keyboard too
    <div class="status-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((title, column) => (
              <th key={title} scope="col" class={numberClass(column)}>
                {title.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells.slice(0, 2).join(' ')}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={head[column]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={head[column]} class={numberClass(column)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const spanText = (seconds: number) =>
  seconds >= 172_800
    ? `${(seconds / 86_400).toFixed(1).replace('.0', '')} days`
    : formatValue(seconds * 1e9, 'nanoseconds');
const count = (value: number) => value.toLocaleString('en-US');
const bytes = (value: number) => formatValue(value, 'bytes');
const timeOf = (iso: string | undefined) => (iso ? formatTime(Date.parse(iso)) : '');
