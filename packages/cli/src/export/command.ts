import { writeFileSync } from 'node:fs';
import { EXPORT_FORMATS, type ExportFormat, type Matcher } from '@pilotlight/protocol';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions, readToken } from '../connection.js';
import { parseTime, TIME_SYNTAX } from '../time.js';

interface Flags extends ConnectionOptions {
  readonly service: string;
  readonly type?: string;
  readonly label: readonly Matcher[];
  readonly from: number;
  readonly until: number;
  readonly format: ExportFormat;
  readonly output?: string;
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description('write the merged profile of a query to a file, or to the standard output')
    .requiredOption('--service <name>', 'the service')
    .option('--type <type>', 'profile type: cpu, memory:alloc_space, or a whole id (default: CPU time)')
    .option('--label <name=value>', 'only series with this label; may be given several times', parseLabel, [])
    .addOption(
      new Option('--from <time>', `start: ${TIME_SYNTAX}`)
        .argParser((text) => parseTime(text))
        .default(parseTime('now-1h'), 'now-1h'),
    )
    .addOption(
      new Option('--until <time>', 'end, written alike')
        .argParser((text) => parseTime(text))
        .default(parseTime('now'), 'now'),
    )
    .addOption(new Option('--format <format>', 'format').choices(EXPORT_FORMATS).default('pprof'))
    .option('-o, --output <file>', 'where to write (default: the standard output)');
  return addConnectionOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  pilotlight export --service shop -o shop.pb.gz
  pilotlight export --service shop --type memory:alloc_space --label region=eu --from now-1d -o heap.pb.gz
  pilotlight export --service shop --format svg -o shop.svg
  pilotlight export --service shop --format speedscope -o shop.speedscope.json
  pilotlight export --service shop --format collapsed | sort -k2 -n -r | head
  go tool pprof -top <(pilotlight export --service shop)`,
    )
    .action(async (flags: Flags) => {
      if (flags.format === 'pprof' && flags.output === undefined && process.stdout.isTTY) {
        throw new Error('pprof is no text for a terminal: say -o FILE, or --format collapsed');
      }
      const { exportProfile } = await import('./export.js');
      const { label: labels, ...query } = flags;
      const bytes = await exportProfile({ ...query, labels, token: readToken(flags) });
      if (flags.output === undefined) process.stdout.write(bytes);
      else writeFileSync(flags.output, bytes);
    });
}

function parseLabel(text: string, previous: readonly Matcher[]): Matcher[] {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('It is not NAME=VALUE.');
  return [...previous, { name: text.slice(0, at), operator: '=', value: text.slice(at + 1) }];
}
