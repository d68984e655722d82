// Not the whole server: it takes half a second to load, and each command is declared whichever is run.
import { SERVER_OPTIONS, type ServerOption, type ServerOptions } from '@pilotlight/server/options';
import { Command, Option } from 'commander';

type Flags = Partial<Record<keyof ServerOptions, string>>;

export function serveCommand(): Command {
  const command = new Command('serve').description('start the server, with the page, profiling itself');
  for (const option of SERVER_OPTIONS) command.addOption(flagOf(option));
  return command
    .addHelpText(
      'after',
      `
Examples:
  pilotlight serve
  pilotlight serve --data /var/lib/pilotlight --retention-age 30d --retention-bytes 100GiB
  pilotlight serve --listen 0.0.0.0:4040 --token-file token.txt
  PYROSCOPE_AGENT_ENABLED=false pilotlight serve     without profiling itself`,
    )
    .action(async () => {
      const { serve } = await import('./serve.js');
      await serve(givenFlags(command));
    });
}

/** An option that is on or off takes no value. */
function isSwitch(option: ServerOption): boolean {
  return option.default === 'false';
}

function flagOf(option: ServerOption): Option {
  const flag = new Option(isSwitch(option) ? option.flag : `${option.flag} <value>`, option.description).env(
    option.env,
  );
  return isSwitch(option) || option.default === '' ? flag : flag.default(option.default);
}

/** What was said on the command line, and only that: variables and defaults are the server's own business. */
function givenFlags(command: Command): Flags {
  const flags: Flags = {};
  for (const option of SERVER_OPTIONS) {
    const attribute = flagOf(option).attributeName();
    if (command.getOptionValueSource(attribute) !== 'cli') continue;
    // Commander takes `--no-token` for the opposite of a `--token`, which is not what it is here.
    flags[option.name] = isSwitch(option) ? 'true' : String(command.getOptionValue(attribute));
  }
  return flags;
}
