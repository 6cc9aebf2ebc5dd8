import { z } from 'zod';
import { getElement, toJsonLine, type PageEnd } from '#features/crawl/crawl-page.ts';
import {
  limitUnstoredLinks,
  skipDuplicates,
  createNearDuplicateMarker,
  parseSimhash,
  type NearDuplicateMarker,
} from '#features/crawl/dedupe/duplicates.ts';
import { type KnownKeys, filterUnknown, filterNoDeeper } from '#features/crawl/dedupe/known-keys.ts';
import { compareEnds } from '#features/crawl/page-changes.ts';
import type { TrackedChange } from '#features/changes/page-copies.ts';
import { ResultOutdated } from '#engine/call/operation.ts';
import type { Billing } from '#engine/credits/billing.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Results } from '#engine/results/results.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import { freeBuffer } from '#kernel/memory-budget.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { type CounterUpdate, toProgress } from './counters.ts';
import type { CrawlRow, FrontierOptions, CrawlCounts } from './crawl-row.ts';
import type { CrawlProgress } from './frontier.ts';
import type { Membership } from './members.ts';
import type { EventPage, PageEvents } from './page-events.ts';
import type { NumberedKey, UrlRows } from './url-rows.ts';
import { URL_STATES } from './url-statements.ts';

const LIST_HASHES = `select seq, simhash from crawl_urls where crawl = $1 and seq > $2 and state = ${URL_STATES.stored}
  order by seq limit $3`;

const HASHES_PER_QUERY = 10_000;

const HashedRow = z.object({ seq: z.number(), simhash: z.string().nullable() });

/** Another process took some keys first. The batch is built again without the pages that needed them. */
class KeysTakenError extends Error {
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super('another process took the keys first');
    this.keys = keys;
  }
}

/** A batch of ended pages with its segments of the result and the archive. `told` are the pages of its events. */
type CommitBatch = {
  readonly ends: readonly PageEnd[];
  readonly packed: readonly Segment[];
  readonly archived: readonly Segment[];
  readonly changes: readonly TrackedChange[];
  readonly told: readonly EventPage[];
};

type CommitParts = {
  readonly billing: Billing;
  readonly results: Results;
  readonly row: CrawlRow;
  readonly urls: UrlRows;
  readonly membership: Membership;
  readonly known: KnownKeys;
  readonly nearDuplicates: NearDuplicateMarker;
  readonly count: CounterUpdate;
  /** Null if no webhook gets the events of the crawl. */
  readonly pageEvents: PageEvents | null;
};

/**
 * Loads the hashes of all stored pages, so that a resumed crawl marks the same near-duplicates as an uninterrupted one.
 */
export async function loadNearDuplicates(db: Db, crawl: number, urls: UrlRows): Promise<NearDuplicateMarker> {
  const nearDuplicates = createNearDuplicateMarker(async (seq) => urls.findUrl(seq));
  for (let after = 0, rows = null; rows === null || rows.length > 0;) {
    rows = readRows(HashedRow, await db.query(LIST_HASHES, [crawl, after, HASHES_PER_QUERY]));
    for (const { seq, simhash } of rows) {
      if (simhash !== null) nearDuplicates.add(parseSimhash(simhash), seq);
      after = seq;
    }
  }
  return nearDuplicates;
}

/** Commits ended pages with their results, links and charges in one transaction. */
export class PageCommits {
  readonly #parts: CommitParts;
  readonly #terms: FrontierOptions;

  constructor(parts: CommitParts, terms: FrontierOptions) {
    this.#parts = parts;
    this.#terms = terms;
  }

