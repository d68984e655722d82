import type { AddressBar, ChangeKind } from '../view/view.js';

/** An address bar with a history, for tests: a push adds to it, a replace does not. */
export class TestAddressBar implements AddressBar {
  private readonly entries: string[];
  private at = 0;
  private listener: () => void = () => {};

  constructor(query = '') {
    this.entries = [query];
  }

  read(): string {
    return this.entries[this.at] as string;
  }

  write(query: string, kind: ChangeKind): void {
    if (kind === 'push') this.entries.splice(++this.at, Number.POSITIVE_INFINITY, query);
    else this.entries[this.at] = query;
  }

  listen(listener: () => void): void {
    this.listener = listener;
  }

  back(): void {
    this.at--;
    this.listener();
  }
}
