import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Disk } from 'flydrive';
import { z } from 'zod';
import { isEmpty } from '#access/error-page.ts';
import type { Page, PageRequest } from '#access/page.ts';
import { systemClock } from '#kernel/clock-file.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Sealer } from '#kernel/sealing.ts';
import { WARNING_CODES } from '#kernel/warnings.ts';
import type { Db } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';

/*
 * A row names a file of one data folder, and several machines may share the rows: each statement keeps to the rows of
 * its own folder, so that a page kept elsewhere is a miss here, and no one evicts what he cannot delete.
 */
const FIND = 'select * from cached_pages where folder = $1 and tenant_id = $2 and key = $3 and stored_at >= $4';
const OLD_FILE = 'select file from cached_pages where folder = $1 and tenant_id = $2 and key = $3';
const KEEP = `insert into cached_pages
    (folder, tenant_id, key, stored_at, sealed, file, bytes) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (folder, tenant_id, key) do update set stored_at = $4, sealed = $5, file = $6, bytes = $7`;
const TOTAL = 'select coalesce(sum(bytes), 0) as bytes from cached_pages where folder = $1';
const OLDEST = 'select file, bytes, stored_at from cached_pages where folder = $1 order by stored_at limit $2';
const DROP = 'delete from cached_pages where folder = $1 and file = $2 returning file';
const KNOWN = 'select file from cached_pages where folder = $1 and file = $2';
/** Rows of folders that no one tends any more; their files are gone with them, or go at the next start there. */
const FORGET_FOREIGN = 'delete from cached_pages where folder <> $1 and stored_at < $2';

/** The oldest a cached page may be asked for, and how long one is kept. */
export const CACHE_KEPT_MS = 7 * 24 * 3600 * 1000;

/** The same bytes of the same page are written again only after this time. */
const REWRITE_MS = 1000;
const RECENT_MOST = 2000;
const EVICT_BATCH = 500;
/** Longer than any process takes from the file of a page to its row. */
const ORPHAN_MS = 60_000;

const Total = z.object({ bytes: z.number() });
const Kept = z.object({ file: z.string(), bytes: z.number(), stored_at: z.number() });
const FileRow = z.object({ file: z.string() });
const CachedRow = z.object({ stored_at: z.number(), sealed: z.string(), file: z.string() });
/** A page without its bytes. */
const Facts = z.object({
  url: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  contentType: z.string(),
  wireBytes: z.number(),
  warnings: z.array(z.object({ code: z.enum(WARNING_CODES), message: z.string() })),
});

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A cached page and its age in ms. */
export type Cached = { readonly page: Page; readonly ageMs: number };

export type PageCache = ReturnType<typeof buildPageCache>;

/**
 * Fetched bytes per tenant, so that any output can be made from them again. A row says what is kept; the bytes are a
 * file of their own, written before the row, so that a crash leaves at most a file without a row. What else is known of
 * a page is sealed: URLs and response headers often hold tokens and cookies.
 */
