import { resolve } from 'node:path';
import { PilotlightError } from '@pilotlight/profile';
import { createApp } from './http/app.js';
import type { ServerOptions } from './options.js';
import { STORE_DEFAULTS, Store } from './store/store.js';

export interface RunningServer {
  /** For example `http://127.0.0.1:4040`. */
  readonly address: string;
  /** Stops taking, finishes what is under way, writes the log into the engine. */
  close(): Promise<void>;
}

/** How long a request under way is waited for at the end; a body that comes in drops has no claim on more. */
const FINISH_MILLIS_MAX = 5_000;

/** Opens the store, then listens: whoever can connect finds a server that is ready. @throws PilotlightError */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const folder = resolve(options.data);
  const store = await Store.open({
    folder,
    retentionAgeSeconds: options.retentionAge,
    retentionBytes: options.retentionBytes,
    ...STORE_DEFAULTS,
    retentionDetailsSeconds: options.retentionDetails,
    onTrouble: (message) => console.error(`pilotlight: ${message}`),
  });
  try {
    const app = await createApp(store, options);
    const { host, port } = options.listen;
    try {
      await app.listen({ host, port });
    } catch (thrown) {
      await app.close();
      const { code } = thrown as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw thrown;
      const why = code === 'EADDRINUSE' ? 'something else listens there' : code;
      throw new PilotlightError('configuration', `${host}:${port} can't be listened on: ${why}`, { cause: thrown });
    }
    const bound = app.server.address() as { port: number };
    return {
      address: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
      async close() {
        const impatience = setTimeout(() => app.server.closeAllConnections(), FINISH_MILLIS_MAX);
        await app.close().finally(() => clearTimeout(impatience));
        await store.close();
      },
    };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}
