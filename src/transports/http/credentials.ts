import type { FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import { readBearer } from './bearer.ts';
import type { ServerParts } from './parts.ts';

/** The cookie of a session of the console. */
export const CONSOLE_COOKIE = 'quern_console';

/** What a request shows to say who asks; `malformed` is a bearer that cannot be a key. */
export type Credential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'key' | 'session'; readonly text: string };

/** A token of a session: 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
const NONE: Credential = { kind: 'none' };

/** Reads the bearer of a request; where there is none, the session that its cookie names. */
export function readCredential(request: FastifyRequest): Credential {
  const { present, key } = readBearer(request.raw.rawHeaders);
  if (present) return key === null ? { kind: 'malformed' } : { kind: 'key', text: key };
  const token = isFromConsole(request) ? readToken(request) : null;
  return token === null ? NONE : { kind: 'session', text: token };
}

/**
 * Whether the page of this service sent a request. Another origin cannot: its browser asks before it sends this header,
 * and is refused.
 */
export function isFromConsole({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers['x-quern-console'] === '1' && (site === undefined || site === 'same-origin');
}

/** The token in the cookie; null for none, and for several, of which one may be set by another service of this host. */
export function readToken({ headers }: FastifyRequest): string | null {
  const named = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${CONSOLE_COOKIE}=`))
    .map((part) => part.slice(CONSOLE_COOKIE.length + 1));
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
        return (await consoleParts?.sessions.find(credential.text))?.caller ?? null;
      default:
        return null;
    }
  };
}
