import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import {
  type ArtifactStorage,
  type Bucket,
  type ArtifactsUrl,
  type BucketCredentials,
  parseArtifactsUrl,
} from './artifacts-url.ts';
import { findUserDataDir, isDataDir } from './data-dir.ts';
import { OperatorError } from './errors.ts';
import { findLoginFile, type Remote, findRemote } from './login.ts';
import { type ProxyTemplate, parseProxies } from './proxy-urls.ts';
import { formatFault } from './json-file.ts';
import { parseIndexBytes, parseDiskQuota } from './sizes.ts';

const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

const MASK = '********';

/** A bearer token: a `token68` of RFC 9110. */
const bearerToken = z
  .string()
  .regex(/^[A-Za-z0-9._~+/-]{8,200}=*$/, 'must be 8 to 200 letters, digits and characters of -._~+/');

/** Shorter keys could be guessed by trying them over the network. */
const MIN_KEY_LENGTH = 24;

/** A setting that is a whole number from `least` to `most`; `usual` is its default. */
function wholeNumber(usual: string, least: number, most: number, what = 'a whole number') {
  const message = `must be ${what} from ${least} to ${most}`;
  const digits = z
    .string()
    .regex(/^\d{1,7}$/, message)
    .default(usual)
    .transform(Number);
  return digits.refine((number) => number >= least && number <= most, message);
}

const portNumber = (usual: string) => wholeNumber(usual, 0, 65_535, 'a port number');

