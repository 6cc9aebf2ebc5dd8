import { z } from 'zod';
import type { Artifact } from '#access/page.ts';
import { DAY_MS, computeExpiry, type Plan, RECORD_RETENTION_MS } from '#engine/identity/plans.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newSecretId } from '#kernel/ids.ts';
import { MAX_BATCH_ROWS, changeInBatches, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';
import { type Db, type Queryable, StoreUnavailable, type SqlValue } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import type { ObjectStore } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';

/** Why something was deleted early: the limit of the plan was reached, or the disk was full. */
export const EvictionCause = z.enum(['plan', 'disk']);

export type EvictionCause = z.output<typeof EvictionCause>;

const PLAN_LIMITS = { result: 'kept_result_bytes', file: 'kept_file_bytes' } as const;

/** Builds the error for a deleted result or file. `why` is null if it simply expired. */
export function createExpiredError(
  what: keyof typeof PLAN_LIMITS,
  id: string,
  why: EvictionCause | null,
): ServiceError {
  const name = what === 'result' ? `the result of ${id}` : `artifact ${id}`;
  return new ServiceError('result_expired', `${name} has been deleted${reason()}`);

  function reason(): string {
    if (why === null) return '';
    return why === 'plan'
      ? `: your ${what}s exceeded the bytes that your plan keeps, and it was among the oldest (${PLAN_LIMITS[what]})`
      : ': the disk of the service was full (QUERN_MAX_DISK)';
  }
}

const ADD = `insert into artifacts (id, tenant_id, job_id, content_type, bytes, packed, object, expires_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`;
const FIND = `select content_type, bytes, packed, object, expires_at, evicted_for from artifacts where tenant_id = $1 and id = $2`;
const EXPIRED = `select id, object from artifacts where stored = 1 and expires_at <= $1 order by expires_at limit $2`;
const FORGET = `delete from artifacts
  where id in (select id from artifacts where stored = 0 and expires_at < $1 limit $2) returning id`;
const KNOWN = 'select id from artifacts where id = $1 and stored = 1';

const PIECE_BYTES = 64 * 1024;

/** The content types of screenshots and PDFs, and one for all downloads, which browsers never display. */
export const ARTIFACT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
  'application/octet-stream',
] as const;

const ArtifactRow = z.object({
  content_type: z.enum(ARTIFACT_TYPES),
  bytes: z.number(),
  packed: z.instanceof(Uint8Array).nullable(),
  object: z.string().nullable(),
  expires_at: z.number(),
  evicted_for: EvictionCause.nullable().catch(null),
});
const ExpiredRow = z.object({ id: z.string(), object: z.string().nullable() });

/** A file as it appears in responses. */
export const ArtifactMember = nameSchema(
  'Artifact',
  z.object({
    id: z.string(),
    url: z.string().describe('URL of its bytes, for the same API key'),
    content_type: z.enum(ARTIFACT_TYPES),
    bytes: z.int(),
    width: z.int().optional().describe('Width of an image in pixels'),
    height: z.int().optional(),
    expires_at: z.iso.datetime(),
  }),
);

export type ArtifactMember = z.output<typeof ArtifactMember>;

/** The tenant of files, and their job; null for an inline call. */
export type ArtifactOwner = { readonly tenant: string; readonly plan: Plan; readonly jobId: string | null };

/** A file with its bytes. */
export type FoundArtifact = {
  readonly contentType: (typeof ARTIFACT_TYPES)[number];
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;
};

export type ArtifactParts = {
  readonly db: Db;
  /** Null if the bytes are stored in rows. */
  readonly objects: ObjectStore | null;
  /** The prefix of object keys, because the object store may be shared. */
  readonly space: string;
  readonly clock: Clock;
};

/**
 * Screenshots, PDFs and downloads of calls. The bytes are written as an object before their row, which is added with
 * the charge of the call. A crash leaves at most an object without a row, which is swept once no call can be that old.
 */
export class Artifacts {
  readonly #parts: ArtifactParts;
  readonly #empty: string;

