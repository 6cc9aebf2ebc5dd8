import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import type { Submission } from '#access/page.ts';
import { ResultOutdated } from '#engine/call/operation.ts';
import { type Plan, RECORD_RETENTION_MS } from '#engine/identity/plans.ts';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import type { Clock } from '#kernel/clock.ts';
import { changeInBatches, MAX_BATCH_ROWS, repeatUntilEmpty, toBatchResult } from '#store/batches.ts';
import type { Db, Queryable } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { sumByTenant, type SumQueries } from '#store/sums.ts';
import type { ChangesOptions, PageChanges } from '#features/schema/changes-fields.ts';
import { buildRemoval, comparePage, computeDigest, type PageContent, type PageCopy } from './compare-page.ts';

/** Maximum size of the content of a copy as JSON. Of a longer page only the digest is stored, and the fields if they fit. */
const MAX_COPY_BYTES = 1024 * 1024;

/** The level that results of jobs use. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 2 } };
/** For shorter content, using another thread takes more CPU time than the compression. */
const MIN_THREAD_BYTES = 64 * 1024;
const compressInThread = promisify(zstdCompress);
const decompressInThread = promisify(zstdDecompress);

/** The parameter after the values keeps equal statements from being merged: two could be for the same page. */
const ADD = `insert into page_copies (tenant_id, key, version, fetched_at, digest, packed, raw_bytes, bytes)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (tenant_id, key) do update set version = $9 where page_copies.version = $9 returning key`;
const REPLACE = `update page_copies set version = $3, fetched_at = $4, digest = $5, packed = $6, raw_bytes = $7, bytes = $8
  where tenant_id = $1 and key = $2 and version = $9 returning key`;
const REMOVE = 'delete from page_copies where tenant_id = $1 and key = $2 and version = $3 returning key';
const SWEEP = `delete from page_copies where (tenant_id, key) in (
  select tenant_id, key from page_copies where fetched_at <= $1 order by fetched_at limit $2) returning key`;
const DROP_OLDEST = `delete from page_copies where tenant_id = $1 and key in (
  select key from page_copies where tenant_id = $1 order by fetched_at limit $2) returning key`;

const CopyRow = z.object({
  key: z.string(),
  version: z.string(),
  fetched_at: z.number(),
  digest: z.string(),
  packed: z.instanceof(Uint8Array).nullable(),
  raw_bytes: z.number(),
});
const Content = z.object({ markdown: z.string().nullable(), fields: z.record(z.string(), z.unknown()).nullable() });
const PositionRow = z.object({ tenant: z.string(), at: z.number() });

/** A page to compare with its last copy, which it then replaces. */
export type TrackedPage = {
  /** The address that was requested. */
  readonly url: string;
  /** The request, if it was no GET. */
  readonly submission?: Pick<Submission, 'method' | 'body'> | null;
  /** When it was fetched, ms. */
  readonly fetchedAt: number;
  /** The content; null if the target no longer has the page. */
  readonly content: { readonly markdown: string; readonly fields: PageContent['fields'] } | null;
};

/** The comparison of a page: the answer, null if there is nothing to compare, and how its copy is replaced. */
export type TrackedChange = { readonly changes: PageChanges | null; readonly replacement: Replacement | null };

/** The statement that replaces a copy, which only has an effect if the copy is still the one that was compared. */
type Replacement = { readonly sql: string; readonly values: Parameters<Queryable['query']>[1] };

const NOT_COMPARED: TrackedChange = { changes: null, replacement: null };

type PageCopiesParts = { readonly db: Db; readonly clock: Pick<Clock, 'now'> };

/**
 * The last copies of the pages that tenants track. A page is first compared; its copy is replaced in the transaction
 * that charges or stores the page, so a page that is fetched again after a crash is never compared with itself.
 */
export class PageCopies {
  readonly #parts: PageCopiesParts;
  readonly #find: Readonly<Record<'digests' | 'contents', string>>;

  constructor(parts: PageCopiesParts) {
    this.#parts = parts;
    const wanted = buildRowsTable(parts.db.kind, '$2', { name: 'wanted', columns: { wanted_key: 'text' } });
    const buildFind = (packed: string): string =>
      `select key, version, fetched_at, digest, ${packed}, raw_bytes from ${wanted}
        join page_copies on tenant_id = $1 and key = wanted_key`;
    this.#find = { digests: buildFind('null as packed'), contents: buildFind('packed') };
  }