/** Every setting. `about` (description) and `secret` are used by `quern config` and the docs. */
const SETTINGS = {
  QUERN_HOST: z.string().min(1).default('127.0.0.1').meta({ about: 'address to listen on' }),
  QUERN_PORT: portNumber('7700').meta({ about: 'port to listen on; 0 chooses a free port' }),
  QUERN_WORKER_PORT: portNumber('0').meta({
    about: 'port for the health and metrics of quern worker; 0 chooses a free port',
  }),
  QUERN_DATA_DIR: z.string().min(1).default('./data').meta({ about: 'folder for all stored data' }),
  QUERN_DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must be the URL of a PostgreSQL database, such as postgres://user@host/name')
    .refine((url) => URL.canParse(url), 'must be a valid URL: percent-encode special characters of the password')
    .optional()
    .meta({ about: 'PostgreSQL database instead of the embedded one; several services may share it' }),
  QUERN_STORE_WAIT_SECONDS: wholeNumber('60', 0, 86_400).meta({
    about: 'how long a start waits while the database or bucket is unreachable or the disk is full; 0 does not wait',
  }),
  QUERN_BOOTSTRAP_KEY: bearerToken
    .min(MIN_KEY_LENGTH, `must be ${MIN_KEY_LENGTH} characters or more, such as qk_ and those of openssl rand -hex 16`)
    .optional()
    .meta({ about: 'value of the first API key instead of a random one', secret: true }),
  QUERN_ALLOW_TARGETS: z
    .string()
    .default('')
    .meta({ about: 'private targets that may be fetched: host, host:port, CIDR or CIDR:port, separated by commas' }),
  QUERN_ALLOW_INSECURE_TLS: z
    .enum(['on', 'off'])
    .default('off')
    .meta({ about: 'on: callers may fetch pages with insecure_tls, which accepts any certificate' }),
  QUERN_PLANS_FILE: z.string().min(1).optional().meta({ about: 'JSON file of changes to the built-in plans' }),
  QUERN_SITES_FILE: z
    .string()
    .min(1)
    .optional()
    .meta({ about: 'JSON file of settings for single sites: origins, credentials, tiers, constants, cache' }),
  QUERN_SEARCH_FILE: z
    .string()
    .min(1)
    .optional()
    .meta({ about: 'JSON file of the engines, APIs and models that searches and answers use' }),
  QUERN_SEARCH_INDEX: z.string().default('off').transform(parseIndexBytes).meta({
    about: 'on: fetched and crawled pages can be searched; the index takes at most 5GB, or the size given here (20GB)',
  }),
  QUERN_SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
    .optional()
    .meta({
      about: 'key that encrypts secrets and signs cursors; by default generated once in the data folder',
      secret: true,
    }),
  QUERN_CONSOLE: z.enum(['on', 'off']).default('on').meta({ about: 'off: no console at /, and no sign-in to one' }),
  QUERN_COMPAT: z
    .enum(['on', 'off'])
    .default('on')
    .meta({ about: 'off: the interfaces of other services, such as /firecrawl, are not served' }),
  QUERN_COMPAT_TENANT: z
    .string()
    .regex(/^(?:ten_[0-9a-z]{26}|local)$/, 'must be the id of a tenant, such as ten_01kat6v3g5f2q8r9s0tvwxyzab')
    .optional()
    .meta({ about: 'tenant of callers without a key at the interfaces of other services' }),
  QUERN_COMPAT_NETWORKS: commaList
    .refine((ranges) => ranges.every(isAddressRange), 'must be addresses or CIDRs, separated by commas')
    .meta({ about: 'networks whose callers need no key at the interfaces of other services' }),
  QUERN_PUBLIC_URL: z
    .string()
    .refine(isHttpEndpoint, 'must be an http or https URL without a user, such as https://quern.example')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .meta({
      about: 'URL at which clients reach the service, for absolute links; by default that of each request',
    }),
  QUERN_CORS_ORIGINS: commaList
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://app.example, separated by commas')
    .meta({ about: 'browser origins that may call the API' }),
  QUERN_TRUST_PROXY: commaList
    .refine((ranges) => ranges.every(isAddressRange), 'must be addresses or CIDRs, separated by commas')
    .meta({ about: 'reverse proxies whose X-Forwarded-For, -Host and -Proto are trusted' }),
  QUERN_METRICS_TOKEN: bearerToken
    .optional()
    .meta({ about: 'bearer token for reading /metrics from other machines', secret: true }),
  QUERN_ARTIFACTS_URL: z
    .string()
    .transform(parseArtifactsSetting)
    .optional()
    .meta({ about: 'where large results are stored: s3://bucket/prefix?endpoint=…, or file:///folder' }),
  QUERN_SESSION_DAYS: wholeNumber('30', 1, 3650).meta({
    about: 'days that a session is stored after its last use, unless the request specifies another number',
  }),
  QUERN_SESSION_MAX_DAYS: wholeNumber('90', 1, 3650).meta({
    about: 'maximum number of days that a request may specify for a session',
  }),
  QUERN_MAX_DISK: z
    .string()
    .default('80%')
    .transform(parseDiskQuota)
    .meta({ about: 'how full the cache may make the volume (80%), or the maximum size of the data (20GB)' }),
  QUERN_JOB_SLOTS: wholeNumber('16', 0, 1000).meta({
    about: 'jobs that one process runs at once; 0 leaves them to quern worker',
  }),
  QUERN_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,500}$/, 'must be 1 to 500 printable ASCII characters')
    .optional()
    .meta({ about: 'User-Agent of crawls; the default is that of a browser followed by Quern and its version' }),
  QUERN_CHROMIUM: z
    .string()
    .min(1)
    .optional()
    .meta({ about: 'browser program to use instead of the installed ones; off disables browsers' }),
  QUERN_BROWSER_IDLE_SECONDS: wholeNumber('300', 1, 86_400).meta({
    about: 'time without work after which browsers are closed',
  }),
  QUERN_PROXIES_DATACENTER: z
    .string()
    .default('')
    .transform(parseProxiesSetting)
    .meta({ about: 'proxies of tier proxy: http, https or socks5 URLs, separated by commas', secret: true }),
  QUERN_PROXIES_RESIDENTIAL: z
    .string()
    .default('')
    .transform(parseProxiesSetting)
    .meta({ about: 'proxies of tier proxy_browser: http, https or socks5 URLs, separated by commas', secret: true }),
  QUERN_MODEL_URL: z
    .string()
    .refine(isHttpEndpoint, 'must be an http or https URL without a user, such as https://host/v1')
    .optional()
    .meta({ about: 'base of an OpenAI-compatible API whose model serves prompts, summaries and schemas' }),
  QUERN_MODEL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 printable ASCII characters without spaces')
    .optional()
    .meta({ about: 'bearer token for the API of the model', secret: true }),
  QUERN_MODEL: z.string().min(1).max(200).optional().meta({ about: 'name of the model at QUERN_MODEL_URL' }),
  QUERN_MODEL_CONTEXT: wholeNumber('16000', 4000, 2_000_000).meta({
    about: 'maximum tokens of a prompt to the model and its answer together',
  }),
  QUERN_SQLITE_SYNC: z
    .enum(['normal', 'full'])
    .default('normal')
    .meta({ about: 'full: commits survive a power cut, at the cost of speed' }),
  QUERN_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .meta({ about: 'minimum level of log lines' }),
  QUERN_CLOCK_FILE: z
    .string()
    .min(1)
    .optional()
    .meta({ about: 'for tests: file with an ISO time that replaces the clock; only on a loopback address' }),
} as const;