  constructor(parts: ArtifactParts) {
    this.#parts = parts;
    const ids = buildRowsTable(parts.db.kind, '$1', { name: 'b', columns: { artifact: 'text' } });
    this.#empty = `update artifacts set stored = 0, packed = null, object = null
      where id in (select artifact from ${ids})`;
  }

  begin(owner: ArtifactOwner): CallArtifacts {
    return new CallArtifacts(this.#parts, owner);
  }

  /** Finds a file. Throws `not_found` for a file of another tenant, and `result_expired` after its expiry. */
  async find(tenant: string, id: string): Promise<FoundArtifact> {
    const { db, objects, clock } = this.#parts;
    const row = readRow(ArtifactRow, await db.query(FIND, [tenant, id]));
    if (row === null) throw new ServiceError('not_found', `no artifact ${id}`);
    const { content_type: contentType, bytes, packed, object, expires_at: expiresAt } = row;
    const isOver = expiresAt <= clock.now();
    const stored = isOver || object === null ? packed : ((await objects?.read(object, bytes)) ?? null);
    if (isOver || stored === null) throw createExpiredError('file', id, row.evicted_for);
    return { contentType, bytes, pieces: splitPieces(stored) };
  }

  /** Deletes the bytes of expired files, and their rows after 90 days. */
  async tidy(signal?: AbortSignal): Promise<void> {
    const { db, objects, clock } = this.#parts;
    const now = clock.now();
    await repeatUntilEmpty(async () => {
      const expired = readRows(ExpiredRow, await db.query(EXPIRED, [now, MAX_BATCH_ROWS]));
      // Objects are deleted first, because on a full disk no row can be changed.
      for (const { object } of expired) if (object !== null) await objects?.delete(object);
      if (expired.length > 0) await db.query(this.#empty, [JSON.stringify(expired.map(({ id }) => [id]))]);
      return toBatchResult(expired);
    }, signal);
    await changeInBatches(db, { sql: FORGET, values: [now - RECORD_RETENTION_MS] }, signal);
  }

  /** Deletes objects without a row that are too old to belong to a running call. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, objects, clock } = this.#parts;
    if (objects === null) return;
    const young = computeDay(clock.now()) - 1;
    for await (const keys of objects.list(getFolder(this.#parts))) {
      for (const key of keys) {
        if (signal.aborted) return;
        const [, day = '', id = ''] = /\/files\/(\d+)\/(art_\w{26})$/.exec(key) ?? [];
        if (id !== '' && Number(day) < young && !(await hasRow(db, id))) await objects.delete(key);
      }
    }
  }
}

type StoredFile = { readonly id: string; readonly object: string | null; readonly values: readonly SqlValue[] };

/** The files of one call. */
export class CallArtifacts {
  readonly #parts: ArtifactParts;
  readonly #owner: ArtifactOwner;
  readonly #kept: StoredFile[] = [];

  constructor(parts: ArtifactParts, owner: ArtifactOwner) {
    this.#parts = parts;
    this.#owner = owner;
  }

  /** Stores the bytes of a file. `add` makes them readable. Throws `StoreUnavailable`. */
  async store({ contentType, bytes, size }: Artifact): Promise<ArtifactMember> {
    const { objects, clock } = this.#parts;
    const { tenant, plan, jobId } = this.#owner;
    const now = clock.now();
    const id = newSecretId('art');
    const expiresAt = computeExpiry(plan, now);
    const object = objects === null ? null : `${getFolder(this.#parts)}/${computeDay(now)}/${id}`;
    if (objects !== null && object !== null) await objects.put(object, bytes);
    const packed = object === null ? bytes : null;
    const values = [id, tenant, jobId, contentType, bytes.length, packed, object, expiresAt, now];
    this.#kept.push({ id, object, values });
    return ArtifactMember.parse({
      id,
      url: `/v1/artifacts/${id}`,
      content_type: contentType,
      bytes: bytes.length,
      ...size,
      expires_at: toTimestamp(expiresAt),
    });
  }

  /** Makes the files readable, in the transaction of the charge. */
  async add(tx: Queryable): Promise<void> {
    for (const { values } of this.#kept) await tx.query(ADD, values);
  }

  /** Deletes the stored bytes after the call failed with `error`. */
  async discard(error: unknown): Promise<void> {
    const { db, objects } = this.#parts;
    // The transaction may have been committed, so the sweep decides later.
    if (error instanceof StoreUnavailable) return;
    try {
      for (const { id, object } of this.#kept) {
        if (object !== null && !(await hasRow(db, id))) await objects?.delete(object);
      }
    } catch (failure) {
      if (!(failure instanceof StoreUnavailable)) throw failure;
    }
  }
}

async function hasRow(db: Db, id: string): Promise<boolean> {
  return (await db.query(KNOWN, [id])).length > 0;
}

function getFolder({ space }: ArtifactParts): string {
  return `${space}/files`;
}

/** Objects are grouped by day, so that old folders become empty for good. */
function computeDay(now: number): number {
  return Math.floor(now / DAY_MS);
}

async function* splitPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
