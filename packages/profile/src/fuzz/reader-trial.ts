import { checkProfile } from '../check.js';
import { PilotlightError } from '../errors.js';
import type { Reading } from '../model.js';
import { mutate } from './mutate.js';
import { Random } from './random.js';

export interface ReaderTrial {
  /** Inputs the reader takes; each run damages one. */
  readonly inputs: readonly Uint8Array[];
  readonly read: (bytes: Uint8Array) => Reading;
  readonly seed: number;
  readonly runs: number;
  /** The trial ends here although runs are left. */
  readonly millisMax?: number;
}

export interface ReaderTrialResult {
  readonly runs: number;
  readonly read: number;
  readonly refused: number;
}

/**
 * Gives a reader damaged inputs. It must answer each with a reading whose profiles keep the invariants, or with a
 * `PilotlightError` other than `internal`; the first answer that is neither is thrown as an `Error` that names seed and run, with the
 * mutant in hexadecimal.
 */
export function tryReader(trial: ReaderTrial): ReaderTrialResult {
  const random = new Random(trial.seed);
  const end = Date.now() + (trial.millisMax ?? Number.POSITIVE_INFINITY);
  let read = 0;
  let refused = 0;
  let run = 0;
  for (; run < trial.runs && Date.now() < end; run++) {
    const mutant = mutate(random.pick(trial.inputs), random);
    try {
      for (const { profile } of trial.read(mutant).profiles) checkProfile(profile);
      read++;
    } catch (error) {
      if (error instanceof PilotlightError && error.code !== 'internal') refused++;
      else throw new Error(`seed ${trial.seed}, run ${run}, input ${hexadecimal(mutant)}`, { cause: error });
    }
  }
  return { runs: run, read, refused };
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
