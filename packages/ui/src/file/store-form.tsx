import { useState } from 'preact/hooks';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { formatTime } from '../view/time-range.js';
import { INITIAL_VIEW } from '../view/view-state.js';
import type { FileContent } from './file-reading.js';
import { serviceOf } from './service-name.js';

interface StoreFormProps {
  readonly store: PageStore;
  readonly file: File;
  readonly content: FileContent;
}

/** Sends the file to the server: the one thing that does. */
export function StoreForm({ store, file, content }: StoreFormProps) {
  const [service, setService] = useState(serviceOf(file.name));
  const [when, setWhen] = useState<'now' | 'own'>('now');
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState('');
  const send = async () => {
    setSending(true);
    setFault('');
    const end = when === 'own' ? content.start + content.durationMillis : Date.now();
    const range = { start: when === 'own' ? content.start : end - content.durationMillis, end };
    try {
      await store.client.upload(file, { name: service, format: content.format, range, keep: when === 'own' });
      store.file.value = undefined;
      store.clock.tick();
      const margin = 30 * 60_000;
      const fixed = { kind: 'fixed' as const, start: Math.floor(range.start - margin), end: Math.ceil(end + margin) };
      store.view.change({ ...INITIAL_VIEW, service, ...(when === 'own' ? { range: fixed } : {}) });
      store.say(`Stored as ${service}`);
    } catch (thrown) {
      setFault(`The server did not take it: ${faultText(thrown)}`);
      setSending(false);
    }
  };
  return (
    <form
      class="store-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="stacked">
        <span>Service</span>
        <input
          type="text"
          required
          maxLength={200}
          value={service}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setService(event.currentTarget.value)}
        />
      </label>
      <label class="stacked">
        <span>Time</span>
        <select value={when} onChange={(event) => setWhen(event.currentTarget.value as 'now' | 'own')}>
          <option value="now">As if it had just ended</option>
          {content.start > 0 && <option value="own">Its own: {formatTime(content.start)}</option>}
        </select>
      </label>
      <button type="submit" class="primary" disabled={isSending || service === ''}>
        {isSending ? 'Sending …' : 'Send it to the server'}
      </button>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
