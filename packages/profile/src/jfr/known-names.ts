import { KnownTypes } from './known-types.js';
import { MethodNames } from './method-names.js';

const SYMBOL_BYTES_MAX = 8 * 2 ** 20;
const LETTERS_MAX = 16 * 2 ** 20;
const NAMES_MAX = 200_000;

/**
 * The names of the recordings read so far, for whoever reads many: those of the same program have nearly the same
 * ones, and need not make them again; nor the types of their events. Bounded by what one recording may add to 32 MB.
 */
export class JfrNames {
  readonly types = new KnownTypes();
  private names: MethodNames | undefined;

  /** For one reading, which hands them back when nothing was wrong: a reading that was given up may leave half a name. */
  take(nameBytesMax: number): MethodNames {
    const { names } = this;
    this.names = undefined;
    if (names === undefined || names.nameBytesMax !== nameBytesMax) return new MethodNames(nameBytesMax);
    const full = names.length > NAMES_MAX || names.letters > LETTERS_MAX || names.symbols.byteLength > SYMBOL_BYTES_MAX;
    return full ? new MethodNames(nameBytesMax) : names;
  }

  giveBack(names: MethodNames): void {
    this.names = names;
  }
}
