/** Lives of one data folder: the server is started, pushed to, asked and killed, until it was killed often enough. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@pilotlight/protocol';
import { Client, ON_ITS_WAY } from './client.mjs';
import { Ledger } from './ledger.mjs';
import { PowerSwitch } from './power/switch.mjs';
import { everythingHeld } from './questions.mjs';
import { Random } from './random.mjs';
import { ServerLife } from './server.mjs';

const OLD_HOURS = fileURLToPath(new URL('old-hours.mjs', import.meta.url));
/** Hours ago of what retention finds to drop: whole hours of this week, and whole weeks. */
const OLD = [4, 30, 200, 400, 700];
const RETENTION_AGE = '2h';
const CLIENTS = 4;
const SERVICES = ['ledger_a', 'ledger_b', 'ledger_c'];
const GONE_MILLIS_MAX = 15_000;
/** Far beyond what a start or the answers take on a busy machine: a server that hangs is a fault, not a test that hangs. */
const HANGS_MILLIS = 90_000;

/** When a life is killed, and how often: as the program starts, under pushes, while queries hasten the drains, as it ends. */
const MOMENTS = [
  'starting',
  'starting',
  'pushing',
  'pushing',
  'pushing',
  'draining',
  'draining',
  'draining',
  'closing',
];

/**
 * @typedef {object} Outcome
 * @property {number} pushes
 * @property {number} acknowledged
 * @property {number} found Pushes the server held at the last check.
 * @property {number} kills
 * @property {number} checks Times everything was compared.
 * @property {number} slowestStartMillis
 * @property {string[]} faults
 * @property {string} notes What the power cuts took, in words; empty without.
 */

export class LedgerRun {
  ledger = new Ledger();
  faults = [];
  kills = 0;
  checks = 0;
  slowestStartMillis = 0;
  #random;
  #clients;
  #power;
  #typicalStartMillis = 1_000;
  /** Called with each push that is acknowledged. */
  #onAcknowledged = () => {};

  /**
   * @param {{ folder: string, seed: number, kills: number, program: string, library?: string,
   *   say?: (line: string) => void }} options `library`: the shim; with it the power is cut at most kills.
   */
  constructor(options) {
    this.options = options;
    this.data = join(options.folder, 'data');
    mkdirSync(this.data, { recursive: true });
    this.#random = new Random(options.seed);
    if (options.library !== undefined) {
      this.#power = new PowerSwitch(options.library, this.data, join(options.folder, 'journal'), this.#random.fork());
    }
    this.#clients = Array.from({ length: CLIENTS }, (_, number) => {
      const service = SERVICES[number % SERVICES.length];
      const onFault = (fault) => this.faults.push(fault);
      const onAcknowledged = (entry) => this.#onAcknowledged(entry);
      return new Client({ service, number, ledger: this.ledger, random: this.#random.fork(), onFault, onAcknowledged });
    });
  }

  /** @returns {Promise<Outcome>} */
  async run() {
    for (let life = 0; this.kills < this.options.kills && this.faults.length === 0; life++) {
      const old = life % 6 === 2;
      if (old) await this.#addOldHours(life);
      if (this.faults.length === 0) await this.#live(life, old);
    }
    if (this.faults.length === 0) await this.#lastLives();
    const { ledger, faults, kills, checks, slowestStartMillis } = this;
    const { acknowledged, found } = ledger;
    const notes = this.#power?.account() ?? '';
    return { pushes: ledger.entries.length, acknowledged, found, kills, checks, slowestStartMillis, faults, notes };
  }

