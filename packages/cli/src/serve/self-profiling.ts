import type { ServerOptions } from '@pilotlight/server';

/** Hosts to listen on that are no address to send to. */
const ANY_HOST = new Set(['0.0.0.0', '::']);

/**
 * The agent's settings by which a server profiles itself and sends the profiles to itself, so that there is something to see
 * from the first minute. What the user has set stays; `PYROSCOPE_AGENT_ENABLED=false` turns it off.
 *
 * @returns Variables to set. None when the system chooses the port: nobody knows the address yet.
 */
export function selfProfiling(
  env: NodeJS.ProcessEnv,
  { listen, token }: Pick<ServerOptions, 'listen' | 'token'>,
): Record<string, string> {
  if (listen.port === 0) return {};
  const host = ANY_HOST.has(listen.host) ? '127.0.0.1' : listen.host;
  const settings = {
    PYROSCOPE_AGENT_ENABLED: 'true',
    PYROSCOPE_APPLICATION_NAME: 'pilotlight',
    PYROSCOPE_SERVER_ADDRESS: `http://${host.includes(':') ? `[${host}]` : host}:${listen.port}`,
    // When the server ends, the agent's last profile finds nobody there, which is no news.
    PYROSCOPE_LOG_LEVEL: 'error',
    ...(token === undefined ? {} : { PYROSCOPE_AUTH_TOKEN: token }),
  };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => env[name] === undefined));
}
