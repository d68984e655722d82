/** A server as the agent sees it: a real socket that reads what it gets with the reader of `@pilotlight/profile`. */
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type Profile, readPprof } from '@pilotlight/profile';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly profile: Profile;
}

export interface Reply {
  readonly status: number;
  readonly body?: string;
}

export class Receiver {
  readonly received: Received[] = [];
  /** What to answer; undefined lets the client wait. */
  reply: () => Reply | undefined = () => ({ status: 200 });
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://receiver');
      this.received.push({
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        profile: profileIn(Buffer.concat(chunks)),
      });
      const reply = this.reply();
      if (reply !== undefined) response.writeHead(reply.status).end(reply.body);
    });
  });

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function profileIn(body: Buffer): Profile {
  const { profiles, refusals } = readPprof(gunzipSync(body));
  if (profiles.length !== 1 || refusals.length > 0)
    throw new Error(`not one whole profile: ${JSON.stringify(refusals)}`);
  return (profiles[0] as (typeof profiles)[number]).profile;
}

/** CPU nanoseconds by name of the function on top, and all of them under ''. */
export function selfCpu(profiles: readonly Profile[]): Map<string, number> {
  const sums = new Map<string, number>([['', 0]]);
  for (const { stacks, samples, sampleTypes } of profiles) {
    const values = samples.values[sampleTypes.findIndex(({ type }) => type === 'cpu')] as Float64Array;
    for (let i = 0; i < samples.length; i++) {
      const frame = stacks.nodes.frame[samples.node[i] as number] as number;
      const name = stacks.strings[stacks.frames.name[frame] as number] as string;
      const value = values[i] as number;
      sums.set(name, (sums.get(name) ?? 0) + value);
      sums.set('', (sums.get('') as number) + value);
    }
  }
  return sums;
}
