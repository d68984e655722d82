#!/usr/bin/env node
/** The server as a program: options from the environment, one line when ready, a clean end on SIGTERM and SIGINT. */
import { PilotlightError } from '@pilotlight/profile';
import { serverOptionsFrom } from './options.js';
import { startServer } from './server.js';

/** After this long an end that hangs is made an end. */
const CLOSE_MILLIS_MAX = 10_000;

process.umask(0o077);
try {
  const server = await startServer(serverOptionsFrom(process.env));
  console.log(`pilotlight is ready on ${server.address}`);
  let ending = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      ending = true;
      setTimeout(() => process.exit(1), CLOSE_MILLIS_MAX).unref();
      server.close().then(
        () => process.exit(0),
        (thrown) => {
          console.error(`pilotlight: ${PilotlightError.from(thrown).message}`);
          process.exit(1);
        },
      );
    });
  }
} catch (thrown) {
  const error = PilotlightError.from(thrown);
  console.error(`pilotlight: ${error.message}`);
  if (error.code === 'internal') console.error(thrown);
  process.exit(1);
}
