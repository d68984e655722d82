/** Rows by key, the latest touched first when listed; beyond `rowsMax` the one untouched for longest goes. */
export class LatestRows<Row> {
  private readonly rows = new Map<string, Row>();

  constructor(private readonly rowsMax: number) {}

  /** Puts what `change` makes of the row as it was. The key is of parts, so that no two keys meet by their joined text. */
  touch(key: readonly string[], change: (before: Row | undefined) => Row): void {
    const text = JSON.stringify(key);
    const row = change(this.rows.get(text));
    this.rows.delete(text);
    this.rows.set(text, row);
    for (const oldest of this.rows.keys()) {
      if (this.rows.size <= this.rowsMax) break;
      this.rows.delete(oldest);
    }
  }

  list(): Row[] {
    return [...this.rows.values()].reverse();
  }
}
