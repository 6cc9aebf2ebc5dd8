import { z } from 'zod';
import { isExpired } from '#access/http/cookies.ts';
import {
  applyChange,
  EMPTY_STATE,
  SAME_SITE_VALUES,
  type SessionChange,
  type SessionState,
  type StoredCookie,
  WebSession,
} from '#access/web-session.ts';
import { DAY_MS } from '#engine/identity/plans.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import { changeInBatches } from '#store/batches.ts';
import type { Db, Queryable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';

const FIND = 'select * from sessions where tenant_id = $1 and name = $2 and expires_at > $3';
const LIST = `select * from sessions where tenant_id = $1 and name > $2 and expires_at > $3 order by name limit $4`;
const FORGET = 'delete from sessions where tenant_id = $1 and name = $2 and expires_at <= $3';
const ADD = `insert into sessions (id, tenant_id, name, version, sealed, summary, bytes, idle_ms, created_at, used_at, expires_at)
  select cast($1 as text), cast($2 as text), cast($3 as text), 1, null, null, 0, cast($4 as bigint), cast($5 as bigint),
    cast($5 as bigint), cast($6 as bigint)
  where (select count(*) from sessions where tenant_id = $2 and expires_at > $5) < $7
  on conflict (tenant_id, name) do nothing returning *`;
const TOUCH = 'update sessions set used_at = $2, expires_at = $3 where id = $1';
const LOCK = 'update sessions set version = version + 1 where id = $1 returning *';
const WRITE = `update sessions set sealed = $3, summary = $4, bytes = $5, used_at = $6, idle_ms = $7, expires_at = $8
  where id = $1 and version = $2 returning *`;
const OTHER = 'select * from sessions where id = $1 and version <> $2';
const DELETE = 'delete from sessions where tenant_id = $1 and name = $2 returning id';
const SWEEP = `delete from sessions where id in (
  select id from sessions where expires_at <= $1 order by expires_at limit $2) returning id`;

/** The most sessions of one tenant. */
export const MAX_SESSIONS = 100;
/** How often the expiry of a used session is updated. */
const TOUCH_EVERY_MS = 60_000;

const SessionRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  version: z.number(),
  sealed: z.string().nullable(),
  summary: z.string().nullable(),
  bytes: z.number(),
  idle_ms: z.number(),
  created_at: z.number(),
  used_at: z.number(),
  expires_at: z.number(),
});

type SessionRow = z.output<typeof SessionRow>;

/** How long sessions are kept after their last use. */
export type SessionTerms = {
  /** The default, in days. */
  readonly idleDays: number;
  /** The most that a caller may ask for, in days. */
  readonly maxIdleDays: number;
};

export type SavedSessionsParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly terms: SessionTerms;
};

/** A session without its contents. Times are ms. */
export type SessionFacts = SessionSummary & {
  readonly name: string;
  readonly bytes: number;
  readonly idleDays: number;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly expiresAt: number;
};

export type SessionImport = {
  readonly name: string;
  /** Null to keep the current value, or to use the default. */
  readonly idleDays: number | null;
  readonly change: SessionChange;
  /** Writes rows in the same transaction, such as the response for an idempotency key. */
  readonly record: (tx: Queryable, made: SessionImportResult) => Promise<void>;
};

export type SessionImportResult = { readonly isNew: boolean; readonly facts: SessionFacts };

type SessionOwner = { readonly tenant: string; readonly name: string };

/** The named sessions of tenants, encrypted. A session that was not used for its number of days expires. */
export class SavedSessions {
  readonly #parts: SavedSessionsParts;

  constructor(parts: SavedSessionsParts) {
    this.#parts = parts;
  }