  async #live(number, old) {
    const random = this.#random.fork();
    const moment = old ? 'retaining' : random.pick(MOMENTS);
    const life = this.#start();
    if (moment === 'starting') {
      await Promise.race([sleep(random.between(0, this.#typicalStartMillis)), life.gone]);
      return this.#end(life, `${number} (${moment})`);
    }
    const address = await this.#readiness(life);
    if (address === undefined) return;
    const over = new AbortController();
    const asking = new AbortController();
    over.signal.addEventListener('abort', () => asking.abort());
    const tasks = this.#clients.map((client) => client.push(address, over.signal));
    if (moment === 'draining') tasks.push(this.#hastenDrains(address, asking.signal));
    const check = random.chance(0.7) ? this.#check(address, false, asking.signal) : undefined;
    if (check !== undefined && random.chance(0.6)) await Promise.race([check, life.gone]);
    const longest = moment === 'retaining' ? 1_200 : 1_800;
    await Promise.race([sleep(random.between(0, longest)), life.gone]);
    if (moment === 'closing') {
      // A server that ends may refuse to answer; clients count what is acknowledged all the same.
      asking.abort();
      life.terminate();
      await Promise.race([sleep(random.between(0, 400)), life.gone]);
    }
    if (moment === 'answered')
      await Promise.race([this.#acknowledgment(life, random.chance(0.7)), sleep(1_000), life.gone]);
    // The kill comes first: a client that stops by itself would never be cut off.
    const end = this.#end(life, `${number} (${moment})`, moment === 'closing');
    over.abort();
    await Promise.all([end, ...tasks, check]);
  }

  /** Kills with the next acknowledgment, before anything else can happen; `early`: while the same push is on its way once more. */
  #acknowledgment(life, early) {
    return new Promise((resolve) => {
      this.#onAcknowledged = (entry) => {
        if (early && !entry.sendings.includes(ON_ITS_WAY)) return;
        this.#onAcknowledged = () => {};
        resolve(life.kill());
      };
    });
  }

  /** Everything is acknowledged at last, and compared in quiet: as it is, after a clean end, and after one more kill. */
  async #lastLives() {
    for (const end of ['clean', 'kill', 'kill']) {
      const life = this.#start();
      const address = await this.#readiness(life);
      if (address === undefined) return;
      const never = new AbortController();
      life.gone.then(() => never.abort());
      await Promise.all(this.#clients.map((client) => client.finish(address, never.signal)));
      await this.#check(address, true, never.signal);
      if (end === 'clean') await this.#checkOldIsGone(address);
      if (end === 'clean') life.terminate();
      if (end === 'clean') await Promise.race([sleep(GONE_MILLIS_MAX), life.gone]);
      await this.#end(life, `last (${end})`, end === 'clean');
      if (this.faults.length > 0) return;
    }
  }

  #start() {
    this.#power?.begin();
    return new ServerLife(this.options.program, {
      PILOTLIGHT_LISTEN: '127.0.0.1:0',
      PILOTLIGHT_DATA: this.data,
      PILOTLIGHT_RETENTION_AGE: RETENTION_AGE,
      ...this.#power?.environment(),
    });
  }

  async #readiness(life) {
    const address = await Promise.race([life.ready, sleep(HANGS_MILLIS, undefined, { ref: false })]);
    if (address === undefined) {
      const how = life.ending === undefined ? 'hangs' : `ended with ${life.ending}`;
      this.faults.push(`the server did not start, it ${how}: ${life.complaints}`);
      await life.kill();
      return undefined;
    }
    const millis = performance.now() - life.startedAt;
    this.#typicalStartMillis = millis;
    this.slowestStartMillis = Math.max(this.slowestStartMillis, millis);
    return address;
  }

  async #end(life, name, mayEnd = false) {
    this.#onAcknowledged = () => {};
    if (await life.kill()) this.kills++;
    else if (!(mayEnd && life.ending === 0)) {
      this.faults.push(`life ${name}: the server ended by itself with ${life.ending}: ${life.complaints}`);
    }
    const trouble = life.complaints.trim();
    if (trouble !== '') this.options.say?.(`life ${name}: ${trouble}`);
    if (this.#power !== undefined) this.faults.push(...this.#power.end());
  }

  async #check(address, quiet, signal) {
    const asOf = this.ledger.now();
    let held;
    try {
      held = await everythingHeld(address, SERVICES, AbortSignal.any([signal, AbortSignal.timeout(HANGS_MILLIS)]));
    } catch (thrown) {
      if (!wasCutOff(thrown, signal)) this.faults.push(`a query failed: ${thrown.message}`);
      return;
    }
    this.faults.push(...this.ledger.check(held, asOf, quiet));
    this.checks++;
  }

  async #hastenDrains(address, signal) {
    const client = createClient({ baseUrl: address });
    while (!signal.aborted) {
      try {
        await client.profileTypes({ start: 0, end: Date.now() }, signal);
        await sleep(30, undefined, { signal });
      } catch (thrown) {
        if (!wasCutOff(thrown, signal)) this.faults.push(`a query failed: ${thrown.message}`);
        return;
      }
    }
  }

  async #addOldHours(life) {
    this.#power?.begin();
    const args = [OLD_HOURS, this.data, String(life), ...OLD.map(String)];
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, UV_THREADPOOL_SIZE: '16', ...this.#power?.environment() };
    try {
      await promisify(execFile)(process.execPath, args, { env, timeout: HANGS_MILLIS });
    } catch (thrown) {
      this.faults.push(`the store did not open to take old hours: ${thrown.message}`);
    }
  }

  async #checkOldIsGone(address) {
    const client = createClient({ baseUrl: address });
    for (const since = performance.now(); ; await sleep(200)) {
      const left = await client.series({ start: 0, end: Date.now() }, ['{service_name="ledger_old"}']);
      if (left.length === 0) return;
      if (performance.now() - since > GONE_MILLIS_MAX) {
        this.faults.push(`retention left ${left.length} series of what is too old`);
        return;
      }
    }
  }
}

/** The server was killed while it answered, or before; `fetch` says so with the error of the socket as the cause. */
function wasCutOff(thrown, signal) {
  return signal.aborted || thrown.cause?.code !== undefined || thrown.message === 'terminated';
}
