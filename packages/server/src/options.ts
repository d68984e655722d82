/** The options of the server: one table, read by the program, `pilotlight serve --help` and the documentation's test. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PilotlightError } from '@pilotlight/profile';

export interface ServerOption {
  readonly name: keyof ServerOptions;
  readonly env: string;
  readonly flag: string;
  /** As text, as the variable would be set. */
  readonly default: string;
  readonly description: string;
}

export interface ServerOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly data: string;
  /** SHA-256 is compared, never the text; undefined: no token is asked for. */
  readonly token: string | undefined;
  readonly noToken: boolean;
  readonly retentionAge: number;
  readonly retentionDetails: number;
  readonly retentionBytes: number;
  /** Folder of the page's built files; undefined: the server answers its API alone. */
  readonly site: string | undefined;
}

export const SERVER_OPTIONS: readonly ServerOption[] = [
  {
    name: 'listen',
    env: 'PILOTLIGHT_LISTEN',
    flag: '--listen',
    default: '127.0.0.1:4040',
    description: 'Address and port. Another address than loopback needs a token file, or --no-token.',
  },
  {
    name: 'data',
    env: 'PILOTLIGHT_DATA',
    flag: '--data',
    default: './pilotlight-data',
    description: 'Folder of everything that is stored. One folder serves one process.',
  },
  {
    name: 'token',
    env: 'PILOTLIGHT_TOKEN_FILE',
    flag: '--token-file',
    default: '',
    description: 'File that holds the token clients must send (Authorization: Bearer …, or as basic-auth password).',
  },
  {
    name: 'noToken',
    env: 'PILOTLIGHT_NO_TOKEN',
    flag: '--no-token',
    default: 'false',
    description: 'true: listen on an address that is not loopback though anybody there may read and write.',
  },
  {
    name: 'retentionAge',
    env: 'PILOTLIGHT_RETENTION_AGE',
    flag: '--retention-age',
    default: '7d',
    description: 'How long profiles are kept, counted from their arrival (s, m, h, d, w). Older ones are not taken.',
  },
  {
    name: 'retentionDetails',
    env: 'PILOTLIGHT_RETENTION_DETAILS',
    flag: '--retention-details',
    default: '1d',
    description:
      'How long thread, span and time of single samples are kept, counted from their arrival (s, m, h, d, w). 0s: not at all.',
  },
  {
    name: 'retentionBytes',
    env: 'PILOTLIGHT_RETENTION_BYTES',
    flag: '--retention-bytes',
    default: '10GiB',
    description: 'How much disk the store may take (KiB, MiB, GiB, TiB); the oldest hours go first.',
  },
  {
    name: 'site',
    env: 'PILOTLIGHT_SITE',
    flag: '--site',
    default: '',
    description: "Folder of the page's built files; found by itself in an installation.",
  },
];

const AGE_SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);
const BYTES = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);
const TOKEN_LENGTH_MIN = 16;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Options from the environment, over which flags (by name of the option) win.
 *
 * @throws PilotlightError `configuration`, naming the option and what it takes.
 */
export function serverOptionsFrom(
  env: Environment,
  flags: Partial<Record<keyof ServerOptions, string>> = {},
): ServerOptions {
  const optionOf = (name: keyof ServerOptions) => SERVER_OPTIONS.find((one) => one.name === name) as ServerOption;
  const text = (name: keyof ServerOptions): string => {
    const option = optionOf(name);
    return flags[name] ?? (env[option.env] || option.default);
  };
  /** The option as it was given, for the sentence that says what is wrong with it. */
  const given = (name: keyof ServerOptions): string =>
    flags[name] === undefined ? `${optionOf(name).env}=${text(name)}` : `${optionOf(name).flag} ${text(name)}`;
  const listen = parseListen(given('listen'), text('listen'));
  const noToken = text('noToken').toLowerCase() === 'true';
  const token = text('token') === '' ? undefined : readToken(given('token'), text('token'));
  if (token === undefined && !noToken && !isLoopback(listen.host)) {
    throw new PilotlightError(
      'configuration',
      `${given('listen')} can be reached from elsewhere: set PILOTLIGHT_TOKEN_FILE (--token-file), or PILOTLIGHT_NO_TOKEN=true (--no-token) when anybody there may read and write`,
    );
  }
  return {
    listen,
    data: text('data'),
    token,
    noToken,
    retentionAge: parseAge(given('retentionAge'), text('retentionAge')),
    retentionDetails:
      text('retentionDetails') === '0s' ? 0 : parseAge(given('retentionDetails'), text('retentionDetails')),
    retentionBytes: parseBytes(given('retentionBytes'), text('retentionBytes')),
    site: text('site') === '' ? undefined : readSite(given('site'), text('site')),
  };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function parseListen(given: string, text: string): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new PilotlightError('configuration', `${given} is not an address with a port, such as 127.0.0.1:4040`);
  }
  // An empty host means "all addresses" elsewhere; here it has to be said.
  return { host: match[1] ?? (match[2] || '127.0.0.1'), port };
}

function parseAge(given: string, text: string): number {
  const match = /^(\d{1,9})([smhdw])$/.exec(text);
  const seconds = Number(match?.[1]) * (AGE_SECONDS.get(match?.[2] ?? '') ?? Number.NaN);
  if (!(seconds > 0)) {
    throw new PilotlightError('configuration', `${given} is not a duration, such as 7d (s, m, h, d, w)`);
  }
  return seconds;
}

function parseBytes(given: string, text: string): number {
  const match = /^(\d{1,15})\s*([KMGT]iB)?$/.exec(text);
  const bytes = Number(match?.[1]) * (BYTES.get(match?.[2] ?? '') as number);
  if (!(bytes > 0)) {
    throw new PilotlightError('configuration', `${given} is not a size, such as 10GiB (KiB, MiB, GiB, TiB)`);
  }
  return bytes;
}

function readSite(given: string, folder: string): string {
  if (existsSync(join(folder, 'index.html'))) return folder;
  throw new PilotlightError('configuration', `${given} is no folder of the built page: it holds no index.html`);
}

function readToken(given: string, path: string): string {
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (thrown) {
    const reason = (thrown as NodeJS.ErrnoException).code ?? 'unknown';
    throw new PilotlightError('configuration', `${given} can't be read (${reason})`);
  }
  if (token.length < TOKEN_LENGTH_MIN) {
    throw new PilotlightError(
      'configuration',
      `the token in ${path} has ${token.length} characters; it needs ${TOKEN_LENGTH_MIN}`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new PilotlightError('configuration', `the token in ${path} must be one word of ASCII: it goes into a header`);
  }
  return token;
}
