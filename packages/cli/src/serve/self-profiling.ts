/** Hosts to listen on that are no address to send to. */
const ANY_HOST = new Set(['', '0.0.0.0', '::', '[::]', '*']);

/**
 * The agent's settings by which a server profiles itself and sends the profiles to itself, so that there is something to see
 * from the first minute. What the user has set stays; `PYROSCOPE_AGENT_ENABLED=false` turns it off.
 *
 * @param listen `host:port` as given to the server. With port 0 nobody knows the address yet, so nothing is set.
 */
export function selfProfiling(env: NodeJS.ProcessEnv, listen: string): Record<string, string> {
  const at = listen.lastIndexOf(':');
  const port = listen.slice(at + 1);
  if (!/^[1-9]\d*$/.test(port)) return {};
  const host = listen.slice(0, Math.max(at, 0));
  const settings = {
    PYROSCOPE_AGENT_ENABLED: 'true',
    PYROSCOPE_APPLICATION_NAME: 'pilotlight',
    PYROSCOPE_SERVER_ADDRESS: `http://${ANY_HOST.has(host) ? '127.0.0.1' : host}:${port}`,
  };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => env[name] === undefined));
}
