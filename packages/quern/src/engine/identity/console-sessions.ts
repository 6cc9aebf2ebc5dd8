import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { changeInBatches } from '#store/batches.ts';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { type Caller, toCaller } from './caller.ts';
import { DAY_MS, type Plans } from './plans.ts';

/** A session ends after this time without a request, and at the latest `MAX_SESSION_MS` after its start. */
const MAX_IDLE_MS = DAY_MS / 2;
const MAX_SESSION_MS = 7 * DAY_MS;
/** The last use of a session is written at most this often, so that most requests write nothing. */
const TOUCH_MS = 5 * 60_000;
const LINK_LIFETIME_MS = 10 * 60_000;
/** The most sessions of one key. If there are more, the oldest end. */
const MAX_SESSIONS_PER_KEY = 100;

const OPEN = `insert into console_sessions (hash, secret_hash, key_id, created_at, idle_until, ends_at)
  values ($1, $2, $3, $4, $5, $6)`;
const SIGNED_IN = 'update api_keys set signed_in_at = $2 where id = $1';
const END_OLDEST = `delete from console_sessions where key_id = $1 and hash not in
  (select hash from console_sessions where key_id = $1 order by created_at desc, hash limit $2)`;
const FIND = `select k.id, k.tenant_id, k.name, k.operator, t.plan, t.name as tenant_name, t.suspended_at, s.idle_until, s.ends_at,
    s.secret_hash
  from console_sessions s join api_keys k on k.id = s.key_id join tenants t on t.id = k.tenant_id
  where s.hash = $1 and s.idle_until > $2 and s.ends_at > $2
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)`;
const TOUCH = 'update console_sessions set idle_until = $2 where hash = $1 and idle_until < $2';
const END = 'delete from console_sessions where hash = $1 and secret_hash = $2';
const MAKE_LINK = 'insert into console_links (hash, key_id, expires_at) values ($1, $2, $3)';
/** Using a link deletes it, so that it works only once. */
const TAKE_LINK = 'delete from console_links where hash = $1 and expires_at > $2 returning key_id';
const FORGET = `delete from console_sessions
  where hash in (select hash from console_sessions where idle_until <= $1 limit $2) returning hash`;
const FORGET_LINKS = `delete from console_links
  where hash in (select hash from console_links where expires_at <= $1 limit $2) returning hash`;
const ANY_SIGNED_IN = 'select id from api_keys where signed_in_at is not null limit 1';
const OPERATOR = `select id from api_keys
  where operator = 1 and revoked_at is null and (expires_at is null or expires_at > $1) order by id limit 1`;

const SessionRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  operator: z.number(),
  plan: z.string(),
  tenant_name: z.string(),
  suspended_at: z.string().nullable(),
  idle_until: z.number(),
  ends_at: z.number(),
  secret_hash: z.string().nullable(),
});
const LinkRow = z.object({ key_id: z.string() });
const KeyRow = z.object({ id: z.string() });

/**
 * The credentials of a session: a token in a cookie, and a secret held by the page. Browsers send cookies to every port
 * of a host, but only pages of the same port can read the secret.
 */
export type SessionCredentials = { readonly token: string; readonly secret: string };

/** An active console session and its caller. Times are ms. */
export type LiveSession = {
  readonly caller: Caller;
  readonly tenantName: string;
  readonly keyName: string;
  readonly idleUntil: number;
  readonly endsAt: number;
};

type ConsoleSessionsParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly plans: Plans;
  /** Records that a key was used. */
  readonly noteUse: (keyId: string) => void;
};

/**
 * Console sessions, each bound to one API key, and one-time sign-in links. Only the SHA-256 of their tokens and secrets
 * is stored; each has 256 random bits.
 */
export class ConsoleSessions {
  readonly #parts: ConsoleSessionsParts;

  constructor(parts: ConsoleSessionsParts) {
    this.#parts = parts;
  }

  /** Starts a session for a key. Its token and secret are returned only here. */
  async open(keyId: string): Promise<SessionCredentials & { readonly lastsMs: number }> {
    const { db, clock } = this.#parts;
    const [token, secret] = [createToken(), createToken()];
    const now = clock.now();
    await db.transaction(async (tx) => {
      await tx.query(OPEN, [hashToken(token), hashToken(secret), keyId, now, now + MAX_IDLE_MS, now + MAX_SESSION_MS]);
      await tx.query(SIGNED_IN, [keyId, toTimestamp(now)]);
      await tx.query(END_OLDEST, [keyId, MAX_SESSIONS_PER_KEY]);
    });
    return { token, secret, lastsMs: MAX_SESSION_MS };
  }

  /** Finds an active session and extends it. Null if the session or its key has ended, or the secret is wrong. */
  async find({ token, secret }: SessionCredentials): Promise<LiveSession | null> {
    const { db, clock, plans, noteUse } = this.#parts;
    const now = clock.now();
    const hash = hashToken(token);
    const row = readRow(SessionRow, await db.query(FIND, [hash, now, toTimestamp(now)]));
    if (row === null || !matchesHash(secret, row.secret_hash)) return null;
    noteUse(row.id);
    if (row.idle_until < now + MAX_IDLE_MS - TOUCH_MS) await db.query(TOUCH, [hash, now + MAX_IDLE_MS]);
    return {
      caller: toCaller(plans, row),
      tenantName: row.tenant_name,
      keyName: row.name,
      idleUntil: Math.min(now + MAX_IDLE_MS, row.ends_at),
      endsAt: row.ends_at,
    };
  }

  async end({ token, secret }: SessionCredentials): Promise<void> {
    await this.#parts.db.query(END, [hashToken(token), hashToken(secret)]);
  }

  /** Creates a token that signs in with a key once within ten minutes. */
  async createLink(keyId: string): Promise<string> {
    const { db, clock } = this.#parts;
    const token = createToken();
    await db.query(MAKE_LINK, [hashToken(token), keyId, clock.now() + LINK_LIFETIME_MS]);
    return token;
  }

  /** Uses a link token once. Returns the id of its key; null if it was used, has expired or is unknown. */
  async consumeLink(token: string): Promise<string | null> {
    const { db, clock } = this.#parts;
    return readRow(LinkRow, await db.query(TAKE_LINK, [hashToken(token), clock.now()]))?.key_id ?? null;
  }

  /** Creates a link for the first sign-in. Null if anyone has signed in before, or if there is no operator key. */
  async createFirstLink(): Promise<string | null> {
    const rows = await this.#parts.db.query(ANY_SIGNED_IN);
    const keyId = rows.length > 0 ? null : await this.findOperatorKey();
    return keyId === null ? null : this.createLink(keyId);
  }

  /** Finds the id of the oldest active operator key. */
  async findOperatorKey(): Promise<string | null> {
    const { db, clock } = this.#parts;
    return readRow(KeyRow, await db.query(OPERATOR, [toTimestamp(clock.now())]))?.id ?? null;
  }
}

/** Deletes expired sessions and links. */
export async function deleteExpiredSessions(
  { db, clock }: Pick<ConsoleSessionsParts, 'db' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now();
  await changeInBatches(db, { sql: FORGET, values: [now] }, signal);
  await changeInBatches(db, { sql: FORGET_LINKS, values: [now] }, signal);
}

function createToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares in constant time. A session from an older version has no secret and never matches. */
function matchesHash(secret: string, hash: string | null): boolean {
  return hash !== null && timingSafeEqual(Buffer.from(hashToken(secret), 'hex'), Buffer.from(hash, 'hex'));
}
