import { createHash, randomUUID } from 'node:crypto';
import { opendir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress, type ZstdOptions } from 'node:zlib';
import type { Disk } from 'flydrive';
import { z } from 'zod';
import { isEmptyPage } from '#access/classify/error-page.ts';
import type { Page, PageRequest } from '#access/page.ts';
import { removeAnchor } from '#extract/urls/url-parts.ts';
import type { Clock } from '#kernel/clock.ts';
import { computeShareLevel } from '#kernel/share-level.ts';
import type { Sealer } from '#kernel/sealer.ts';
import { WARNING_CODES } from '#kernel/warnings.ts';
import type { Db, Row, SqlValue } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { TenantMap } from '#kernel/tenant-map.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import { MAX_BATCH_ROWS, changeInBatches, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';
import { sumByTenant, sumInPieces } from '#store/sums.ts';

/*
 * A row refers to a file in one data folder, and several machines may share the rows. Each statement is limited to the rows of its own folder: a page on another machine is a miss, and a process only evicts files that it can delete.
 */
const FIND = 'select * from cached_pages where folder = $1 and tenant_id = $2 and key = $3 and stored_at >= $4';
const OLD_FILE = 'select file from cached_pages where folder = $1 and tenant_id = $2 and key = $3';
const KEEP = `insert into cached_pages
    (folder, tenant_id, key, stored_at, sealed, file, bytes) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (folder, tenant_id, key) do update
    set stored_at = $4, sealed = $5, file = $6, bytes = $7, indexed = 0`;
const OLDEST = `select file, bytes, stored_at, tenant_id from cached_pages where folder = $1 and (stored_at, file) > ($2, $3)
  order by folder, stored_at, file limit $4`;
/** One index lookup per folder, however many pages it has. */
const FOLDERS = `with recursive folders (folder) as (
    select min(folder) from cached_pages
    union all
    select (select min(folder) from cached_pages where folder > folders.folder) from folders where folder is not null)
  select folder from folders where folder is not null`;
const TO_INDEX = `select tenant_id, stored_at, sealed, file from cached_pages
  where folder = $1 and indexed = 0 order by folder, stored_at limit $2`;
const FORGET = `delete from cached_pages where file in (
  select file from cached_pages where folder = $1 and stored_at < $2 order by folder, stored_at, file limit $3)
  returning file`;
const SIZE = 'select coalesce(sum(bytes), 0) as bytes from cached_pages where folder = $1 and (stored_at, file)';
const SIZES =
  "select tenant_id || '' as tenant, sum(bytes) as bytes from cached_pages where folder = $1 and (stored_at, file)";
/**
 * Groups by the first column. Its concatenation keeps SQLite from using the index of tenants, which has another order.
 */
const BY_TENANT = 'group by 1';
const WALK = {
  after: `select folder, stored_at, file from cached_pages where folder = $1 and (stored_at, file) > ($2, $3)
    order by folder, stored_at, file limit 1 offset $4`,
  between: `${SIZE} > ($2, $3) and (stored_at, file) <= ($5, $6) and folder = $4`,
  rest: `${SIZE} > ($2, $3)`,
  toPosition: (row: Row) => {
    const { folder, stored_at: at, file } = PositionRow.parse(row);
    return [folder, at, file];
  },
};

/** How long pages are cached, and the largest `max_age_ms`. */
export const MAX_CACHE_AGE_MS = 7 * 24 * 3600 * 1000;

/** An unchanged page is written again only after this time. */
const REWRITE_MS = 1000;
const MAX_RECENT = 2000;
/** Longer than any process takes between writing a file and its row. */
const MIN_ORPHAN_AGE_MS = 60_000;

const PositionRow = z.object({ folder: z.string(), stored_at: z.number(), file: z.string() });
const FolderRow = z.object({ folder: z.string() });
const StoredRow = z.object({ file: z.string(), bytes: z.number(), stored_at: z.number(), tenant_id: z.string() });
const FileRow = z.object({ file: z.string() });
const CachedRow = z.object({ stored_at: z.number(), sealed: z.string(), file: z.string() });
const UnindexedRow = CachedRow.extend({ tenant_id: z.string() });
/** A page without its bytes. */
const PageFacts = z.object({
  url: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  contentType: z.string(),
  wireBytes: z.number(),
  warnings: z.array(z.object({ code: z.enum(WARNING_CODES), message: z.string() })),
});

