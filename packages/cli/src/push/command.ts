import { Command, InvalidArgumentError, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions, readToken } from '../connection.js';
import { parseTime, TIME_SYNTAX } from '../time.js';

interface Flags extends ConnectionOptions {
  readonly name?: string;
  readonly at?: number;
  readonly keep?: boolean;
  readonly sampleRate?: number;
}

export function pushCommand(): Command {
  const command = new Command('push')
    .description('send files of profiles to a server: pprof, JFR, collapsed stacks; each may be gzipped')
    .argument('<file...>', 'files; their format is told by their content')
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
  pilotlight push --at now --name old last-year/*.jfr.gz
  asprof -d 30 -o collapsed -f stacks.txt 4711 && pilotlight push --name shop stacks.txt`,
    )
    .action(async (files: string[], flags: Flags) => {
      const { push } = await import('./push.js');
      const failed = await push(files, { ...flags, token: readToken(flags) }, { out: console.log, err: console.error });
      if (failed > 0) process.exitCode = 1;
    });
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1) throw new InvalidArgumentError('It is no whole number of samples a second.');
  return rate;
}
