import { PilotlightError } from '../errors.js';

const LETTERS_BASE = 16 * 2 ** 20;
const LETTERS_PER_BYTE = 4;

/**
 * The letters that names and labels may take in one reading. A name joins a class and a method, a label set names
 * strings of the snapshot: few bytes could each stand for a text as long as its limit allows. Real recordings stay
 * below one letter a byte.
 */
export class LetterBudget {
  private readonly lettersMax: number;
  private left: number;

  constructor(inputBytes: number) {
    this.lettersMax = LETTERS_BASE + inputBytes * LETTERS_PER_BYTE;
    this.left = this.lettersMax;
  }

  take(letters: number): void {
    this.left -= letters;
    if (this.left >= 0) return;
    throw new PilotlightError('profile_size_limit', `names and labels take more than ${this.lettersMax} letters`, {
      limit: this.lettersMax,
    });
  }
}
