import { Command } from 'commander';
import { exportCommand } from './export/command.js';
import { sentence } from './failure.js';
import { pushCommand } from './push/command.js';
import { serveCommand } from './serve/command.js';
import { VERSION } from './version.js';

/** Runs the command line `argv` (as in `process.argv`). Sets the exit code; 1 when anything asked for was not done. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('pilotlight')
    .description('Why is my service slow? Takes in continuous profiles, keeps them safe, shows them.')
    .version(VERSION)
    .addCommand(serveCommand())
    .addCommand(pushCommand())
    .addCommand(exportCommand())
    .addHelpText('after', '\nRun "pilotlight serve" and open http://127.0.0.1:4040.');
  // Whoever reads may have seen enough (`… | head`): that is an end, not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  try {
    await program.parseAsync(argv);
  } catch (thrown) {
    process.stderr.write(`pilotlight: ${sentence(thrown)}\n`);
    process.exitCode = 1;
  }
}