/** Names that only the command line and the tests read. */
const OTHER_SETTINGS = ['QUERN_URL', 'QUERN_API_KEY', 'QUERN_CORPUS', 'QUERN_TEST_POSTGRES'] as const;

const Settings = z.object(SETTINGS);

export type Config = Readonly<z.output<typeof Settings>>;

/** Where the value of a setting may come from. */
export const SETTING_SOURCES = ['environment', '.env', 'default'] as const;

/** One line of `quern config`. */
export type SettingSummary = {
  readonly name: string;
  readonly value: string;
  readonly source: (typeof SETTING_SOURCES)[number];
  readonly about: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

export type LoadedConfig = {
  readonly config: Config;
  readonly artifacts: ArtifactStorage;
  readonly settings: readonly SettingSummary[];
  readonly remote: Remote | null;
  /** Whether the data folder is the user's own folder for commands, which `quern serve` uses only if a setting names it. */
  readonly usesUserFolder: boolean;
  /** File that stores the user's login; null if the user has no home folder. */
  readonly loginFile: string | null;
};

/** What a command is for: `service` runs a service or maintains its data, `work` does one task of a user. */
export type ConfigPurpose = 'service' | 'work';

/**
 * Reads the settings from the environment and from `.env` in the working directory; the environment wins.
 * Throws `OperatorError` for an invalid value or an unknown `QUERN_` name, with the most similar known name.
 */
export function loadConfig(
  environment: Environment = process.env,
  fileText: string | null = readDotEnv(),
  purpose: ConfigPurpose = 'service',
): LoadedConfig {
  const fromFile: Environment = fileText === null ? {} : parseEnv(fileText);
  const settings: Record<string, string> = {};
  for (const [name, value] of [...Object.entries(fromFile), ...Object.entries(environment)]) {
    // Shells and compose files write an unset variable as an empty value.
    if (name.startsWith('QUERN_') && value !== undefined && value !== '') settings[name] = value;
  }
  assertKnownSettings(Object.keys(settings));
  const read = Settings.safeParse(settings, { error: formatFault });
  if (!read.success) throw new OperatorError(read.error.issues.map(formatIssue).join('; '));
  assertLoopbackClock(read.data);
  assertSharedSecret(read.data);
  assertCompleteModel(read.data);
  assertCompleteKeyless(read.data);
  const isFree = purpose === 'work' && settings['QUERN_DATA_DIR'] === undefined && !isDataDir(read.data.QUERN_DATA_DIR);
  const userFolder = isFree ? findUserDataDir(environment) : null;
  const config = userFolder === null ? read.data : { ...read.data, QUERN_DATA_DIR: userFolder };
  const loginFile = findLoginFile(environment);
  return {
    config,
    artifacts: chooseArtifactStorage(config, dropEmptyValues({ ...fromFile, ...environment })),
    settings: listSettings(settings, environment),
    remote: findRemote(settings, loginFile),
    usesUserFolder: userFolder !== null,
    loginFile,
  };
}

/** The environment for other programs: without Quern's settings and the credentials of its bucket. */
export function buildChildEnvironment(environment: Environment = process.env): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:QUERN|AWS)_/.test(name)));
}

/** Whether a listen address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readDotEnv(): string | null {
  try {
    return readFileSync('.env', 'utf8');
  } catch {
    return null;
  }
}

function assertKnownSettings(names: readonly string[]): void {
  const known = [...Object.keys(SETTINGS), ...OTHER_SETTINGS];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new OperatorError(
    `${unknown} is not a setting; the nearest is ${closest(unknown, known)} (quern config lists all)`,
  );
}

function assertLoopbackClock(config: Config): void {
  if (config.QUERN_CLOCK_FILE === undefined || isLoopback(config.QUERN_HOST)) return;
  throw new OperatorError(`QUERN_CLOCK_FILE requires a loopback address, but QUERN_HOST is ${config.QUERN_HOST}`);
}

/** Throws for a shared database without a shared secret: a service could not decrypt or verify what another one wrote. */
function assertSharedSecret(config: Config): void {
  if (config.QUERN_DATABASE_URL === undefined || config.QUERN_SECRET_KEY !== undefined) return;
  throw new OperatorError(
    'QUERN_DATABASE_URL requires QUERN_SECRET_KEY, with the same value for every service: create it with openssl rand -base64 32',
  );
}

