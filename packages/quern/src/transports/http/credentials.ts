import type { FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import type { SessionCredentials } from '#engine/identity/console-sessions.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { ServerParts } from './server-parts.ts';

/**
 * Returns name and attributes of the cookie with the token of a console session. Over TLS, the prefix `__Host-` makes
 * browsers accept the cookie only from this host, with `Secure` and for all paths.
 */
export function getConsoleCookie({ protocol }: FastifyRequest): ConsoleCookie {
  return protocol === 'https'
    ? { name: '__Host-quern_console', path: '/', secure: '; Secure' }
    : { name: 'quern_console', path: '/v1', secure: '' };
}

type ConsoleCookie = { readonly name: string; readonly path: string; readonly secure: string };

/** The credential of a request; `malformed` is a bearer token that cannot be a key. */
export type Credential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'session'; readonly proof: SessionCredentials };

/** A token or a secret of a session: 32 bytes in base64url. */
const TOKEN_PATTERN = /^[\w-]{43}$/;
const NO_CREDENTIAL: Credential = { kind: 'none' };

/** Reads the bearer token of a request, or else its console session from cookie and header. */
export function readCredential(request: FastifyRequest): Credential {
  const { present, key } = readBearer(request.raw.rawHeaders);
  if (present) return key === null ? { kind: 'malformed' } : { kind: 'key', text: key };
  const proof = isConsoleRequest(request) ? readSessionProof(request) : null;
  return proof === null ? NO_CREDENTIAL : { kind: 'session', proof };
}

/**
 * Reads the key of a request to the interface of another service: a bearer token, the password of HTTP Basic, the part
 * of the path after `/key/`, the subprotocol of a WebSocket, or `api_key` of a body that has been read. Some of their clients
 * can send no header, and none of them has a console session.
 */
export function readCompatCredential(request: FastifyRequest): Credential {
  const { present, key } = readBearer(request.raw.rawHeaders);
  if (present) return key === null ? { kind: 'malformed' } : { kind: 'key', text: key };
  const text =
    readBasicPassword(request.headers.authorization ?? '') ??
    readPathKey(request.params) ??
    request.headers['sec-websocket-protocol'] ??
    readBodyKey(request.body);
  if (text === null) return NO_CREDENTIAL;
  return KEY_PATTERN.test(text) ? { kind: 'key', text } : { kind: 'malformed' };
}

/** Reads the password of HTTP Basic (RFC 7617); null for another scheme. */
function readBasicPassword(authorization: string): string | null {
  const encoded = /^basic +(\S+)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

function readPathKey(params: unknown): string | null {
  return isJsonObject(params) && typeof params['key'] === 'string' ? params['key'] : null;
}

function readBodyKey(body: unknown): string | null {
  return isJsonObject(body) && typeof body['api_key'] === 'string' ? body['api_key'] : null;
}

/**
 * Whether a request comes from the console page of this service. Pages of other origins cannot send its header, since
 * their preflight request is rejected. The header contains the secret of the session, or `1` before sign-in.
 */
export function isConsoleRequest({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  const shown = headers['x-quern-console'];
  const isShown = typeof shown === 'string' && (shown === '1' || TOKEN_PATTERN.test(shown));
  return isShown && (site === undefined || site === 'same-origin');
}

/** Reads the token of the cookie and the secret of the header; null unless the request has both. */
export function readSessionProof(request: FastifyRequest): SessionCredentials | null {
  const secret = request.headers['x-quern-console'];
  const token = readCookieToken(request);
  return token === null || typeof secret !== 'string' || !TOKEN_PATTERN.test(secret) ? null : { token, secret };
}

/** Reads the token of the cookie; null if there is none, or several, since another service on this host may have set one. */
function readCookieToken(request: FastifyRequest): string | null {
  const { name } = getConsoleCookie(request);
  const named = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  const [token = ''] = named;
  return named.length === 1 && TOKEN_PATTERN.test(token) ? token : null;
}

/** Finds the caller of a credential; null for an unknown key or an ended session. */
export type FindByCredential = (credential: Credential) => Promise<Caller | null>;

/** Creates the lookup of callers by API key or console session. */
export function createCredentialLookup({
  findCaller,
  consoleParts,
}: Pick<ServerParts, 'findCaller' | 'consoleParts'>): FindByCredential {
  return async (credential) => {
    switch (credential.kind) {
      case 'key':
        return findCaller(credential.text);
      case 'session':
        return (await consoleParts?.sessions.find(credential.proof))?.caller ?? null;
      default:
        return null;
    }
  };
}

/** A `token68` of RFC 9110, the form of every API key. */
const KEY_PATTERN = /^[A-Za-z0-9._~+/-]{1,512}=*$/;

/** Reads the bearer token of a request (RFC 6750): whether it is present, and the key, null if it is malformed or repeated. */
export function readBearer(rawHeaders: readonly string[]): { readonly present: boolean; readonly key: string | null } {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');
  if (values.length > 1) return { present: true, key: null };
  const [scheme, key] = splitAtSpace((values[0] ?? '').trim());
  if (scheme.toLowerCase() !== 'bearer' || key === '') return { present: false, key: null };
  return { present: true, key: KEY_PATTERN.test(key) ? key : null };
}

function splitAtSpace(text: string): readonly [string, string] {
  const space = text.indexOf(' ');
  return space === -1 ? [text, ''] : [text.slice(0, space), text.slice(space).trimStart()];
}
