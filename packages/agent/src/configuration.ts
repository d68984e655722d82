/**
 * The options of the agent: one table, from which the configuration is read and which `docs/agent.md` must repeat.
 *
 * Names and meanings are those of the Pyroscope Java agent, so that one block of a manifest serves both. A value that cannot be
 * used costs one sentence and gives the default; only a server address that is no URL keeps the agent from starting.
 */
import { randomBytes } from 'node:crypto';
import { type Labels, labelsOf, nameAndLabelsOf } from './labels.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface AgentConfiguration {
  readonly applicationName: string;
  /** From the application name and PYROSCOPE_LABELS; the latter win. */
  readonly labels: Labels;
  /** Without credentials and without a trailing slash. */
  readonly serverAddress: string;
  readonly uploadIntervalMillis: number;
  readonly profilingIntervalMicros: number;
  /** In the order in which they are set: a later one of equal name wins. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly exportTimeoutMillis: number;
  /** Tries of one upload; Infinity for a negative setting. */
  readonly ingestTriesMax: number;
  /** Windows that wait for their upload. */
  readonly pushQueueCapacity: number;
  readonly logLevel: LogLevel;
  /** Share of one core, 0.01 for 1 %. */
  readonly overheadBudget: number;
  /** Worker threads of the application as well as its main thread. */
  readonly profilesWorkers: boolean;
}

export interface Option<T> {
  readonly environment: string;
  /** As the operator would write it; empty for none. */
  readonly default: string;
  /** For the table in docs/agent.md. */
  readonly meaning: string;
  /** The value must appear in no message. */
  readonly secret?: true;
  /** Throws an Error whose message goes behind the name of the option: "is not …". */
  readonly read: (text: string) => T;
}

const DURATION_UNIT_MICROS = new Map([
  ['', 0.001],
  ['us', 1],
  ['ms', 1_000],
  ['s', 1_000_000],
]);

/** Microseconds from `10ms`, `10s`, `500us` or bare nanoseconds. */
function durationOf(text: string, microsMin: number): number {
  const match = /^(\d{1,15})(us|ms|s|)$/.exec(text.trim());
  const micros = Number(match?.[1]) * (DURATION_UNIT_MICROS.get(match?.[2] ?? '') ?? Number.NaN);
  if (!(micros > 0)) throw new Error('is not a duration such as 10ms, 10s or 500us');
  if (micros < microsMin) throw new Error(`is below the least that is allowed, ${microsMin / 1000} ms`);
  // Timers of Node hold 31 bits of milliseconds.
  if (micros > 2_147_483_647_000) throw new Error('is more than 24 days');
  return micros;
}

function wholeNumberOf(text: string): number {
  if (!/^\s*-?\d{1,9}\s*$/.test(text)) throw new Error('is not a whole number');
  return Number(text);
}

function serverAddressOf(text: string): { address: string; credentials: string | undefined } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Error('is not an http or https URL');
  const address = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (url.username === '') return { address, credentials: undefined };
  try {
    return { address, credentials: basic(decodeURIComponent(url.username), decodeURIComponent(url.password)) };
  } catch {
    throw new Error('has credentials with a % that escapes nothing');
  }
}

function headerOf(name: string, value: unknown): readonly [string, string] {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw new Error('names a header that HTTP does not allow');
  if (typeof value !== 'string') throw new Error('is not a JSON object of strings');
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new Error('has a character that no header may have');
  return [name, value];
}

function headersOf(text: string): ReadonlyArray<readonly [string, string]> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may hold a secret.
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error('is not a JSON object of strings');
  }
  return Object.entries(parsed).map(([name, value]) => headerOf(name, value));
}

function logLevelOf(text: string): LogLevel {
  const level = text.trim().toLowerCase();
  if (level === 'debug' || level === 'info' || level === 'warn' || level === 'error') return level;
  throw new Error('is none of debug, info, warn, error');
}

function budgetOf(text: string): number {
  const match = /^\s*(\d{1,3}(?:\.\d{1,6})?)\s*%?\s*$/.exec(text);
  const percent = Number(match?.[1]);
  if (!(percent > 0 && percent <= 100)) throw new Error('is not a percentage above 0 and up to 100');
  return percent / 100;
}