/** Throws unless QUERN_MODEL_URL and QUERN_MODEL must be set together, and QUERN_MODEL_KEY only with them. */
function assertCompleteModel({ QUERN_MODEL_URL: url, QUERN_MODEL: model, QUERN_MODEL_KEY: key }: Config): void {
  if ((url === undefined) !== (model === undefined) || (key !== undefined && url === undefined)) {
    throw new OperatorError('QUERN_MODEL_URL and QUERN_MODEL must be set together, and QUERN_MODEL_KEY only with them');
  }
}

/** Throws unless both settings for callers without a key are set, or neither. */
function assertCompleteKeyless({ QUERN_COMPAT_TENANT: tenant, QUERN_COMPAT_NETWORKS: networks }: Config): void {
  if ((tenant === undefined) === (networks.length === 0)) return;
  throw new OperatorError('QUERN_COMPAT_TENANT and QUERN_COMPAT_NETWORKS must be set together');
}

function dropEmptyValues(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/** Where large results are stored; by default in a folder for an embedded database, and in rows for a shared one. */
function chooseArtifactStorage(config: Config, environment: Environment): ArtifactStorage {
  const { QUERN_ARTIFACTS_URL: url, QUERN_DATABASE_URL: database, QUERN_DATA_DIR: dataDir } = config;
  if (url === undefined) {
    return database === undefined ? { kind: 'folder', folder: join(dataDir, 'artifacts') } : { kind: 'rows' };
  }
  if (url.kind === 'folder') return url;
  const access = findBucketAccess(url, environment);
  if (typeof access === 'string') throw new OperatorError(`QUERN_ARTIFACTS_URL: ${access}`);
  return { ...url, ...access };
}

type BucketAccess = { readonly credentials: BucketCredentials; readonly region: string | null };

/** Takes what the URL of a bucket lacks from the variables of AWS. Returns an error message if something is missing. */
export function findBucketAccess(
  { credentials: given, region: named, endpoint }: Bucket & { readonly credentials: BucketCredentials | null },
  environment: Environment = process.env,
): BucketAccess | string {
  const credentials = given ?? readAwsCredentials(environment);
  if (credentials === null)
    return 'has no credentials: write s3://key:secret@bucket, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  const region = named ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? null;
  if (region === null && endpoint === null) return 'needs an endpoint or a region: s3://bucket?region=eu-central-1';
  return { credentials, region };
}

function readAwsCredentials(environment: Environment): BucketCredentials | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, sessionToken: environment['AWS_SESSION_TOKEN'] ?? null };
}

function formatIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}

function listSettings(settings: Readonly<Record<string, string>>, environment: Environment): SettingSummary[] {
  const defaults: Readonly<Record<string, unknown>> =
    z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' }).properties ?? {};
  return Object.entries(SETTINGS).map(([name, schema]) => {
    const meta = schema.meta() ?? {};
    const value = settings[name];
    const fallback = findDefault(defaults[name]);
    return {
      name,
      value: value === undefined ? fallback : formatSetting(name, value, meta['secret'] === true),
      source: value === undefined ? 'default' : (environment[name] ?? '') === '' ? '.env' : 'environment',
      about: typeof meta['about'] === 'string' ? meta['about'] : '',
    };
  });
}

function formatSetting(name: string, value: string, isSecret: boolean): string {
  if (isSecret) return MASK;
  return name === 'QUERN_DATABASE_URL' || name === 'QUERN_ARTIFACTS_URL' ? maskUrl(value) : value;
}

/** Masks the password of a URL, also one in its query, and the access key of an `s3:` URL. */
function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = MASK;
  if (url.protocol === 's3:' && url.username !== '') url.username = MASK;
  if (url.searchParams.has('password')) url.searchParams.set('password', MASK);
  return url.href;
}

function findDefault(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null || !('default' in schema)) return '';
  return String(schema.default);
}

function parseArtifactsSetting(text: string, context: z.RefinementCtx): ArtifactsUrl {
  const read = parseArtifactsUrl(text);
  if (typeof read !== 'string') return read;
  context.addIssue({ code: 'custom', message: read });
  return z.NEVER;
}

function parseProxiesSetting(text: string, context: z.RefinementCtx): readonly ProxyTemplate[] {
  const read = parseProxies(text);
  if (typeof read !== 'string') return read;
  context.addIssue({ code: 'custom', message: read });
  return z.NEVER;
}

/** Whether a text is an http or https URL without a user, a query or a fragment. */
function isHttpEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === '';
}

/** Whether a text is an origin, such as `https://app.example`. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a text is an IP address or a CIDR. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