export function buildPageCache(parts: {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly disk: Disk;
  readonly sealer: Sealer;
  /** The id of the data folder among those that share the store; null where the store is the folder's own. */
  readonly folder: string | null;
  readonly clock: Clock;
}) {
  const { db, inTurn, disk, sealer, clock } = parts;
  const folder = parts.folder ?? '';
  /** What was written last under a key: saves rewriting a page that is fetched many times a second. */
  const recent = new Map<string, { readonly at: number; readonly sum: number }>();

  /** Ms since a file was written; null when another process has deleted it. */
  async function ageOf(file: string): Promise<number | null> {
    try {
      const { lastModified } = await disk.getMetaData(file);
      // What writes files is the machine, and its clock may not be that of the store.
      return systemClock.now() - lastModified.getTime();
    } catch (error) {
      if (await disk.exists(file)) throw error;
      return null;
    }
  }

  type Place = { readonly tenant: string; readonly key: string; readonly file: string };

  /** Writes the bytes of a page to a file, and then its row. */
  async function write({ tenant, key, file }: Place, page: Page, now: number): Promise<void> {
    const { body, ...facts } = page;
    const packed = await compress(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
    await disk.put(file, packed);
    const sealed = sealer.seal(JSON.stringify(facts));
    const old = await inTurn(`page ${tenant} ${key}`, async (tx) => {
      const before = readRow(FileRow, await tx.query(OLD_FILE, [folder, tenant, key]));
      await tx.query(KEEP, [folder, tenant, key, now, sealed, file, packed.length]);
      return before;
    });
    if (old !== null && old.file !== file) await disk.delete(old.file);
  }

  return {
    /** Whether a request may be answered from, and kept in, the cache. */
    allows({ cookies, headers, browser, post, captures }: PageRequest): boolean {
      if (post !== undefined || captures !== undefined) return false;
      const makesFiles = browser !== undefined && (browser.screenshot !== null || browser.pdf);
      return cookies.length === 0 && headers['authorization'] === undefined && !makesFiles;
    },

    async find(tenant: string, request: PageRequest, maxAgeMs: number): Promise<Cached | null> {
      const now = clock.now();
      const row = readRow(CachedRow, await db.query(FIND, [folder, tenant, keyOf(request), now - maxAgeMs]));
      // A page from the future was kept before the clock stepped back: its age is not known.
      if (row === null || row.stored_at > now) return null;
      try {
        const body = new Uint8Array(await decompress(await disk.getBytes(row.file)));
        const facts = Facts.parse(JSON.parse(sealer.open(row.sealed)));
        return { page: { ...facts, body }, ageMs: now - row.stored_at };
      } catch {
        // The file was evicted or lost since, or the instance has another secret now: the page is fetched again.
        return null;
      }
    },

    /** Keeps a good page; anything else is not worth serving again. */
    async keep(tenant: string, request: PageRequest, page: Page): Promise<void> {
      if (page.status < 200 || page.status > 299 || isEmpty(page)) return;
      const key = keyOf(request);
      const now = clock.now();
      const last = recent.get(`${tenant} ${key}`);
      const sum = crc32(page.body);
      if (last !== undefined && last.sum === sum && Math.abs(now - last.at) < REWRITE_MS) return;
      remember(recent, `${tenant} ${key}`, { at: now, sum });
      const file = `${randomUUID()}.zst`;
      try {
        await write({ tenant, key, file }, page, now);
      } catch (error) {
        // Of what failed nothing is left: no file that would fill a full disk further, and the next copy is written.
        recent.delete(`${tenant} ${key}`);
        await disk.delete(file).catch(() => undefined);
        throw error;
      }
    },

    /** Drops what is too old, then the oldest until all of it is at most `mostBytes`. */
    async evict(mostBytes: number): Promise<void> {
      let total = readRow(Total, await db.query(TOTAL, [folder]))?.bytes ?? 0;
      const tooOld = clock.now() - CACHE_KEPT_MS;
      for (let more = true; more;) {
        const excess: string[] = [];
        for (const { file, bytes, stored_at } of readRows(Kept, await db.query(OLDEST, [folder, EVICT_BATCH]))) {
          if (total <= mostBytes && stored_at >= tooOld) break;
          excess.push(file);
          total -= bytes;
        }
        // On a full disk no row can be deleted before there is room again, and a row without its file is a miss.
        for (const file of excess) await disk.delete(file);
        for (const file of excess) await db.query(DROP, [folder, file]);
        more = excess.length === EVICT_BATCH;
      }
      await db.query(FORGET_FOREIGN, [folder, tooOld]);
    },

    /**
     * Deletes files that a crash left without a row; called before anything writes. Where processes share a folder, a
     * young one may be of another that writes its row only now.
     */
    async tidy(): Promise<void> {
      const { objects } = await disk.listAll('', { recursive: false });
      for (const found of objects) {
        if (!found.isFile || (await db.query(KNOWN, [folder, found.key])).length > 0) continue;
        if (parts.folder === null || ((await ageOf(found.key)) ?? 0) >= ORPHAN_MS) await disk.delete(found.key);
      }
    },

    /** Bytes that the cache takes now. */
    async bytes(): Promise<number> {
      return readRow(Total, await db.query(TOTAL, [folder]))?.bytes ?? 0;
    },
  };
}

/** URL without its fragment, every header that the caller sent, and what else changes the page that comes. */
function keyOf({ url, headers, country, browser }: PageRequest): string {
  const bare = url.hash === '' ? url.href : url.href.slice(0, -url.hash.length);
  const sent = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([bare, sent, country ?? null, browser ?? null]))
    .digest('base64url');
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= RECENT_MOST) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