function booleanOf(text: string): boolean {
  const value = text.trim().toLowerCase();
  if (value !== 'true' && value !== 'false') throw new Error('is neither true nor false');
  return value === 'true';
}

const headerValueOf = (text: string): string => headerOf('x', text)[1];

export const OPTIONS = {
  enabled: {
    environment: 'PYROSCOPE_AGENT_ENABLED',
    default: 'false',
    meaning: 'The switch. Only `true`, in any case, turns the agent on',
    read: (text: string) => text.toLowerCase() === 'true',
  },
  applicationName: {
    environment: 'PYROSCOPE_APPLICATION_NAME',
    default: '',
    meaning:
      'Name of the service; may carry labels, `app{k=v}`. Without it, `nodespy.` and a random text for each process',
    read: nameAndLabelsOf,
  },
  serverAddress: {
    environment: 'PYROSCOPE_SERVER_ADDRESS',
    default: 'http://localhost:4040',
    meaning:
      'Where profiles go; a path in front of `/ingest` is kept, `user:password@` gives basic auth. Not a URL: the agent stays off',
    secret: true,
    read: serverAddressOf,
  },
  labels: {
    environment: 'PYROSCOPE_LABELS',
    default: '',
    meaning:
      '`k=v,k=v`, for every profile. Entries without exactly one `=`, or with a space or one of `{},=`, are dropped',
    read: labelsOf,
  },
  uploadInterval: {
    environment: 'PYROSCOPE_UPLOAD_INTERVAL',
    default: '10s',
    meaning: 'Length of a window; each is one upload. `us`, `ms`, `s`, a bare number is nanoseconds; at least 100 ms',
    read: (text: string) => durationOf(text, 100_000),
  },
  profilingInterval: {
    environment: 'PYROSCOPE_PROFILING_INTERVAL',
    default: '10ms',
    meaning: 'Time from one sample to the next, before the budget lengthens it; at least 1 ms',
    read: (text: string) => durationOf(text, 1_000),
  },
  tenantId: {
    environment: 'PYROSCOPE_TENANT_ID',
    default: '',
    meaning: 'Sent as `X-Scope-OrgID`',
    read: headerValueOf,
  },
  authToken: {
    environment: 'PYROSCOPE_AUTH_TOKEN',
    default: '',
    meaning: 'Sent as `Authorization: Bearer …`, unless basic auth is set',
    secret: true,
    read: headerValueOf,
  },
  basicAuthUser: {
    environment: 'PYROSCOPE_BASIC_AUTH_USER',
    default: '',
    meaning: 'Basic auth; counts only together with the password, and then before all else',
    secret: true,
    read: (text: string) => text,
  },
  basicAuthPassword: {
    environment: 'PYROSCOPE_BASIC_AUTH_PASSWORD',
    default: '',
    meaning: 'Basic auth',
    secret: true,
    read: (text: string) => text,
  },
  httpHeaders: {
    environment: 'PYROSCOPE_HTTP_HEADERS',
    default: '{}',
    meaning: 'More headers, a JSON object of strings',
    secret: true,
    read: headersOf,
  },
  exportTimeout: {
    environment: 'PYROSCOPE_PROFILE_EXPORT_TIMEOUT',
    default: '10s',
    meaning: 'For one try of an upload, from connecting to the last byte of the answer',
    read: (text: string) => durationOf(text, 1_000),
  },
  ingestMaxTries: {
    environment: 'PYROSCOPE_INGEST_MAX_TRIES',
    default: '8',
    meaning: 'Tries of one upload; negative is for ever, 0 is one',
    read: wholeNumberOf,
  },
  pushQueueCapacity: {
    environment: 'PYROSCOPE_PUSH_QUEUE_CAPACITY',
    default: '8',
    meaning: 'Windows that wait for their upload; the oldest is dropped for the next. Below 1 is the default',
    read: (text: string) => {
      const capacity = wholeNumberOf(text);
      return capacity > 0 ? capacity : 8;
    },
  },
  logLevel: {
    environment: 'PYROSCOPE_LOG_LEVEL',
    default: 'info',
    meaning: '`debug`, `info`, `warn` or `error`; `debug` tells each window and what the budget made of it',
    read: logLevelOf,
  },
  overheadBudget: {
    environment: 'PILOTLIGHT_OVERHEAD_BUDGET',
    default: '1%',
    meaning: 'CPU that profiling may use on average, in percent of one core',
    read: budgetOf,
  },
  profileWorkers: {
    environment: 'PILOTLIGHT_PROFILE_WORKERS',
    default: 'true',
    meaning: "`true` or `false`: profiles the application's worker threads too, 16 at most",
    read: booleanOf,
  },
} as const satisfies Record<string, Option<unknown>>;

