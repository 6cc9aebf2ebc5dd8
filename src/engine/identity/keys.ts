import { createHash, randomFillSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, Statements } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Caller } from './caller.ts';
import { PLAN_NAMES } from './plans.ts';
import type { Plans } from './plans.ts';

const FIND = `select k.id, k.tenant_id, k.hash, t.plan from api_keys k join tenants t on t.id = k.tenant_id
  where k.lookup = $1 and k.revoked_at is null`;
const ADD = 'insert into api_keys (id, tenant_id, name, lookup, hash, created_at) values ($1, $2, $3, $4, $5, $6)';
const LIST = 'select id, tenant_id, name, created_at, revoked_at from api_keys order by id desc';
const REVOKE = 'update api_keys set revoked_at = $2 where id = $1 and revoked_at is null returning tenant_id, name';
const KNOWN = 'select id from api_keys where hash = $1';
const COUNT = 'select count(*) as n from api_keys';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const FoundKey = z.object({ id: z.string(), tenant_id: z.string(), hash: z.string(), plan: z.enum(PLAN_NAMES) });
const ListedKey = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
});
const Owner = z.object({ tenant_id: z.string(), name: z.string() });
const Count = z.object({ n: z.number() });

/** A new key: the only time that its text is known. */
export type NewKey = { readonly key: string; readonly keyId: string; readonly tenant: string };

/** Finds the caller of a key; null for an unknown or revoked one. */
export type FindCaller = (key: string) => Promise<Caller | null>;

type Wanted = { readonly tenant: string; readonly name: string; readonly key: string };

type KeysParts = { readonly db: Db; readonly clock: Clock; readonly plans: Plans };

/** API keys: only their SHA-256 is stored; a key has 190 random bits, so no slow hash is needed. */
export class Keys {
  readonly #parts: KeysParts;

  constructor(parts: KeysParts) {
    this.#parts = parts;
  }

  /** Finds the tenant and plan of a key; whole hashes are compared in constant time. */
  readonly findCaller: FindCaller = async (key) => {
    const { db, plans } = this.#parts;
    const hash = hashOf(key);
    const rows = readRows(FoundKey, await db.query(FIND, [lookupOf(hash)]));
    const found = rows.find((row) => timingSafeEqual(Buffer.from(row.hash, 'hex'), hash));
    return found === undefined ? null : { tenant: found.tenant_id, keyId: found.id, plan: plans[found.plan] };
  };

  /** Adds a key to a tenant; `key` is given only for the first one of an instance. */
  async add(tenant: string, name: string, key: string = newKey()): Promise<NewKey> {
    return this.#add(this.#parts.db, { tenant, name, key });
  }

  async list() {
    return readRows(ListedKey, await this.#parts.db.query(LIST));
  }

  /** Revokes a key at once; throws `not_found`. */
  async revoke(keyId: string): Promise<void> {
    await this.#revoke(this.#parts.db, keyId);
  }

  /** Revokes a key and gives its tenant a new one of the same name; throws `not_found`. */
  async rotate(keyId: string): Promise<NewKey> {
    return this.#parts.db.transaction(async (tx) => {
      const { tenant_id: tenant, name } = await this.#revoke(tx, keyId);
      return this.#add(tx, { tenant, name, key: newKey() });
    });
  }

  /** Whether this key was ever made here, revoked ones included. */
  async knows(key: string): Promise<boolean> {
    return (await this.#parts.db.query(KNOWN, [hashOf(key).toString('hex')])).length > 0;
  }

  /** Whether any key was ever made here. */
  async any(): Promise<boolean> {
    return (readRow(Count, await this.#parts.db.query(COUNT))?.n ?? 0) > 0;
  }

  async #add(store: Statements, { tenant, name, key }: Wanted): Promise<NewKey> {
    const now = this.#parts.clock.now();
    const keyId = newId('key', now);
    const hash = hashOf(key);
    await store.query(ADD, [keyId, tenant, name, lookupOf(hash), hash.toString('hex'), toTimestamp(now)]);
    return { key, keyId, tenant };
  }

  async #revoke(store: Statements, keyId: string) {
    const now = toTimestamp(this.#parts.clock.now());
    const owner = readRow(Owner, await store.query(REVOKE, [keyId, now]));
    if (owner === null) throw new ServiceError('not_found', `no live key ${keyId}: quern keys list shows them`);
    return owner;
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The indexed part of the hash: a match reveals nothing useful about the rest. */
function lookupOf(hash: Buffer): string {
  return hash.toString('hex', 0, 8);
}

/** `qk_` and 32 characters; bytes that would favour the alphabet's start are drawn again. */
function newKey(): string {
  let text = '';
  while (text.length < 32) {
    const byte = randomFillSync(new Uint8Array(1))[0] ?? 255;
    if (byte < 248) text += ALPHABET[byte % 62] ?? '';
  }
  return `qk_${text}`;
}
