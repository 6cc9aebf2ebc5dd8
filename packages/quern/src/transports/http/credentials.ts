import type { FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import type { SessionProof } from '#engine/identity/console-sessions.ts';
import type { ServerParts } from './parts.ts';

/**
 * The cookie with the token of a session of the console. Over TLS a browser takes one of this name only from this very
 * host, with `Secure` and for all of its paths.
 */
export function consoleCookie({ protocol }: FastifyRequest): ConsoleCookie {
  return protocol === 'https'
    ? { name: '__Host-quern_console', path: '/', secure: '; Secure' }
    : { name: 'quern_console', path: '/v1', secure: '' };
}

type ConsoleCookie = { readonly name: string; readonly path: string; readonly secure: string };

/** What a request shows to say who asks; `malformed` is a bearer that cannot be a key. */
export type Credential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'session'; readonly proof: SessionProof };

/** A token or a secret of a session: 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
const NONE: Credential = { kind: 'none' };

/** Reads the bearer of a request; without one, the session of its cookie and its header. */
export function readCredential(request: FastifyRequest): Credential {
  const { present, key } = readBearer(request.raw.rawHeaders);
  if (present) return key === null ? { kind: 'malformed' } : { kind: 'key', text: key };
  const proof = isFromConsole(request) ? readSession(request) : null;
  return proof === null ? NONE : { kind: 'session', proof };
}

/**
 * Whether the page of this service sent a request. Another origin cannot: its browser asks before it sends this header,
 * and is refused. The header holds the secret of the session, or `1` where the page has none yet.
 */
export function isFromConsole({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  const shown = headers['x-quern-console'];
  const isShown = typeof shown === 'string' && (shown === '1' || TOKEN.test(shown));
  return isShown && (site === undefined || site === 'same-origin');
}

/** The token of the cookie with the secret of the header; null unless a request has both. */
export function readSession(request: FastifyRequest): SessionProof | null {
  const secret = request.headers['x-quern-console'];
  const token = readToken(request);
  return token === null || typeof secret !== 'string' || !TOKEN.test(secret) ? null : { token, secret };
}

/** The token in the cookie; null for none, and for several, of which one may be set by another service of this host. */
function readToken(request: FastifyRequest): string | null {
  const { name } = consoleCookie(request);
  const named = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  const [token = ''] = named;
  return named.length === 1 && TOKEN.test(token) ? token : null;
}

/** Finds who a credential stands for; null for an unknown key and for a session that has ended. */
export type FindByCredential = (credential: Credential) => Promise<Caller | null>;

export function findsByCredential({
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
const KEY = /^[A-Za-z0-9._~+/-]{1,512}=*$/;

/** The bearer of a request by RFC 6750: whether there is one, and the key, null where it cannot be one. */
export function readBearer(rawHeaders: readonly string[]): { readonly present: boolean; readonly key: string | null } {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization');
  if (values.length > 1) return { present: true, key: null };
  const [scheme, key] = splitOnce((values[0] ?? '').trim());
  if (scheme.toLowerCase() !== 'bearer' || key === '') return { present: false, key: null };
  return { present: true, key: KEY.test(key) ? key : null };
}

function splitOnce(text: string): readonly [string, string] {
  const space = text.indexOf(' ');
  return space === -1 ? [text, ''] : [text.slice(0, space), text.slice(space).trimStart()];
}
