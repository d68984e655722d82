import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Where the server is and how to be let in: options of every command that speaks to one. */
export interface ConnectionOptions {
  readonly server: string;
  readonly tokenFile?: string;
}

export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--server <url>', 'the server to speak to')
        .env('PILOTLIGHT_SERVER')
        .default('http://127.0.0.1:4040')
        .argParser(parseServer),
    )
    .addOption(
      new Option('--token-file <file>', 'a file with the token, if the server wants one').env('PILOTLIGHT_TOKEN_FILE'),
    );
}

/** The token of a connection; undefined without a file. */
export function readToken({ tokenFile }: ConnectionOptions): string | undefined {
  if (tokenFile === undefined) return undefined;
  const token = readFileSync(tokenFile, 'utf8').trim();
  if (!/^\S+$/.test(token)) throw new Error(`${tokenFile} holds no token: one word is expected`);
  return token;
}

/** @returns The URL without a slash at its end, so that a path can follow. */
function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It is no address such as http://127.0.0.1:4040.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