  /** Opens a session for a call, or creates it. Throws `invalid_request` if there are too many. */
  async open(tenant: string, name: string): Promise<SessionHandle> {
    const { db, inTurn, clock, sealer } = this.#parts;
    const row =
      (await this.#find(db, { tenant, name })) ??
      (await inTurn({ tenant }, async (tx) => this.#demand(tx, { tenant, name }))).row;
    await this.#touch(row);
    return new SessionHandle({
      stored: { state: openContent(sealer, row.sealed), version: row.version },
      store: async (change) => this.#store(row.id, change),
      loadOther: async (version) => {
        const other = readRow(SessionRow, await db.query(OTHER, [row.id, version]));
        return other === null ? null : { state: openContent(sealer, other.sealed), version: other.version };
      },
      clock,
    });
  }

  /** Lists sessions by name. */
  async list({
    tenant,
    after,
    limit,
  }: {
    readonly tenant: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly SessionFacts[]> {
    const { db, clock } = this.#parts;
    const rows = await db.query(LIST, [tenant, after ?? '', clock.now(), limit]);
    return readRows(SessionRow, rows).map((row) => this.#factsOf(row));
  }

  /** Throws `not_found`. */
  async read(tenant: string, name: string): Promise<{ readonly facts: SessionFacts; readonly state: SessionState }> {
    const { db, sealer, clock } = this.#parts;
    const row = await this.#find(db, { tenant, name });
    if (row === null) throw createNotFoundError(name);
    return { facts: this.#factsOf(row), state: applyLimits(openContent(sealer, row.sealed), clock.now()) };
  }

  /** Deletes a session. Running calls that use it store nothing more. Throws `not_found`. */
  async delete(tenant: string, name: string): Promise<void> {
    const gone = await this.#parts.db.query(DELETE, [tenant, name]);
    if (gone.length === 0) throw createNotFoundError(name);
  }

  /** Adds cookies and storage items to a session, or creates it. Throws `invalid_request` if they exceed the limits. */
  async importContent(tenant: string, { name, idleDays, change, record }: SessionImport): Promise<SessionImportResult> {
    const { inTurn, clock, sealer } = this.#parts;
    const now = clock.now();
    const live = {
      ...change,
      cookies: new Map([...change.cookies].filter(([, one]) => (one?.expires ?? now + 1) > now)),
    };
    const own = applyChange(EMPTY_STATE, live);
    if (countContent(applyLimits(own, now)) < countContent(own)) throw createTooLargeError();
    return inTurn({ tenant }, async (tx) => {
      const { row, isNew } = await this.#demand(tx, { tenant, name });
      const locked = readRow(SessionRow, await tx.query(LOCK, [row.id])) ?? row;
      const state = applyLimits(applyChange(openContent(sealer, locked.sealed), live), now);
      const idleMs = idleDays === null ? locked.idle_ms : idleDays * DAY_MS;
      const made = { isNew, facts: this.#factsOf(await this.#write(tx, { ...locked, idle_ms: idleMs }, state)) };
      await record(tx, made);
      return made;
    });
  }

  /** Deletes expired sessions. */
  async tidy(signal?: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    await changeInBatches(db, { sql: SWEEP, values: [clock.now()] }, signal);
  }

  /** Merges a change into the stored session; null if it was deleted. */
  async #store(id: string, change: SessionChange): Promise<StoredSession | null> {
    const { inTurn, sealer, clock } = this.#parts;
    return inTurn({ name: `session ${id}` }, async (tx) => {
      const row = readRow(SessionRow, await tx.query(LOCK, [id]));
      if (row === null) return null;
      const state = applyLimits(applyChange(openContent(sealer, row.sealed), change), clock.now());
      await this.#write(tx, row, state);
      return { state, version: row.version };
    });
  }

  /** Writes the content of a locked row. Its version protects against other writers. */
  async #write(tx: Queryable, row: SessionRow, state: SessionState): Promise<SessionRow> {
    const { sealer, clock } = this.#parts;
    const now = clock.now();
    const { sealed, summary, bytes } = sealContent(sealer, state);
    const values = [row.id, row.version, sealed, summary, bytes, now, row.idle_ms, now + row.idle_ms];
    const written = readRow(SessionRow, await tx.query(WRITE, values));
    if (written === null) throw new InvariantError('a locked session was changed by another writer');
    return written;
  }

  async #find(view: Queryable, { tenant, name }: SessionOwner): Promise<SessionRow | null> {
    return readRow(SessionRow, await view.query(FIND, [tenant, name, this.#parts.clock.now()]));
  }

  /** Reads the row of a session, or creates it. */
  async #demand(tx: Queryable, owner: SessionOwner): Promise<{ readonly row: SessionRow; readonly isNew: boolean }> {
    const { clock, terms } = this.#parts;
    const { tenant, name } = owner;
    const now = clock.now();
    const idleMs = Math.min(terms.idleDays, terms.maxIdleDays) * DAY_MS;
    await tx.query(FORGET, [tenant, name, now]);
    const values = [newId('ses', now), tenant, name, idleMs, now, now + idleMs, MAX_SESSIONS];
    const made = readRow(SessionRow, await tx.query(ADD, values));
    const row = made ?? (await this.#find(tx, owner));
    if (row === null) throw createTooManyError();
    return { row, isNew: made !== null };
  }

  async #touch({ id, idle_ms: idleMs, used_at: usedAt }: SessionRow): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    if (now - usedAt >= TOUCH_EVERY_MS) await db.query(TOUCH, [id, now, now + idleMs]);
  }

  #factsOf(row: SessionRow): SessionFacts {
    const { name, bytes, idle_ms: idleMs, created_at: createdAt, used_at: usedAt, expires_at: expiresAt } = row;
    const summary = openSummary(this.#parts.sealer, row.summary);
    return { ...summary, name, bytes, idleDays: idleMs / DAY_MS, createdAt, usedAt, expiresAt };
  }
}

function createNotFoundError(name: string): ServiceError {
  return new ServiceError('not_found', `no session ${name}`);
}

function createTooManyError(): ServiceError {
  return new ServiceError(
    'invalid_request',
    `session: the limit of ${MAX_SESSIONS} sessions is reached; delete one first`,
  );
}

function createTooLargeError(): ServiceError {
  const { cookies, cookiesOfHost, hosts, origins, bytes } = SESSION_LIMITS;
  const why = `a session holds at most ${cookies} cookies of ${hosts} hosts, ${cookiesOfHost} of each, the storage of ${origins} origins, and ${bytes / 1024} KiB in all`;
  return new ServiceError('invalid_request', `cookies: ${why}`);
}

/** Limits of one session. Beyond them the oldest content is dropped. */
export const SESSION_LIMITS = {
  cookies: 500,
  cookiesOfHost: 50,
  hosts: 50,
  cookieBytes: 4_096,
  origins: 10,
  bytes: 512 * 1024,
} as const;

const Content = z.object({
  cookies: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      hostOnly: z.boolean(),
      path: z.string(),
      secure: z.boolean(),
      httpOnly: z.boolean().exactOptional(),
      sameSite: z.enum(SAME_SITE_VALUES).exactOptional(),
      expires: z.number().exactOptional(),
    }),
  ),
  storage: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()]))])),
});

