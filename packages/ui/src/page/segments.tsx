interface SegmentsProps<Value extends string> {
  /** What is chosen, said aloud. */
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly text: string; readonly title?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** One of a few, all in sight. */
export function Segments<Value extends string>({ legend, options, chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{legend}</legend>
      {options.map(({ value, text, title }) => (
        <button key={value} type="button" aria-pressed={chosen === value} title={title} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