  /** Compares pages with their last copies, of equal addresses only the first. Nothing is changed before `replace`. */
  async compare(
    tenant: string,
    pages: readonly TrackedPage[],
    options: ChangesOptions,
  ): Promise<readonly TrackedChange[]> {
    const keyed = pages.map((page) => ({ page, key: computeKey(page, options.tag) }));
    const found = options.diff || options.fields ? this.#find.contents : this.#find.digests;
    const keys = JSON.stringify(keyed.map(({ key }) => [key]));
    const rows = pages.length === 0 ? [] : readRows(CopyRow, await this.#parts.db.query(found, [tenant, keys]));
    const copies = new Map(rows.map((row) => [row.key, row]));
    const compared: TrackedChange[] = [];
    const met = new Set<string>();
    // One after the other, because each needs the memory of two copies.
    for (const { page, key } of keyed) {
      const isFirst = met.size < met.add(key).size;
      const place = { ...options, tenant, key };
      compared.push(isFirst ? await compareWithRow(page, copies.get(key) ?? null, place) : NOT_COMPARED);
    }
    return compared;
  }

  /**
   * Replaces the copies that pages were compared with, in the caller's transaction. Throws `ResultOutdated` if another
   * call has replaced one of them since.
   */
  async replace(tx: Queryable, changes: readonly TrackedChange[]): Promise<void> {
    for (const { replacement } of changes) {
      if (replacement === null) continue;
      const { sql, values } = replacement;
      if ((await tx.query(sql, values)).length === 0) throw new ResultOutdated('another call has replaced the copy');
    }
  }

  /**
   * Deletes the copies of pages that were not fetched for 90 days, and the oldest of a tenant that has more than the
   * pages of one crawl of its plan.
   */
  async tidy(readPlan: (tenant: string) => Promise<Plan>, signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    await changeInBatches(db, { sql: SWEEP, values: [clock.now() - RECORD_RETENTION_MS] }, signal);
    for (const [tenant, count] of await sumByTenant(db, COUNT_WALK)) {
      if (signal.aborted) return;
      const { crawl_pages: most } = await readPlan(tenant);
      if (most !== null) await this.#dropOldest(tenant, count - most, signal);
    }
  }

  async #dropOldest(tenant: string, count: number, signal: AbortSignal): Promise<void> {
    let left = count;
    await repeatUntilEmpty(async () => {
      if (left <= 0) return 'empty';
      const dropped = await this.#parts.db.query(DROP_OLDEST, [tenant, Math.min(left, MAX_BATCH_ROWS)]);
      left -= dropped.length;
      return toBatchResult(dropped);
    }, signal);
  }
}

const AFTER = 'from page_copies where (tenant_id, fetched_at) > ($1, $2)';
const COUNT = `select tenant_id as tenant, count(*) as bytes ${AFTER}`;

/** Counts copies by tenant. */
const COUNT_WALK: SumQueries = {
  after: `select tenant_id as tenant, fetched_at as at ${AFTER} order by tenant_id, fetched_at limit 1 offset $3`,
  between: `${COUNT} and (tenant_id, fetched_at) <= ($3, $4) group by tenant_id`,
  rest: `${COUNT} group by tenant_id`,
  start: ['', -1],
  toPosition(row) {
    const { tenant, at } = PositionRow.parse(row);
    return [tenant, at];
  },
};

/** Computes the key of a page: its normalized address, the tag, and the method and body unless it is a GET. */
function computeKey({ url, submission = null }: TrackedPage, tag: string): string {
  const request = submission === null ? [] : [submission.method, submission.body];
  return computeDigest(JSON.stringify([toCanonicalKey(url), tag, ...request]));
}

type CopyPlace = ChangesOptions & { readonly tenant: string; readonly key: string };

async function compareWithRow(
  { content, fetchedAt }: TrackedPage,
  row: z.output<typeof CopyRow> | null,
  { tenant, key, ...options }: CopyPlace,
): Promise<TrackedChange> {
  const copy = row === null ? null : await toCopy(row);
  if (content === null) {
    if (row === null || copy === null) return NOT_COMPARED;
    const replacement = { sql: REMOVE, values: [tenant, key, row.version] };
    return { changes: buildRemoval(copy, options), replacement };
  }
  const markdown = removeFinalBreaks(content.markdown);
  const digest = computeDigest(markdown);
  const kept = limitContent({ ...content, markdown });
  const raw = Buffer.from(JSON.stringify(kept));
  const packed = await compress(raw);
  const version = randomUUID();
  const values = [tenant, key, version, fetchedAt, digest, packed, raw.byteLength, packed.byteLength];
  return {
    changes: comparePage(copy, { ...kept, digest }, options),
    replacement:
      row === null ? { sql: ADD, values: [...values, version] } : { sql: REPLACE, values: [...values, row.version] },
  };
}

async function toCopy({ fetched_at: fetchedAt, digest, packed, raw_bytes: bytes }: z.output<typeof CopyRow>) {
  const raw = packed === null ? null : await decompress(packed, bytes);
  const content = raw === null ? null : Content.parse(JSON.parse(raw.toString()));
  return { fetchedAt, digest, content } satisfies PageCopy;
}

async function compress(raw: Uint8Array): Promise<Uint8Array> {
  return raw.byteLength < MIN_THREAD_BYTES ? zstdCompressSync(raw, COMPRESSION) : compressInThread(raw, COMPRESSION);
}

async function decompress(packed: Uint8Array, bytes: number): Promise<Buffer> {
  const limit = { maxOutputLength: bytes };
  return bytes < MIN_THREAD_BYTES ? zstdDecompressSync(packed, limit) : decompressInThread(packed, limit);
}

function removeFinalBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** Leaves out the Markdown, and then the fields, if the content is too long. */
function limitContent(content: PageContent): PageContent {
  const { fields } = content;
  return [content, { markdown: null, fields }].find(fitsInCopy) ?? { markdown: null, fields: null };
}

function fitsInCopy(content: PageContent): boolean {
  return Buffer.byteLength(JSON.stringify(content)) <= MAX_COPY_BYTES;
}