  /**
   * Packs the batch outside of the transaction. If another process stored some pages first, packs it again without
   * them. If another call replaced the last copy of a page, compares and packs it again.
   */
  async commit(all: readonly PageEnd[]): Promise<CrawlProgress> {
    const { results, row, known, nearDuplicates, pageEvents } = this.#parts;
    const { jobId, archive, tracking } = this.#terms;
    const archived = archive === null ? [] : await archive.pack(all);
    for (let left = skipDuplicates(all, known); ; left = skipDuplicates(left, known)) {
      const { ends, changes } = await compareEnds(tracking, await nearDuplicates.mark(left));
      const elements = ends.map(getElement).filter((element) => element !== null);
      const packed = await results.packLines(jobId, elements.map(toJsonLine));
      const told = pageEvents?.prepare(ends) ?? [];
      const batch = { ends, packed, archived, changes, told };
      try {
        const { progress, keys, found, open } = await row.together(async (tx) => this.#store(tx, batch));
        if (told.length > 0) pageEvents?.confirm(open);
        for (const [key] of keys) known.add(key);
        for (const one of found) known.addFound(one);
        nearDuplicates.remember(ends);
        for (const { members } of elements) freeBuffer(members);
        await discardFiles(
          all.filter(({ fate }, at) => ends[at]?.fate.kind !== fate.kind),
          null,
        );
        return progress;
      } catch (error) {
        const isRepeated = error instanceof KeysTakenError || error instanceof ResultOutdated;
        await results.discard(isRepeated ? packed : [...packed, ...archived], error);
        if (!isRepeated) {
          await discardFiles(all, error);
          throw error;
        }
        if (error instanceof KeysTakenError) for (const key of error.keys) known.add(key);
      }
    }
  }

  async #store(tx: Queryable, { ends, packed, archived, changes, told }: CommitBatch) {
    const { billing, results, row, urls, membership, pageEvents } = this.#parts;
    const { jobId, operation, recordsAll, tracking } = this.#terms;
    const before = await row.lock(tx);
    await membership.fence(tx);
    const listed = before.stored + (recordsAll ? before.counters.failed : 0);
    const ended = await urls.end(tx, membership.member, ends, listed);
    if (ended < ends.length) throw new LeaseLost('other members have some of the pages');
    const keys = listPageKeys(ends);
    const lost = await urls.takeKeys(tx, keys);
    if (lost.length > 0) throw new KeysTakenError(lost);
    const { counts, found: newUrls } = await this.#addLinks(tx, ends, before);
    await row.count(tx, counts);
    await row.reportToJob(tx, counts);
    await tracking?.copies.replace(tx, changes);
    const first = packed.length === 0 ? 0 : await results.append(tx, jobId, packed);
    await addFiles(tx, ends);
    await results.appendArchive(tx, jobId, archived);
    await billing.chargePart(tx, membership.account, {
      // The key needs a stored page because a deferred page is in several batches.
      key: `job:${jobId}:${ends.find(({ fate }) => fate.kind === 'stored')?.claim.seq ?? 0}`,
      operation,
      credits: counts.counters.credits - before.counters.credits,
      freed: ends.reduce((sum, { reservedCredits }) => sum + reservedCredits, 0),
    });
    const open = (await pageEvents?.enqueuePages(tx, told, { first, packed })) ?? null;
    return { progress: toProgress(counts.counters, counts), keys, found: newUrls, open };
  }

  /** Adds the links of ended pages. Returns the new counts and the links that may have been new. */
  async #addLinks(tx: Queryable, all: readonly PageEnd[], before: CrawlCounts) {
    const { urls, known, count } = this.#parts;
    const { ends, ...followed } = limitUnstoredLinks(all, {
      stored: before.stored,
      maxPages: this.#terms.maxPages,
      counts: before.counters,
    });
    const links = ends.flatMap((end) => end.links.map((link) => ({ ...link, parent: end.claim.seq })));
    const newLinks = filterUnknown(links, known);
    const added = await urls.add(tx, newLinks);
    await urls.lessenDepths(
      tx,
      ends.flatMap(({ claim, links: own }) =>
        filterNoDeeper(own, claim.depth).map((link) => ({ ...link, parent: claim.seq })),
      ),
    );
    const counts = {
      counters: count({ ...before.counters, ...followed }, all, added),
      stored: before.stored + all.filter(({ fate }) => fate.kind === 'stored').length,
      active: before.active - all.length,
    };
    return { counts, found: newLinks };
  }
}

/** Lists the keys of contents and redirect targets, which are taken so that no other process stores them. */
function listPageKeys(ends: readonly PageEnd[]): readonly NumberedKey[] {
  return ends.flatMap(({ claim, fate }) =>
    fate.kind === 'stored'
      ? [fate.contentKey, fate.finalKey].filter((key) => key !== null).map((key) => [key, claim.seq] as const)
      : [],
  );
}

/** Makes the files of stored pages readable, in the transaction that stores the pages. */
async function addFiles(tx: Queryable, ends: readonly PageEnd[]): Promise<void> {
  for (const { fate } of ends) if (fate.kind === 'stored') await fate.file?.add(tx);
}

/** Deletes the files of pages that were not stored. `error` says whether a transaction may have stored them after all. */
async function discardFiles(ends: readonly PageEnd[], error: unknown): Promise<void> {
  for (const { fate } of ends) if (fate.kind === 'stored') await fate.file?.discard(error);
}