/** The content of a session as shown in lists. */
const SessionSummary = z.object({ hosts: z.array(z.string()), cookies: z.number(), items: z.number() });

type SessionSummary = z.output<typeof SessionSummary>;

/** The encrypted content of a session, as stored. */
type SealedContent = { readonly sealed: string; readonly summary: string; readonly bytes: number };

function sealContent(sealer: Sealer, state: SessionState): SealedContent {
  const text = toText(state);
  const summary = JSON.stringify(summarizeState(state));
  return { sealed: sealer.seal(text), summary: sealer.seal(summary), bytes: Buffer.byteLength(text) };
}

function openContent(sealer: Sealer, sealed: string | null): SessionState {
  if (sealed === null) return EMPTY_STATE;
  const { cookies, storage } = Content.parse(JSON.parse(sealer.open(sealed)));
  return { cookies, storage: new Map(storage.map(([origin, items]) => [origin, new Map(items)])) };
}

function openSummary(sealer: Sealer, sealed: string | null): SessionSummary {
  return sealed === null ? summarizeState(EMPTY_STATE) : SessionSummary.parse(JSON.parse(sealer.open(sealed)));
}

/** Removes expired cookies and the oldest content beyond the limits. */
function applyLimits(state: SessionState, now: number): SessionState {
  const { cookies, cookiesOfHost, hosts, cookieBytes, origins } = SESSION_LIMITS;
  const ofHosts = new Map<string, number>();
  const retained: StoredCookie[] = [];
  for (const cookie of state.cookies.toReversed()) {
    const count = ofHosts.get(cookie.domain) ?? 0;
    const isLarge = Buffer.byteLength(cookie.name) + Buffer.byteLength(cookie.value) > cookieBytes;
    if (isLarge || isExpired(cookie, now) || retained.length >= cookies || count >= cookiesOfHost) continue;
    if (count === 0 && ofHosts.size >= hosts) continue;
    ofHosts.set(cookie.domain, count + 1);
    retained.push(cookie);
  }
  const storage = [...state.storage].slice(-origins);
  return applyByteLimit({ cookies: retained.toReversed(), storage: new Map(storage) });
}