export interface ConfigurationReading {
  /** Undefined when the agent is switched off or must not start. */
  readonly configuration: AgentConfiguration | undefined;
  /** One sentence each; none holds a secret. */
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration an environment asks for. Never throws. */
export function configurationFrom(environment: Environment): ConfigurationReading {
  const problems: string[] = [];

  function read<T>(option: Option<T>): T | undefined {
    const text = environment[option.environment];
    if (text === undefined || text === '') return undefined;
    try {
      return option.read(text);
    } catch (error) {
      const shown = 'secret' in option ? '' : ` '${text.slice(0, 100)}'`;
      problems.push(`${option.environment}${shown} ${(error as Error).message}`);
      return undefined;
    }
  }
  const readOrDefault = <T>(option: Option<T>): T => read(option) ?? option.read(option.default);

  if (read(OPTIONS.enabled) !== true) return { configuration: undefined, problems };
  const server = readOrDefault(OPTIONS.serverAddress);
  if (problems.length > 0) return { configuration: undefined, problems };

  const named = read(OPTIONS.applicationName);
  const labels = read(OPTIONS.labels);
  for (const [environmentName, dropped] of [
    [OPTIONS.applicationName.environment, named?.dropped ?? 0],
    [OPTIONS.labels.environment, labels?.dropped ?? 0],
  ] as const) {
    if (dropped > 0)
      problems.push(`${environmentName} has ${dropped} entries that are no label k=v; they are left out`);
  }

  const tries = readOrDefault(OPTIONS.ingestMaxTries);
  const configuration: AgentConfiguration = {
    applicationName: named?.name ?? `nodespy.${randomBytes(16).toString('base64url')}`,
    labels: new Map([...(named?.labels ?? []), ...(labels?.labels ?? [])]),
    serverAddress: server.address,
    uploadIntervalMillis: readOrDefault(OPTIONS.uploadInterval) / 1000,
    profilingIntervalMicros: readOrDefault(OPTIONS.profilingInterval),
    headers: headers(),
    exportTimeoutMillis: readOrDefault(OPTIONS.exportTimeout) / 1000,
    ingestTriesMax: tries < 0 ? Number.POSITIVE_INFINITY : Math.max(1, tries),
    pushQueueCapacity: readOrDefault(OPTIONS.pushQueueCapacity),
    logLevel: readOrDefault(OPTIONS.logLevel),
    overheadBudget: readOrDefault(OPTIONS.overheadBudget),
    profilesWorkers: readOrDefault(OPTIONS.profileWorkers),
  };
  return { configuration, problems };

  function headers(): ReadonlyArray<readonly [string, string]> {
    const headers = [...readOrDefault(OPTIONS.httpHeaders)];
    const tenantId = read(OPTIONS.tenantId);
    if (tenantId !== undefined) headers.push(['X-Scope-OrgID', tenantId]);
    const user = read(OPTIONS.basicAuthUser);
    const password = read(OPTIONS.basicAuthPassword);
    const token = read(OPTIONS.authToken);
    const bearer = token === undefined ? undefined : `Bearer ${token}`;
    const ownBasic = user === undefined || password === undefined ? undefined : basic(user, password);
    const authorization = ownBasic ?? server.credentials ?? bearer;
    if (authorization !== undefined) headers.push(['Authorization', authorization]);
    return headers;
  }
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
