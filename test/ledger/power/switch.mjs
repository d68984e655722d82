/** The power supply of a data folder: what processes write is recorded, and most kills are power cuts. */
import { cutPower, openJournal } from './cut.mjs';
import { recordedEnvironment } from './shim.mjs';
import { look, unseenChanges } from './unseen.mjs';

/** An fsync takes up to this long, so that much happens during one; on some disks, and so in some lives, very long. */
const DELAY_MICROS = [1_000, 4_000, 40_000];

export class PowerSwitch {
  #boot = 1;
  #before;
  #cuts = 0;
  #writes = 0;
  #dropped = 0;
  #names = 0;
  #undone = 0;

  constructor(library, folder, journal, random) {
    this.library = library;
    this.folder = folder;
    this.journal = journal;
    this.random = random;
    openJournal(journal);
  }

  environment() {
    const { library, folder, journal, random } = this;
    return recordedEnvironment({ library, folder, journal, boot: this.#boot, delayMicros: random.pick(DELAY_MICROS) });
  }

  /** Before a process is started. */
  begin() {
    this.#before = look(this.folder);
  }

  /**
   * After a process was killed: mostly the power goes too. Else what it did not sync stays in memory, and is lost by a later cut.
   *
   * @returns {string[]} Changes that were not recorded: the model does not hold.
   */
  end() {
    const faults = unseenChanges(this.folder, this.journal, this.#before);
    if (this.random.chance(0.75)) {
      const { writes, dropped, names, undone } = cutPower(this);
      this.#boot++;
      this.#cuts++;
      this.#writes += writes;
      this.#dropped += dropped;
      this.#names += names;
      this.#undone += undone;
    }
    return faults;
  }

  account() {
    return (
      `${this.#cuts} power cuts: ${this.#writes} writes were not synced, ${this.#dropped} pages of them dropped; ` +
      `${this.#names} names were not committed, ${this.#undone} undone`
    );
  }
}