const compress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress);
const decompress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdDecompress);
/**
 * Sizes of the chunks in which pages are compressed and decompressed. Each blocks the event loop briefly and uses
 * memory.
 */
const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** The usual maximum ratio of raw to compressed bytes. */
const MAX_USUAL_RATIO = 8;

/** The cached copy of a page. `open` returns null if it has been lost since. */
export type CachedCopy = { readonly tenant: string; readonly file: string; readonly open: () => Promise<Page | null> };

/** A cached page and its age in ms. */
export type CachedPage = { readonly page: Page; readonly ageMs: number };

export type PageCacheParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly disk: Disk;
  /** The path of the folder of the disk. */
  readonly location: string;
  readonly sealer: Sealer;
  /** The id of the data folder, if several folders share the store; null if the store belongs to the folder. */
  readonly folder: string | null;
  readonly clock: Clock;
  /** The clock of the machine, used for file times. The clock of the store may differ. */
  readonly fileClock: Pick<Clock, 'now'>;
};

type CacheFile = { readonly tenant: string; readonly key: string; readonly file: string };

/**
 * Caches fetched pages per tenant, from which any output can be produced again. The bytes are written to a file before
 * its row, so that a crash leaves at most a file without a row. URL and headers are encrypted, because they often
 * contain tokens and cookies.
 */
export class PageCache {
  readonly #parts: PageCacheParts;
  readonly #folder: string;
  readonly #drop: string;
  readonly #known: string;
  readonly #indexed: string;
  /** The last write of each key, to avoid rewriting a page that is fetched many times a second. */
  readonly #recent = new TenantMap<{ readonly at: number; readonly sum: number }>(MAX_RECENT);

  constructor(parts: PageCacheParts) {
    this.#parts = parts;
    this.#folder = parts.folder ?? '';
    const files = buildRowsTable(parts.db.kind, '$1', { name: 'b', columns: { name: 'text' } });
    // The concatenation keeps SQLite from scanning the folder, so that each page is found by its file.
    this.#drop = `delete from cached_pages where file in (select name from ${files}) and folder || '' = $2`;
    this.#indexed = `update cached_pages set indexed = 1 where file in (select name from ${files})`;
    this.#known = `select file from ${files} join cached_pages on file = b.name and folder = $2`;
  }

  /** Whether a request may be served from and stored in the cache. */
  isCacheable({ cookies, headers, browser, submission, captures, session }: PageRequest): boolean {
    if (submission !== undefined || captures !== undefined || session !== undefined) return false;
    const makesFiles = browser !== undefined && (browser.screenshot !== null || browser.pdf);
    return cookies.length === 0 && headers['authorization'] === undefined && !makesFiles;
  }

