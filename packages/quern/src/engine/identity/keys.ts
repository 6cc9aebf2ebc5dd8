import { createHash, randomFillSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { changeInBatches } from '#store/batches.ts';
import type { Db, Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { type Caller, toCaller } from './caller.ts';
import type { Plans } from './plans.ts';

const FIND = `select k.id, k.tenant_id, k.hash, k.operator, t.plan, t.suspended_at from api_keys k join tenants t on t.id = k.tenant_id
  where k.lookup = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`;
const ADD = `insert into api_keys (id, tenant_id, name, lookup, hash, created_at, prefix, expires_at, operator)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const COLUMNS = 'id, tenant_id, name, prefix, operator, created_at, last_used_at, expires_at, revoked_at';
const LIST = `select ${COLUMNS} from api_keys where id < $1 order by id desc limit $2`;
const LIST_OF = `select ${COLUMNS} from api_keys where tenant_id = $1 and id < $2 order by id desc limit $3`;
const REVOKE = `update api_keys set revoked_at = $2
  where id = $1 and revoked_at is null and (expires_at is null or expires_at > $2) returning tenant_id, name, operator`;
/** A replaced key ends at its own expiry or at the end of the overlap, whichever is earlier. */
const RETIRE = `update api_keys set expires_at = case when expires_at < $2 then expires_at else $2 end
  where id = $1 and revoked_at is null and (expires_at is null or expires_at > $3)
  returning tenant_id, name, operator`;
/** Expired keys are also revoked, because processes of older versions do not check the expiry. */
const REVOKE_EXPIRED = `update api_keys set revoked_at = expires_at
  where id in (select id from api_keys where expires_at <= $1 and revoked_at is null limit $2) returning id`;
const KNOWN = 'select id from api_keys where hash = $1';
const LIVE = 'select id from api_keys where id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)';
const COUNT = 'select count(*) as n from api_keys';

/** The characters of a key shown in lists, after `qk_`. The other 28 have 166 random bits. */
const PREFIX_RANGE = [3, 7] as const;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const KeyRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  hash: z.string(),
  operator: z.number(),
  plan: z.string(),
  suspended_at: z.string().nullable(),
});
const ListedKeyRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  prefix: z.string().nullable(),
  operator: z.number().transform((n) => n === 1),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

const OwnerRow = z.object({ tenant_id: z.string(), name: z.string(), operator: z.number() });
const CountRow = z.object({ n: z.number() });

/** A new key. Its text is only known now. */
export type CreatedKey = { readonly key: string; readonly keyId: string; readonly tenant: string };

/** Finds the caller of a key; null if it is unknown, expired or revoked. */
export type FindCaller = (key: string) => Promise<Caller | null>;

/** A key to create. `key` is only given for the first key of an installation. */
export type KeyRequest = {
  readonly tenant: string;
  readonly name: string;
  readonly key?: string;
  /** When the key expires, ms; null for never. */
  readonly expiresAt?: number | null;
  /** Whether it is an operator key. */
  readonly isOperator?: boolean;
};

/** How long the old key remains valid, and when the new one expires. */
export type Rotation = { readonly overlapMs: number; readonly expiresAt: number | null };

/** Writes rows in the transaction that creates a key. */
type RecordChange<T> = (tx: Queryable, made: T) => Promise<void>;

type KeysParts = { readonly db: Db; readonly clock: Clock; readonly plans: Plans };

/** API keys. Only their SHA-256 is stored; a key has 190 random bits, so no slow hash is needed. */
export class Keys {
  readonly #parts: KeysParts;
  readonly #uses: KeyUses;

  constructor(parts: KeysParts) {
    this.#parts = parts;
    this.#uses = new KeyUses(parts);
  }

  /** Finds the tenant and plan of a key. Whole hashes are compared in constant time. */
  readonly findCaller: FindCaller = async (key) => {
    const { db, plans, clock } = this.#parts;
    const hash = hashKey(key);
    const rows = readRows(KeyRow, await db.query(FIND, [toLookup(hash), toTimestamp(clock.now())]));
    const match = rows.find((row) => timingSafeEqual(Buffer.from(row.hash, 'hex'), hash));
    if (match === undefined) return null;
    this.#uses.record(match.id);
    return toCaller(plans, match);
  };

  /** Records that a key was used other than by its text. */
  readonly recordUse = (keyId: string): void => this.#uses.record(keyId);

  /** Adds a key to a tenant. */
  async add(tenant: string, name: string, key?: string): Promise<CreatedKey> {
    return this.addWithin(this.#parts.db, { tenant, name, ...(key === undefined ? {} : { key }) });
  }

  /** Adds a key within a transaction, optionally with an expiry or operator rights. */
  async addWithin(store: Queryable, wanted: KeyRequest): Promise<CreatedKey> {
    const { tenant, name, key = createKeyText(), expiresAt = null, isOperator = false } = wanted;
    const now = this.#parts.clock.now();
    const keyId = newId('key', now);
    const hash = hashKey(key);
    // A given key may be short, so no part of it is shown.
    const prefix = wanted.key === undefined ? key.slice(...PREFIX_RANGE) : null;
    const until = expiresAt === null ? null : toTimestamp(expiresAt);
    const own = [keyId, tenant, name, toLookup(hash), hash.toString('hex'), toTimestamp(now)];
    await store.query(ADD, [...own, prefix, until, Number(isOperator)]);
    return { key, keyId, tenant };
  }

  /** Creates a key and runs `record` in the same transaction. */
  async create(wanted: KeyRequest, record: RecordChange<CreatedKey> = recordNothing): Promise<CreatedKey> {
    return this.#parts.db.transaction(async (tx) => {
      const made = await this.addWithin(tx, wanted);
      await record(tx, made);
      return made;
    });
  }

  /** Lists the keys of a tenant, newest first. `after` is the id of the last one of the previous page. */
  async listForTenant(tenant: string, { after, limit }: { readonly after: string | null; readonly limit: number }) {
    return readRows(ListedKeyRow, await this.#parts.db.query(LIST_OF, [tenant, after ?? '~', limit]));
  }

  /** Lists the keys of all tenants, newest first. */
  async list({ after, limit }: { readonly after: string | null; readonly limit: number }) {
    return readRows(ListedKeyRow, await this.#parts.db.query(LIST, [after ?? '~', limit]));
  }

  /** Revokes a key at once. Throws `not_found`. */
  async revoke(keyId: string): Promise<void> {
    await this.#end(this.#parts.db, keyId, 0);
  }

  /**
   * Replaces a key with a new one of the same name and rights. The old one ends at once, or after an overlap. Throws
   * `not_found`.
   */
  async rotate(
    keyId: string,
    { overlapMs, expiresAt }: Rotation = IMMEDIATE_ROTATION,
    record: RecordChange<CreatedKey> = recordNothing,
  ): Promise<CreatedKey> {
    return this.#parts.db.transaction(async (tx) => {
      const { tenant_id: tenant, name, operator } = await this.#end(tx, keyId, overlapMs);
      const made = await this.addWithin(tx, { tenant, name, expiresAt, isOperator: operator === 1 });
      await record(tx, made);
      return made;
    });
  }

  /** Revokes expired keys and writes the last use of keys. */
  async tidy(signal?: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    await this.#uses.write();
    await changeInBatches(db, { sql: REVOKE_EXPIRED, values: [toTimestamp(clock.now())] }, signal);
  }

  /** Whether this key ever existed here, including revoked ones. */
  async exists(key: string): Promise<boolean> {
    return (await this.#parts.db.query(KNOWN, [hashKey(key).toString('hex')])).length > 0;
  }

  /** Whether the key exists and has not been revoked or expired. */
  async isLive(keyId: string): Promise<boolean> {
    const { db, clock } = this.#parts;
    return (await db.query(LIVE, [keyId, toTimestamp(clock.now())])).length > 0;
  }

  /** Whether any key was ever created here. */
  async hasAny(): Promise<boolean> {
    return (readRow(CountRow, await this.#parts.db.query(COUNT))?.n ?? 0) > 0;
  }

  async #end(store: Queryable, keyId: string, overlapMs: number) {
    const now = this.#parts.clock.now();
    const at = toTimestamp(now);
    const ended =
      overlapMs === 0
        ? await store.query(REVOKE, [keyId, at])
        : await store.query(RETIRE, [keyId, toTimestamp(now + overlapMs), at]);
    const owner = readRow(OwnerRow, ended);
    if (owner === null) throw new ServiceError('not_found', `no active key ${keyId}; list them with quern keys list`);
    return owner;
  }
}

const IMMEDIATE_ROTATION: Rotation = { overlapMs: 0, expiresAt: null };

async function recordNothing(): Promise<void> {}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The indexed prefix of a hash. A match reveals nothing useful about the rest. */
function toLookup(hash: Buffer): string {
  return hash.toString('hex', 0, 8);
}

/** `qk_` and 32 characters. Bytes that would bias the distribution are drawn again. */
function createKeyText(): string {
  let text = '';
  while (text.length < 32) {
    const byte = randomFillSync(new Uint8Array(1))[0] ?? 255;
    if (byte < 248) text += ALPHABET[byte % 62] ?? '';
  }
  return `qk_${text}`;
}

/** The most keys whose last use waits in memory to be written. Uses of further keys are dropped until then. */
const MAX_UNWRITTEN_KEYS = 10_000;

type KeyUsesParts = { readonly db: Db; readonly clock: Clock };

/** The last use of each key, recorded in memory and written by upkeep at most once a minute. */
class KeyUses {
  readonly #parts: KeyUsesParts;
  #used = new Map<string, number>();

  constructor(parts: KeyUsesParts) {
    this.#parts = parts;
  }

  record(keyId: string): void {
    if (this.#used.size < MAX_UNWRITTEN_KEYS || this.#used.has(keyId)) this.#used.set(keyId, this.#parts.clock.now());
  }

  /** Writes the uses since the last call, in one statement. */
  async write(): Promise<void> {
    const { db } = this.#parts;
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Map();
    const cells = [...used]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, at]) => [id, toTimestamp(at)]);
    await db.query(buildWriteSql(db.kind), [JSON.stringify(cells)]);
  }
}

function buildWriteSql(kind: StoreKind): string {
  return `update api_keys set last_used_at = u.at
    from ${buildRowsTable(kind, '$1', { name: 'u', columns: { key: 'text', at: 'text' } })}
    where api_keys.id = u.key and (last_used_at is null or last_used_at < u.at)`;
}
