import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from './errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { completeUrl } from './web-address.ts';

/** A server and an API key that `quern login` stored. */
type Login = { readonly url: string; readonly apiKey: string };

/** The server that the command line talks to instead of the embedded store. */
export type Remote = {
  readonly url: string;
  readonly apiKey: string | null;
  /** Set if the server comes from `quern login` and not from QUERN_URL. */
  readonly from?: 'quern login';
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The file of the user's login in the configuration folder; null if the user has no home folder. */
export function findLoginFile({ XDG_CONFIG_HOME: folder, HOME: home }: Environment): string | null {
  // The XDG specification ignores relative paths.
  if (folder?.startsWith('/') === true) return join(folder, 'quern/login.json');
  return home?.startsWith('/') === true ? join(home, '.config/quern/login.json') : null;
}

/** The server of QUERN_URL, else of the user's login; null if there is neither. */
export function findRemote(
  { QUERN_URL: url, QUERN_API_KEY: apiKey }: Environment,
  loginFile: string | null,
): Remote | null {
  if (url !== undefined) return { url: parseBaseUrl(url), apiKey: apiKey ?? null };
  const login = loginFile === null ? null : readLogin(loginFile);
  return login === null ? null : { ...login, from: 'quern login' };
}

/** The setting or command that specified a server, for messages. */
export function formatRemoteSource({ from }: Remote): string {
  return from ?? 'QUERN_URL';
}

/** The base URL of a service without trailing slashes; throws `OperatorError` if it is not http or https. */
function parseBaseUrl(text: string): string {
  const url = completeUrl(text);
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:') throw new OperatorError('QUERN_URL: must be an http or https URL');
  return url.replace(/\/+$/, '');
}

/** The stored login; null if there is no file. Throws `OperatorError` for a damaged file. */
function readLogin(file: string): Login | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const read = parseJson(text);
  if (!isJsonObject(read) || typeof read['url'] !== 'string' || typeof read['api_key'] !== 'string') {
    throw new OperatorError(`${file}: is not a valid login file: delete it and run quern login again`);
  }
  return { url: read['url'], apiKey: read['api_key'] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Stores a login in a file that only its user can read. */
export function storeLogin(file: string, { url, apiKey }: Login): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ url, api_key: apiKey }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(next, file);
}

/** Deletes the stored login. */
export function deleteLogin(file: string): void {
  rmSync(file, { force: true });
}
