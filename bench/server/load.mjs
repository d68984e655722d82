import { Agent, request } from 'node:http';

/**
 * Sends `count` requests over `connections` at once; `make(i)` gives {path, headers, body}. Latencies in milliseconds, sorted. With `perSecond` a request has its
 * moment, and waits from then on, also for a connection: what a client sees that sends at its own pace.
 */
export async function send(url, connections, count, secondsMax, make, perSecond = Number.POSITIVE_INFINITY) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const latencies = [];
  let next = 0;
  let refused = 0;
  const started = performance.now();
  const one = (index) =>
    new Promise((resolve, reject) => {
      const { path, headers, body } = make(index);
      const from = Number.isFinite(perSecond) ? started + (index * 1_000) / perSecond : performance.now();
      const outgoing = request(
        { agent, hostname, port, path, method: 'POST', headers: { ...headers, 'content-length': body.length } },
        (answer) => {
          answer.resume();
          answer.on('end', () => {
            if (answer.statusCode === 200) latencies.push(performance.now() - from);
            else refused++;
            resolve();
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count && performance.now() - started < secondsMax * 1_000) {
        const index = next++;
        const early = started + (index * 1_000) / perSecond - performance.now();
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
        await one(index);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return { count: latencies.length, refused, seconds, rate: latencies.length / seconds, latencies };
}

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
