/**
 * What `node --import @pilotlight/agent/register` loads, in the process, in its children (NODE_OPTIONS) and in each of its
 * workers. Switched off it is these lines and nothing else, so it imports nothing until it knows that it is wanted.
 *
 * The wait is for the worker to be spawned, not for it to be up: an application that never turns its event loop would otherwise
 * never get to the line behind a promise.
 */
if (process.env['PYROSCOPE_AGENT_ENABLED']?.toLowerCase() === 'true') {
  try {
    const { startAgent } = await import('./start.js');
    startAgent(process.env);
  } catch (error) {
    process.stderr.write(`pilotlight agent: profiling is off: ${error instanceof Error ? error.message : error}\n`);
  }
}

export {};
