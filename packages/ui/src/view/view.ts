import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { readAddress, writeAddress } from './address.js';
import { INITIAL_VIEW, type ViewState } from './view-state.js';

/** `push`: the back button returns to what was before; `replace`: it does not, as for typing. */
export type ChangeKind = 'push' | 'replace';

/** Where the view is written to: the browser's address, or a test's. */
export interface AddressBar {
  /** The query, without its question mark. */
  read(): string;
  write(query: string, kind: ChangeKind): void;
  /** Calls back when the reader went back or forth. */
  listen(listener: () => void): void;
}

/** What the reader looks at: the state that the address holds, and the only way to change it. */
export class View {
  private readonly current: Signal<ViewState>;
  private readonly fields = new Map<keyof ViewState, ReadonlySignal<unknown>>();

  constructor(private readonly addressBar: AddressBar) {
    this.current = signal(readAddress(addressBar.read()));
    for (const key of Object.keys(INITIAL_VIEW) as (keyof ViewState)[]) {
      this.fields.set(
        key,
        computed(() => this.current.value[key]),
      );
    }
    addressBar.listen(() => {
      this.current.value = readAddress(addressBar.read());
    });
  }

  /** One part of it. Whoever asks within an effect or a component is woken when that part changes, and by nothing else. */
  get<Key extends keyof ViewState>(key: Key): ViewState[Key] {
    return (this.fields.get(key) as ReadonlySignal<ViewState[Key]>).value;
  }

  /** All of it as it is now; wakes nobody. */
  peek(): ViewState {
    return this.current.peek();
  }

  change(changes: Partial<ViewState>, kind: ChangeKind = 'push'): void {
    const before = writeAddress(this.current.peek());
    this.current.value = { ...this.current.peek(), ...changes };
    const after = writeAddress(this.current.peek());
    if (after !== before) this.addressBar.write(after, kind);
  }
}

/** Browsers refuse more than a few hundred changes of the address in a few seconds: typing waits for a pause. */
const REPLACE_DELAY_MILLIS = 150;

export function browserAddressBar(browser: Window): AddressBar {
  let waiting: { query: string; timer: number } | undefined;
  const urlOf = (query: string) => (query === '' ? browser.location.pathname : `?${query}`);
  const flush = () => {
    if (waiting === undefined) return;
    browser.clearTimeout(waiting.timer);
    browser.history.replaceState(null, '', urlOf(waiting.query));
    waiting = undefined;
  };
  return {
    read: () => browser.location.search.slice(1),
    write(query, kind) {
      if (kind === 'push') {
        flush();
        browser.history.pushState(null, '', urlOf(query));
        return;
      }
      if (waiting !== undefined) browser.clearTimeout(waiting.timer);
      waiting = { query, timer: browser.setTimeout(flush, REPLACE_DELAY_MILLIS) };
    },
    listen(listener) {
      browser.addEventListener('popstate', () => {
        if (waiting !== undefined) browser.clearTimeout(waiting.timer);
        waiting = undefined;
        listener();
      });
      // A link copied or a page left right after the last key must hold it.
      browser.addEventListener('pagehide', flush);
    },
  };
}
