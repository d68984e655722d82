import { fileURLToPath } from 'node:url';
import { type ServerOptions, serverOptionsFrom, startServer, untilSignal } from '@pilotlight/server';
import { selfProfiling } from './self-profiling.js';

/** Serves until a signal ends it. @throws PilotlightError `configuration` */
export async function serve(flags: Partial<Record<keyof ServerOptions, string>>): Promise<void> {
  // Profiles tell much about a program: what is written is for this user alone.
  process.umask(0o077);
  const given = serverOptionsFrom(process.env, flags);
  const options = { ...given, site: given.site ?? siteFolder() };
  const server = await startServer(options);
  const ended = untilSignal(() => server.close());
  console.log(`pilotlight is ready on ${server.address}`);
  Object.assign(process.env, selfProfiling(process.env, server.address, options.token));
  // Does nothing unless the variables say so. Found, not imported: the agent knows nothing of this program, nor this of it.
  await import(import.meta.resolve('@pilotlight/agent/register'));
  await ended;
}

/** The page as built, beside the code of its package. */
function siteFolder(): string {
  return fileURLToPath(new URL('../site/', import.meta.resolve('@pilotlight/ui')));
}
