import { useEffect } from 'preact/hooks';
import type { PageStore } from './page-store.js';

const SHOWN_MILLIS = 3_000;

/** What was just done, for a moment, and aloud. */
export function Message({ store }: { store: PageStore }) {
  const text = store.message.value;
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => {
      store.message.value = '';
    }, SHOWN_MILLIS);
    return () => clearTimeout(timer);
  }, [store, text]);
  return (
    <div role="status" class={text === '' ? 'message' : 'message shown'}>
      {text}
    </div>
  );
}
