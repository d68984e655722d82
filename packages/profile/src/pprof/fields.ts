/**
 * Field numbers of the pprof messages, as google/pprof's `proto/profile.proto` documents them; only those read or written here.
 * Strings are indexes into `stringTable`. Ids are uint64 of the writer's choice; 0 means "none".
 */
export const PROFILE = {
  sampleType: 1,
  sample: 2,
  location: 4,
  function: 5,
  stringTable: 6,
  dropFrames: 7,
  keepFrames: 8,
  timeNanos: 9,
  durationNanos: 10,
  periodType: 11,
  period: 12,
} as const;

export const VALUE_TYPE = { type: 1, unit: 2 } as const;

/** Location ids come leaf first. */
export const SAMPLE = { locationId: 1, value: 2, label: 3 } as const;

/** A label has either `text` or a number; numeric labels are not read. */
export const LABEL = { key: 1, text: 2 } as const;

/** Several lines: the last one is the function the address lies in, each before it was inlined into the next. */
export const LOCATION = { id: 1, address: 3, line: 4 } as const;

export const LINE = { functionId: 1, line: 2 } as const;

export const FUNCTION = { id: 1, name: 2, systemName: 3, filename: 4, startLine: 5 } as const;
