import { Command, InvalidArgumentError, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions, readToken } from '../connection.js';
import { parseTime, TIME_SYNTAX } from '../time.js';
import { summaryOf } from './summary.js';

/** What a shell makes of a program that SIGINT ended. */
const EXIT_INTERRUPTED = 130;

interface Flags extends ConnectionOptions {
  readonly name?: string;
  readonly at?: number;
  readonly keep?: boolean;
  readonly sampleRate?: number;
}

export function pushCommand(): Command {
  const command = new Command('push')
    .description(
      'send profiles to a server, as files or whole folders: pprof, JFR of any length, collapsed stacks; each may be gzipped',
    )
    .argument(
      '<path...>',
      'files, whose format is told by their content, and folders, in which profiles are looked for',
    )
    .option('--name <name>', 'service, with labels: shop{region=eu} (default: the name of the file)');
  return addConnectionOptions(command)
    .addOption(
      new Option('--at <time>', `let the recordings end at this time instead of their own: ${TIME_SYNTAX}`)
        .argParser((text) => parseTime(text))
        .conflicts('keep'),
    )
    .option('--keep', 'store recordings at their own time, however old they are')
    .option('--sample-rate <hertz>', 'how often was sampled, where a file does not say (default: 100)', parseRate)
    .addHelpText(
      'after',
      `
Examples:
  pilotlight push cpu.pb.gz
  pilotlight push --name 'shop{region=eu}' recording.jfr
  pilotlight push --keep --name old last-year/
  asprof -d 30 -o collapsed -f stacks.txt 4711 && pilotlight push --name shop stacks.txt`,
    )
    .action(async (paths: string[], flags: Flags) => {
      const [{ push }, { terminalOutput }] = await Promise.all([import('./push.js'), import('./progress.js')]);
      const output = terminalOutput(process.stdout, process.stderr);
      const stop = new AbortController();
      // The second time the signal does what it always does.
      process.once('SIGINT', () => stop.abort());
      const options = { ...flags, token: readToken(flags) };
      const pushed = await push(paths, options, output, { signal: stop.signal }).finally(output.end);
      const summary = summaryOf(pushed, stop.signal.aborted);
      if (summary !== '') console.error(summary);
      if (stop.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
      // Whoever sends the wrong folder every night should hear of it, too.
      else if (pushed.files === 0 || pushed.stored < pushed.files || pushed.failed.length > 0) process.exitCode = 1;
    });
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1) throw new InvalidArgumentError('It is no whole number of samples a second.');
  return rate;
}
