/** Labels as the Java agent takes them from its environment, and the `name` they become in the query of an upload. */

export type Labels = ReadonlyMap<string, string>;

export interface LabelsReading {
  readonly labels: Labels;
  /** Entries that were no label; empty ones do not count. */
  readonly dropped: number;
}

/** `k=v,k=v`; an entry without exactly one `=`, or with a space or one of `{},=` in it, is dropped. */
export function labelsOf(text: string): LabelsReading {
  const labels = new Map<string, string>();
  let dropped = 0;
  for (const entry of text.split(',')) {
    if (entry.trim() === '') continue;
    const match = /^([^{}=\s]+)=([^{}=\s]+)$/.exec(entry.trim());
    if (match === null) dropped++;
    else labels.set(match[1] as string, match[2] as string);
  }
  return { labels, dropped };
}

/** `app` or `app{k=v,k=v}`. Throws an Error when there is no name or the name could not be told from labels. */
export function nameAndLabelsOf(text: string): LabelsReading & { readonly name: string } {
  const match = /^([^{}=,\s][^{}=,]*)(?:\{([^{}]*)\})?$/.exec(text.trim());
  if (match === null) throw new Error('is not a name, or a name and labels as in app{k=v}');
  return { name: (match[1] as string).trim(), ...labelsOf(match[2] ?? '') };
}

/** `app{k=v,k=v}`, labels sorted by name; what runs is told the way the Java agent does, unless the operator said otherwise. */
export function ingestName(applicationName: string, labels: Labels, nodeVersion: string): string {
  const all = new Map([['process.runtime.name', 'nodejs'], ['process.runtime.version', nodeVersion], ...labels]);
  const pairs = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
  return `${applicationName}{${pairs.join(',')}}`;
}
