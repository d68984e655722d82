/**
 * What a reader takes from outside at most. Every reader has these as a parameter.
 *
 * Over `samplesMax`, `sampleTypesMax`, `tableRowsMax` or `nodesMax` the whole input is refused: a part of a profile would be a wrong
 * profile. The other limits cost only the element, which is cut or left out and counted as a `Refusal`.
 */
export interface ReadLimits {
  /** Samples of one profile: as they stand in a pprof; distinct ones where a format has a line or an event a sighting. */
  readonly samplesMax: number;
  /** Frames of one stack trace. A deeper one keeps its root side and ends in a marker frame. */
  readonly depthMax: number;
  /** Bytes of one name in UTF-8; the rest is cut off at a whole character. */
  readonly nameBytesMax: number;
  /** Sample types, that is values a sample. */
  readonly sampleTypesMax: number;
  /** Labels of one sample; those after them are left out. */
  readonly labelNamesMax: number;
  /** Bytes of one label's name; a longer one costs the label. */
  readonly labelNameBytesMax: number;
  /** Bytes of one label's value; a longer one costs the label. */
  readonly labelValueBytesMax: number;
  /** Rows of one table of the input: strings, functions, locations. Two bytes can make a row, so size is no bound. */
  readonly tableRowsMax: number;
  /** Nodes of the stack tree: what a small input with long inlined locations would otherwise blow up to. */
  readonly nodesMax: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = {
  samplesMax: 100_000,
  depthMax: 4096,
  nameBytesMax: 65_536,
  sampleTypesMax: 64,
  labelNamesMax: 30,
  labelNameBytesMax: 1024,
  labelValueBytesMax: 2048,
  tableRowsMax: 1_000_000,
  nodesMax: 4_000_000,
};
