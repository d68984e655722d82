#!/usr/bin/env node
/** The server as a program: options from the environment, one line when ready, a clean end on SIGTERM and SIGINT. */
import { PilotlightError } from '@pilotlight/profile';
import { serverOptionsFrom } from './options.js';
import { startServer } from './server.js';
import { untilSignal } from './until-signal.js';

process.umask(0o077);
try {
  const server = await startServer(serverOptionsFrom(process.env));
  console.log(`pilotlight is ready on ${server.address}`);
  await untilSignal(() => server.close());
} catch (thrown) {
  const error = PilotlightError.from(thrown);
  console.error(`pilotlight: ${error.message}`);
  if (error.code === 'internal') console.error(thrown);
  process.exit(1);
}
