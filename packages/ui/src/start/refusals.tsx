import type { RefusalReport } from '@pilotlight/protocol';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { shownName } from '../flame/flame-text.js';
import { printable } from '../names/printable.js';
import { Dialog } from '../page/dialog.js';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { formatTime } from '../view/time-range.js';
import { groupRefusals } from './refusal-table.js';

/** What this server lately turned away, by service, with the reason. */
export function Refusals({ store }: { store: PageStore }) {
  const reports = useMemo(() => signal<readonly RefusalReport[] | undefined>(undefined), []);
  const fault = useMemo(() => signal(''), []);
  const now = store.clock.now.value;
  // Each tick of the clock asks anew.
  useEffect(() => {
    const abort = new AbortController();
    store.client.refusals(abort.signal).then(
      (answer) => {
        if (abort.signal.aborted) return;
        reports.value = answer;
        fault.value = '';
      },
      (thrown: unknown) => {
        if (!abort.signal.aborted) fault.value = faultText(thrown);
      },
    );
    return () => abort.abort();
  }, [store, now, reports, fault]);

  if (fault.value !== '') return <p class="fault">The server did not say what it refused: {fault.value}</p>;
  if (reports.value === undefined) return <p class="muted">Asking the server …</p>;
  const groups = groupRefusals(reports.value);
  if (groups.length === 0) {
    return (
      <p>
        Nothing was refused since this server started. What is missing never arrived: look at the log of the program's
        agent, at the address it sends to, and at what lies between it and here.
      </p>
    );
  }
  return (
    <table class="refusals">
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col">Reason</th>
          <th scope="col" class="number">
            Times
          </th>
          <th scope="col">Last</th>
          <th scope="col">What was wrong</th>
        </tr>
      </thead>
      <tbody>
        {groups.flatMap(({ service, refusals }) =>
          refusals.map((refusal, index) => (
            <tr key={`${service} ${refusal.reason}`}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={refusals.length}>
                  {service === '' ? '(no name)' : shownName(service)}
                </th>
              )}
              <td>
                <code>{printable(refusal.reason)}</code>
              </td>
              <td class="number">{refusal.count.toLocaleString('en-US')}</td>
              <td class="time">{formatTime(Date.parse(refusal.last))}</td>
              <td>{printable(refusal.message)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

interface MissingServiceDialogProps {
  readonly store: PageStore;
  readonly onClose: () => void;
}

export function MissingServiceDialog({ store, onClose }: MissingServiceDialogProps) {
  return (
    <Dialog title="Why is my service missing?" onClose={onClose}>
      <p>
        A service is listed in the time ranges between its first and its last profile. What the server turned away since
        it started is listed here.
      </p>
      <Refusals store={store} />
    </Dialog>
  );
}
