/** Addresses to listen on that are none to send to. */
const ANY_HOST = /\/\/(?:0\.0\.0\.0|\[::\]):/;

/**
 * The agent's settings by which a server profiles itself and sends the profiles to itself, so that there is something to see
 * from the first minute. What the user has set stays; `PYROSCOPE_AGENT_ENABLED=false` turns it off.
 *
 * @param address Of the running server, for example `http://127.0.0.1:4040`.
 * @returns Variables to set.
 */
export function selfProfiling(
  env: NodeJS.ProcessEnv,
  address: string,
  token: string | undefined,
): Record<string, string> {
  const settings = {
    PYROSCOPE_AGENT_ENABLED: 'true',
    PYROSCOPE_APPLICATION_NAME: 'pilotlight',
    PYROSCOPE_SERVER_ADDRESS: address.replace(ANY_HOST, '//127.0.0.1:'),
    // When the server ends, the agent's last profile finds nobody there, which is no news.
    PYROSCOPE_LOG_LEVEL: 'error',
    ...(token === undefined ? {} : { PYROSCOPE_AUTH_TOKEN: token }),
  };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => env[name] === undefined));
}