  async find(tenant: string, request: PageRequest, maxAgeMs: number): Promise<CachedPage | null> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const row = readRow(CachedRow, await db.query(FIND, [this.#folder, tenant, computeKey(request), now - maxAgeMs]));
    // A page from the future was stored before the clock was set back, so its age is unknown.
    if (row === null || row.stored_at > now) return null;
    const page = await this.#open(row);
    return page === null ? null : { page, ageMs: now - row.stored_at };
  }

  /** Lists the copies that are not in the search index, oldest first. */
  async listUnindexed(most: number): Promise<readonly CachedCopy[]> {
    const rows = readRows(UnindexedRow, await this.#parts.db.query(TO_INDEX, [this.#folder, most]));
    return rows.map((row) => ({ tenant: row.tenant_id, file: row.file, open: async () => this.#open(row) }));
  }

  /** Marks copies as indexed. A copy that was replaced meanwhile stays unindexed. */
  async markIndexed(copies: readonly CachedCopy[]): Promise<void> {
    await this.#parts.db.query(this.#indexed, [toCells(copies.map(({ file }) => file))]);
  }

  /** Stores a page, unless it is empty or an error page. */
  async store(tenant: string, request: PageRequest, page: Page): Promise<void> {
    if (page.status < 200 || page.status > 299 || isEmptyPage(page)) return;
    const key = computeKey(request);
    const now = this.#parts.clock.now();
    const last = this.#recent.get(tenant, key);
    const sum = crc32(page.body);
    if (last !== undefined && last.sum === sum && Math.abs(now - last.at) < REWRITE_MS) return;
    this.#recent.set(tenant, key, { at: now, sum });
    const file = `${randomUUID()}.zst`;
    try {
      await this.#write({ tenant, key, file }, page, now);
    } catch (error) {
      // Cleans up after a failed write, so that no file remains and the next copy is written.
      this.#recent.delete(tenant, key);
      await this.#parts.disk.delete(file).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Deletes expired pages, then the oldest pages of the tenants that have the most, until at most `mostBytes` remain.
   */
  async evict(mostBytes: number, signal?: AbortSignal): Promise<void> {
    const tooOld = this.#parts.clock.now() - MAX_CACHE_AGE_MS;
    await this.#dropOldest(({ stored_at: at }) => (at < tooOld ? 'drop' : 'stop'), signal);
    const cuts = await this.#cutsTo(mostBytes);
    await this.#dropOldest(({ tenant_id: tenant, bytes }) => {
      const cut = cuts.get(tenant);
      if (cut === undefined) return cuts.size === 0 ? 'stop' : 'keep';
      if (cut > bytes) cuts.set(tenant, cut - bytes);
      else cuts.delete(tenant);
      return 'drop';
    }, signal);
    await this.#forgetForeign(tooOld, signal);
  }

  /** Goes through the pages, oldest first, and deletes those for which `judge` returns 'drop'. */
  async #dropOldest(
    judge: (page: z.output<typeof StoredRow>) => 'drop' | 'keep' | 'stop',
    signal?: AbortSignal,
  ): Promise<void> {
    const { db, disk } = this.#parts;
    let [at, file] = [Number.MIN_SAFE_INTEGER, ''];
    let isOver = false;
    await repeatUntilEmpty(async () => {
      const pages = readRows(StoredRow, await db.query(OLDEST, [this.#folder, at, file, MAX_BATCH_ROWS]));
      const excess: string[] = [];
      for (const page of pages) {
        const verdict = judge(page);
        isOver = verdict === 'stop';
        if (isOver) break;
        if (verdict === 'drop') excess.push(page.file);
        [at, file] = [page.stored_at, page.file];
      }
      // Files are deleted first, because on a full disk no row can be deleted. A row without a file is a miss.
      for (const name of excess) await disk.delete(name);
      if (excess.length > 0) await db.query(this.#drop, [toCells(excess), this.#folder]);
      return isOver ? 'empty' : toBatchResult(pages);
    }, signal);
  }

  /** Computes how many bytes each tenant must lose so that at most `most` bytes remain. */
  async #cutsTo(most: number): Promise<Map<string, number>> {
    if ((await this.measureBytes()) <= most) return new Map();
    const walk = {
      ...WALK,
      between: `${SIZES} > ($2, $3) and (stored_at, file) <= ($5, $6) and folder = $4 ${BY_TENANT}`,
      rest: `${SIZES} > ($2, $3) ${BY_TENANT}`,
      start: this.#start,
    };
    const sums = [...(await sumByTenant(this.#parts.db, walk))];
    const level = computeShareLevel(
      sums.map(([, bytes]) => ({ bytes, share: 1 })),
      most,
    );
    return new Map(sums.map(([tenant, bytes]) => [tenant, bytes - level] as const).filter(([, cut]) => cut > 0));
  }

  /** Deletes files that a crash left without a row. Young files are skipped, because their row may just be written. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, disk, location } = this.#parts;
    for await (const names of listFiles(location)) {
      if (signal.aborted) return;
      const rows = readRows(FileRow, await db.query(this.#known, [toCells(names), this.#folder]));
      const storedFiles = new Set(rows.map(({ file }) => file));
      for (const name of names) {
        if (!storedFiles.has(name) && ((await this.#ageOf(name)) ?? 0) >= MIN_ORPHAN_AGE_MS) await disk.delete(name);
      }
    }
  }

  /** Measures the bytes that the cache uses. */
  async measureBytes(): Promise<number> {
    return sumInPieces(this.#parts.db, { ...WALK, start: this.#start });
  }

  get #start(): readonly SqlValue[] {
    return [this.#folder, Number.MIN_SAFE_INTEGER, ''];
  }

  /** Null if the file was deleted, or if the secret of the service has changed. */
  async #open({ file, sealed, stored_at: at }: z.output<typeof CachedRow>): Promise<Page | null> {
    const { disk, sealer } = this.#parts;
    try {
      const body = await unpack(await disk.getBytes(file));
      return { ...PageFacts.parse(JSON.parse(sealer.open(sealed))), body, fetchedAt: at };
    } catch {
      return null;
    }
  }

  /** Writes the bytes of a page to a file, and then its row. */
  async #write({ tenant, key, file }: CacheFile, page: Page, now: number): Promise<void> {
    const { inTurn, disk, sealer } = this.#parts;
    const { body, ...facts } = page;
    const packed = await pack(body);
    await disk.put(file, packed);
    const sealed = sealer.seal(JSON.stringify(facts));
    const old = await inTurn({ name: `page ${tenant} ${key}` }, async (tx) => {
      const before = readRow(FileRow, await tx.query(OLD_FILE, [this.#folder, tenant, key]));
      await tx.query(KEEP, [this.#folder, tenant, key, now, sealed, file, packed.length]);
      return before;
    });
    if (old !== null && old.file !== file) await disk.delete(old.file);
  }

  /** Returns the ms since a file was written; null if another process has deleted it. */
  async #ageOf(file: string): Promise<number | null> {
    const { disk, fileClock } = this.#parts;
    try {
      const { lastModified } = await disk.getMetaData(file);
      return fileClock.now() - lastModified.getTime();
    } catch (error) {
      if (await disk.exists(file)) throw error;
      return null;
    }
  }

  /** Deletes expired rows of other folders. Their files are gone with the folder, or are swept when it returns. */
  async #forgetForeign(before: number, signal?: AbortSignal): Promise<void> {
    const { db } = this.#parts;
    for (const row of readRows(FolderRow, await db.query(FOLDERS))) {
      if (row.folder === this.#folder) continue;
      await changeInBatches(db, { sql: FORGET, values: [row.folder, before] }, signal);
    }
  }
}

async function pack(body: Uint8Array): Promise<Buffer> {
  return compress(body, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // One chunk, because several would be joined on the event loop.
    chunkSize: Math.max(MIN_CHUNK_BYTES, body.byteLength),
  });
}

async function unpack(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await decompress(packed, { chunkSize: computeChunkBytes(packed.byteLength * MAX_USUAL_RATIO) }),
  );
}

function computeChunkBytes(bytes: number): number {
  return Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, Math.ceil(bytes)));
}

function toCells(names: readonly string[]): string {
  return JSON.stringify(names.map((name) => [name]));
}

/** Lists the file names of a folder in batches; nothing if the folder does not exist. */
async function* listFiles(location: string): AsyncGenerator<readonly string[]> {
  const folder = await opendir(location, { bufferSize: MAX_BATCH_ROWS }).catch(ignoreMissing);
  if (folder === null) return;
  let names: string[] = [];
  for await (const entry of folder) {
    if (entry.isFile()) names.push(entry.name);
    if (names.length < MAX_BATCH_ROWS) continue;
    yield names;
    names = [];
  }
  yield names;
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** Computes the cache key: URL without anchor, all headers of the caller, and everything else that affects the page. */
function computeKey({ url, headers, country, browser, insecureTls = false }: PageRequest): string {
  const sent = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(
      JSON.stringify([
        removeAnchor(url.href),
        sent,
        country ?? null,
        browser ?? null,
        ...(insecureTls ? ['unverified'] : []),
      ]),
    )
    .digest('base64url');
}