/** Drops storage of the origins changed longest ago until the rest fits, then the oldest cookies. */
function applyByteLimit(state: SessionState): SessionState {
  if (Buffer.byteLength(toText(state)) <= SESSION_LIMITS.bytes) return state;
  const { cookies, storage } = state;
  if (storage.size > 0) return applyByteLimit({ cookies, storage: new Map([...storage].slice(1)) });
  return applyByteLimit({ cookies: cookies.slice(Math.ceil(cookies.length / 10)), storage });
}

/** Counts cookies and storage items, to detect whether limits dropped any. */
function countContent({ cookies, storage }: SessionState): number {
  return cookies.length + countItems(storage);
}

function countItems(storage: SessionState['storage']): number {
  return [...storage.values()].reduce((sum, { size }) => sum + size, 0);
}

function toText({ cookies, storage }: SessionState): string {
  return JSON.stringify({ cookies, storage: [...storage].map(([origin, items]) => [origin, [...items]]) });
}

function summarizeState({ cookies, storage }: SessionState): SessionSummary {
  const hosts = [...cookies.map(({ domain }) => domain), ...[...storage.keys()].map(getHost)];
  return { hosts: [...new Set(hosts)].toSorted(), cookies: cookies.length, items: countItems(storage) };
}

/** Returns the host of an origin. */
function getHost(origin: string): string {
  return URL.parse(origin)?.hostname ?? origin;
}

/** A stored session and the version of its row. */
type StoredSession = { readonly state: SessionState; readonly version: number };

type SessionHandleParts = {
  readonly stored: StoredSession;
  /** Merges a change into the stored session; null if it was deleted. */
  readonly store: (change: SessionChange) => Promise<StoredSession | null>;
  /** Loads the stored session if it has another version; null otherwise. */
  readonly loadOther: (version: number) => Promise<StoredSession | null>;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** After this time, changes of other calls are loaded. */
const MAX_AGE_MS = 1_000;

/** A session as used by one call. Changes of its visits are stored, and changes of other calls are merged. */
export class SessionHandle {
  readonly web: WebSession;
  readonly #parts: SessionHandleParts;
  #version: number;
  #syncedAt: number;
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: SessionHandleParts) {
    this.#parts = parts;
    this.web = new WebSession(parts.stored.state);
    this.#version = parts.stored.version;
    this.#syncedAt = parts.clock.monotonic();
  }

  /** Merges changes that other calls have stored meanwhile. */
  async refresh(): Promise<void> {
    const { clock, loadOther } = this.#parts;
    if (clock.monotonic() - this.#syncedAt < MAX_AGE_MS) return;
    const other = await loadOther(this.#version);
    this.#syncedAt = clock.monotonic();
    if (other !== null && other.version > this.#version) this.#take(other);
  }

  /** Stores all changes and waits until they are written. */
  async save(): Promise<void> {
    const saved = this.#saving.then(async () => this.#store());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #store(): Promise<void> {
    const change = this.web.takeChange();
    if (change === null) return;
    try {
      // Changes of a deleted session are not stored; the call continues with its own state.
      const stored = await this.#parts.store(change);
      if (stored !== null) this.#take(stored);
    } catch (error) {
      this.web.putBack(change);
      throw error;
    }
  }

  #take({ state, version }: StoredSession): void {
    this.#version = version;
    this.#syncedAt = this.#parts.clock.monotonic();
    this.web.rebase(state);
  }
}
