/** A client that pushes as agents do: again and again until it is told 200, and sometimes once more. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePush, requestOf } from './pushes.mjs';

const TIMEOUT_MILLIS = 10_000;
const PAUSE_MILLIS_MAX = 40;
/** What is noted of a sending that has no answer yet. */
export const ON_ITS_WAY = 'on its way';
/** A server that is full or not there says so with these; everything else is a fault. */
const COME_BACK = new Set([429, 503]);

export class Client {
  /** Pushes that were sent and not acknowledged. @type {import('./ledger.mjs').Entry[]} */
  pending = [];
  /** Acknowledged ones, some of which are sent again. @type {import('./ledger.mjs').Entry[]} */
  #done = [];
  #nextId;

  /**
   * @param {{ service: string, number: number, ledger: import('./ledger.mjs').Ledger,
   *   random: import('./random.mjs').Random, onFault: (fault: string) => void,
   *   onAcknowledged: (entry: import('./ledger.mjs').Entry) => void }} options
   */
  constructor(options) {
    this.options = options;
    this.#nextId = options.number;
  }

  /** Pushes until `signal` is aborted. */
  async push(address, signal) {
    const { random } = this.options;
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    try {
      while (!signal.aborted) {
        const entry = this.#next();
        const sendings = [this.#send(entry, address, agent, signal)];
        // The second arrives while the first is on its way to the disk.
        if (random.chance(0.2)) sendings.push(this.#send(entry, address, agent, signal));
        await Promise.all(sendings);
        await sleep(random.below(PAUSE_MILLIS_MAX));
      }
    } finally {
      agent.destroy();
    }
  }

  /** Sends what is not acknowledged until it is. */
  async finish(address, signal) {
    const agent = new Agent({ keepAlive: true });
    try {
      while (this.pending.length > 0 && !signal.aborted) {
        const [entry] = this.pending;
        await this.#send(entry, address, agent, signal);
        if (this.pending[0] === entry) await sleep(50);
      }
    } finally {
      agent.destroy();
    }
  }

  #next() {
    const { random, ledger, service } = this.options;
    if (this.pending.length > 0 && random.chance(0.5)) return random.pick(this.pending);
    if (this.#done.length > 0 && random.chance(0.1)) return random.pick(this.#done);
    const id = this.#nextId;
    this.#nextId += 1_000;
    const entry = ledger.add(makePush(id, service, random));
    // A few are never sent again: an upload nobody was told of may be there or not.
    if (!random.chance(0.1)) this.pending.push(entry);
    return entry;
  }

  async #send(entry, address, agent, signal) {
    const { ledger, onFault, onAcknowledged } = this.options;
    const sending = entry.sendings.length;
    entry.sendings.push(ON_ITS_WAY);
    const { path, headers, body } = requestOf(entry.push, sending);
    const answer = await post(new URL(path, address), headers, body, agent, signal);
    entry.sendings[sending] = `${answer.status ?? answer.failure}`;
    if (answer.status === 200) {
      ledger.acknowledge(entry);
      onAcknowledged(entry);
      const index = this.pending.indexOf(entry);
      if (index >= 0) this.pending.splice(index, 1);
      if (!this.#done.includes(entry)) this.#done.push(entry);
    } else if (answer.status !== undefined && !COME_BACK.has(answer.status)) {
      onFault(`push ${entry.push.id} was answered ${answer.status}: ${answer.text}`);
    }
  }
}

/** @returns {Promise<{ status?: number, text?: string, failure?: string }>} */
function post(url, headers, body, agent, signal) {
  return new Promise((resolve) => {
    const outgoing = request(url, { method: 'POST', headers, agent, signal, timeout: TIMEOUT_MILLIS }, (answer) => {
      let text = '';
      // The status is the acknowledgment, however the answer ends.
      if (answer.statusCode === 200) resolve({ status: 200 });
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('error', (error) => resolve({ failure: error.code ?? error.message }));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')));
    outgoing.on('error', (error) => resolve({ failure: error.code ?? error.message }));
    outgoing.end(body);
  });
}
