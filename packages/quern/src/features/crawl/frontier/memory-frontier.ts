import type { Account, Billing } from '#engine/credits/billing.ts';
import type { ReservationCeiling } from '#engine/credits/tenant-credits.ts';
import { measureJsonBytes } from '#extract/json/size.ts';
import {
  type FailedPage,
  type FoundUrl,
  type ListedUrl,
  type PageClaim,
  type PageEnd,
  getElement,
  toFailedPage,
  toJsonLine,
} from '#features/crawl/crawl-page.ts';
import { isBarren, isDuplicate } from '#features/crawl/dedupe/barren-patterns.ts';
import { createNearDuplicateMarker, limitUnstoredLinks, skipDuplicates } from '#features/crawl/dedupe/duplicates.ts';
import type { TrackedPage } from '#features/changes/page-copies.ts';
import { findTrackedPage } from '#features/crawl/page-changes.ts';
import { createKnownKeys, type KnownKeys, filterUnknown, filterNoDeeper } from '#features/crawl/dedupe/known-keys.ts';
import { MAX_ANSWER_BYTES } from '#kernel/answer-json.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { compareTurns } from './claim-statements.ts';
import {
  type AddedUrl,
  buildCounterUpdate,
  type CounterUpdate,
  isHostGivenUp,
  SILENT_FATE,
  isLoggedOut,
  INITIAL_COUNTERS,
  toProgress,
} from './counters.ts';
import type { FrontierLimits } from './crawl-row.ts';
import type { ClaimResult, CrawlProgress, Frontier, HoldResult, PageDemand, UrlCount } from './frontier.ts';
import { createPatternLimit } from './url-patterns.ts';

export type MemoryFrontierParts = {
  readonly billing: Billing;
  readonly inTurn: GroupedTransaction;
  readonly account: Account;
  readonly limits: FrontierLimits;
  /** Share of the memory for all answers; it grows with the stored pages. */
  readonly share: MemoryShare;
};

/** Bytes of an answer in addition to its stored and failed pages. */
const ANSWER_OVERHEAD_BYTES = 64 * 1024;

/**
 * Creates the frontier of an inline crawl and the list of its stored pages. Its credits are only reserved, so that a
 * call without an answer is free. A frontier in the database would be 20 % slower on SQLite and 50 % on PostgreSQL.
 */
export function createMemoryFrontier(parts: MemoryFrontierParts): {
  readonly frontier: Frontier;
  readonly listElements: () => readonly unknown[];
  /** Lists the pages to compare with their last copies. */
  readonly listTracked: () => readonly TrackedPage[];
} {
  const crawl = new MemoryCrawl(parts);
  const { known, urls } = crawl;
  const frontier: Frontier = {
    isKnown: known.hasFound,
    isDuplicate: known.has,
    seed: async (found) => crawl.seed(found),
    add: async (found) => crawl.add(found),
    unpark: async (depth) => urls.unpark(depth),
    listUrls: async (most) => urls.listUrls(most),
    countUrls: async () => urls.countUrls(),
    claim: async (demand) => crawl.claim(demand),
    commit: async (ends) => crawl.commit(ends),
    raiseHold: async (credits) => (await crawl.holdCredits(credits, 1)).refused,
    holdCredits: async (each, most) => crawl.holdCredits(each, most),
    progress: async () => crawl.progress(),
    listFailedPages: async (most) => crawl.listFailedPages(most),
    renew: async () => undefined,
    leave: async () => undefined,
  };
  return { frontier, listElements: () => crawl.listElements(), listTracked: () => crawl.tracked };
}

class MemoryCrawl {
  readonly known = createKnownKeys();
  readonly urls: MemoryUrls;
  readonly tracked: TrackedPage[] = [];
  readonly #parts: MemoryFrontierParts;
  /** Paid credits stay reserved until the call is settled, so the reserved credits are the whole cost. */
  readonly #ceiling: ReservationCeiling | null;
  readonly #nearDuplicates = createNearDuplicateMarker(async (seq) => this.urls.findUrl(seq));
  readonly #failed: FailedPage[] = [];
  /** The stored pages as lines of JSON. */
  readonly #lines: Buffer[] = [];
  #bytes = ANSWER_OVERHEAD_BYTES;
  readonly #count: CounterUpdate;
  #isFull = false;
  #counters = INITIAL_COUNTERS;
  #stored = 0;
  #active: readonly PageClaim[] = [];
  #seed: Pick<PageClaim, 'seq' | 'url'> | null = null;
  /** URLs of duplicates. */
  readonly #repeats = new Set<string>();

  constructor(parts: MemoryFrontierParts) {
    const { account, limits } = parts;
    this.#parts = parts;
    this.urls = new MemoryUrls(this.known, limits);
    this.#count = buildCounterUpdate(limits);
    const { maxCredits } = limits;
    this.#ceiling = maxCredits === null ? null : { credits: maxCredits, key: account.key, parts: account.key };
  }

  listElements(): readonly unknown[] {
    return this.#lines.map((line): unknown => JSON.parse(line.toString()));
  }

  listFailedPages(most: number): readonly FailedPage[] {
    return this.#failed.slice(0, most);
  }

  progress(): CrawlProgress {
    return toProgress(this.#counters, { stored: this.#stored, active: this.#active.length, isFull: this.#isFull });
  }

  seed(urls: readonly FoundUrl[]): void {
    this.#seed = urls[0] === undefined ? null : { seq: 1, url: urls[0].url };
    this.#counters = this.#count(this.#counters, [], this.urls.add(urls, null));
  }

  add(urls: readonly FoundUrl[]): CrawlProgress {
    this.urls.park(urls.filter(({ isParked }) => isParked));
    this.#counters = this.#count(this.#counters, [], this.urls.add(urls, this.#seed));
    return this.progress();
  }

  async holdCredits(each: number, most: number): Promise<HoldResult> {
    const { billing, inTurn, account } = this.#parts;
    const terms = { each, most, ceiling: this.#ceiling };
    return inTurn({ tenant: account.tenant }, async (tx) => billing.reserveShares(tx, account, terms), {
      key: account.key,
    });
  }

  async claim(demand: PageDemand): Promise<ClaimResult> {
    const { maxPages, minPageCredits, recordsAll, maxActive } = this.#parts.limits;
    const { queue } = this.urls;
    const wanted = Math.min(demand.maxPages, maxPages - this.#stored - this.#active.length);
    if (this.#isFull) return { claims: [], reason: 'answer_full' };
    if (queue.length === 0) return { claims: [], reason: 'nothing' };
    if (!recordsAll && queue.every(({ host }) => this.#isSilent(host))) return { claims: [], reason: 'blocked' };
    if (isLoggedOut(this.#counters)) return { claims: [], reason: 'login_required' };
    if (wanted <= 0) return { claims: [], reason: 'max_pages' };
    const free = Math.min(wanted, (maxActive ?? Infinity) - this.#active.length);
    if (free <= 0) return { claims: [], reason: null };
    const chosen = this.#choosePages(demand);
    const { times, refused } = await this.holdCredits(minPageCredits, Math.min(chosen.length, free));
    if (times === 0) return { claims: [], reason: refused };
    const claims = chosen.slice(0, times).map((claim) => this.#markUnvisited(claim));
    this.#active = [...this.#active, ...claims];
    this.urls.unqueue(chosen.slice(0, times));
    return { claims, reason: null };
  }

  /** Stores the pages that fit into the answer; the others become pending again. */
  async commit(all: readonly PageEnd[]): Promise<CrawlProgress> {
    const ended = await this.#nearDuplicates.mark(skipDuplicates(all, this.known));
    const ends = ended.filter((end) => this.#tryKeep(end));
    this.#nearDuplicates.remember(ends);
    await this.#release(ended, ends);
    for (const end of ends) this.#end(end);
    for (const end of ends) if (isDuplicate(end)) this.#repeats.add(end.claim.url);
    const { ends: linking, ...followed } = limitUnstoredLinks(ends, {
      stored: this.#stored,
      maxPages: this.#parts.limits.maxPages,
      counts: this.#counters,
    });
    const added = linking.flatMap(({ claim, links }) => this.urls.add(links, claim));
    if (this.#parts.limits.byLevel)
      for (const { claim, links } of linking) this.urls.lessenDepths(filterNoDeeper(links, claim.depth), claim.url);
    this.#counters = this.#count({ ...this.#counters, ...followed }, ends, added);
    const over = new Set(ended.map(({ claim }) => claim.seq));
    // Running visits are aborted when the answer is full, and never end.
    this.#active = this.#isFull ? [] : this.#active.filter(({ seq }) => !over.has(seq));
    return this.progress();
  }

  /** Chooses queued pages in order, at each host as many as are in demand. */
  #choosePages({ maxAtHost }: PageDemand): readonly PageClaim[] {
    const hosts = new Set(this.urls.queue.map(({ host }) => host)).size;
    const perHost = new Map<string, number>();
    return this.#listInOrder().filter(({ host }) => {
      const n = (perHost.get(host) ?? 0) + 1;
      perHost.set(host, n);
      // No request is sent to a silent host, so its pace does not matter.
      return this.#isSilent(host) || n <= maxAtHost(host, hosts);
    });
  }

  #listInOrder(): readonly PageClaim[] {
    const { recordsAll, byLevel } = this.#parts.limits;
    const inOrder = this.urls.queue.filter(({ host }) => recordsAll || !this.#isSilent(host)).toSorted(compareTurns);
    if (!byLevel) return inOrder;
    const level = Math.min(...[...this.#active, ...inOrder].map(({ depth }) => depth));
    return inOrder.filter(({ depth }) => depth === level);
  }

  /** Whether a host no longer answers. */
  #isSilent(host: string): boolean {
    return isHostGivenUp(this.#counters, host);
  }

  #markUnvisited(claim: PageClaim): PageClaim {
    if (this.#isSilent(claim.host)) return { ...claim, unvisitedFate: SILENT_FATE };
    const isFromDuplicate = claim.parentUrl !== null && this.#repeats.has(claim.parentUrl);
    return { ...claim, isBarren: isFromDuplicate && isBarren(claim.url, this.#counters.debts) };
  }

  /** Adds the line of a page if it fits into the answer. Once a page does not fit, the answer is full. */
  #tryKeep(end: PageEnd): boolean {
    const { claim, fate } = end;
    const element = getElement(end);
    const line = element === null ? null : Buffer.concat(toJsonLine(element));
    const tracked = findTrackedPage(end);
    const size =
      (line?.byteLength ?? (fate.kind === 'failed' ? measureJsonBytes(toFailedPage(claim.url, fate), 0) : 0)) +
      (tracked === null ? 0 : measureJsonBytes(tracked.content, 0));
    this.#isFull ||= this.#bytes + size > MAX_ANSWER_BYTES || !this.#parts.share.tryGrow(size);
    if (this.#isFull) return false;
    this.#bytes += size;
    if (line !== null) this.#lines.push(line);
    if (tracked !== null) this.tracked.push(tracked);
    return true;
  }

  /** Releases reserved credits that the ended pages did not cost. */
  async #release(ended: readonly PageEnd[], storedEnds: readonly PageEnd[]): Promise<void> {
    const { billing, inTurn, account } = this.#parts;
    const cost = storedEnds.reduce((sum, { fate }) => sum + (fate.kind === 'stored' ? fate.credits : 0), 0);
    const free = ended.reduce((sum, { reservedCredits }) => sum + reservedCredits, 0) - cost;
    if (free <= 0) return;
    await inTurn({ tenant: account.tenant }, async (tx) => billing.releasePart(tx, account, free), {
      key: account.key,
    });
  }

  #end({ claim, fate }: PageEnd): void {
    if (fate.kind === 'deferred') {
      this.urls.defer(claim);
      return;
    }
    if (fate.kind === 'failed') this.#failed.push(toFailedPage(claim.url, fate));
    if (fate.kind !== 'stored') {
      this.urls.remove(claim.seq);
      return;
    }
    this.#stored += 1;
    this.urls.store(claim.seq, fate.title);
    for (const key of [fate.contentKey, fate.finalKey]) if (key !== null) this.known.add(key);
  }
}

type KnownUrl = ListedUrl & { readonly isParked: boolean; readonly claim: PageClaim };

/** The known URLs of an inline crawl and their states; the counterpart of `UrlRows` for jobs. */
class MemoryUrls {
  readonly #known: KnownKeys;
  readonly #limitPatterns: ReturnType<typeof createPatternLimit>;
  /** URLs that are not skipped, by sequence number. */
  readonly #urls = new Map<number, KnownUrl>();
  readonly #numbers = new Map<string, number>();
  readonly #tooDeep = new Set<string>();
  #queue: PageClaim[] = [];
  #lastSeq = 0;

  constructor(known: KnownKeys, { maxPerPattern }: Pick<FrontierLimits, 'maxPerPattern'>) {
    this.#known = known;
    this.#limitPatterns = createPatternLimit(maxPerPattern);
  }

  /** The queued pages, unordered. */
  get queue(): readonly PageClaim[] {
    return this.#queue;
  }

  /** Adds the URLs that are not known yet, in the given order. Returns the new ones. */
  add(urls: readonly FoundUrl[], parent: Pick<PageClaim, 'seq' | 'url'> | null): readonly AddedUrl[] {
    const parentUrl = parent?.url ?? null;
    const added = this.#limitPatterns(filterUnknown(urls, this.#known)).map((one) => ({
      ...one,
      wasTooDeep: this.#tooDeep.delete(one.key),
      parent: parent?.seq ?? null,
    }));
    for (const one of added) {
      this.#known.addFound(one);
      if (one.skip === 'depth') this.#tooDeep.add(one.key);
      this.#lastSeq += 1;
      if (one.skip !== null) continue;
      const { key, url, host, depth, isParked } = one;
      const claim = { seq: this.#lastSeq, url, host, depth, parentUrl, tries: 0, isBarren: false };
      this.#urls.set(this.#lastSeq, { ...one, claim });
      this.#numbers.set(key, this.#lastSeq);
      if (!isParked) this.#queue.push(claim);
    }
    return added;
  }

  /**
   * Reduces the depth of unvisited URLs to that of the shortest path found, and queues parked URLs that are no longer
   * too deep.
   */
  lessenDepths(urls: readonly FoundUrl[], parentUrl: string): void {
    for (const { key, depth, isParked } of urls) {
      const seq = this.#numbers.get(key) ?? 0;
      const known = this.#urls.get(seq);
      if (known === undefined || known.depth <= depth) continue;
      const at = this.#queue.indexOf(known.claim);
      if (at < 0 && !known.isParked) continue;
      const claim = { ...known.claim, depth, parentUrl };
      this.#urls.set(seq, { ...known, depth, claim, isParked: known.isParked && isParked });
      if (at >= 0) this.#queue[at] = claim;
      else if (!isParked) this.#queue.push(claim);
    }
  }

  /** Parks queued URLs, and takes the titles and dates given for known ones. */
  park(urls: readonly FoundUrl[]): void {
    const waiting = new Set(this.#queue);
    for (const { key, title, lastmod } of urls) {
      const seq = this.#numbers.get(key) ?? 0;
      const known = this.#urls.get(seq);
      if (known === undefined) continue;
      const isParked = waiting.delete(known.claim) || known.isParked;
      this.#urls.set(seq, { ...known, title: known.title ?? title, lastmod: known.lastmod ?? lastmod, isParked });
    }
    this.#queue = [...waiting];
  }

  /** Queues the parked URLs above this depth. Returns their number. */
  unpark(depth: number): number {
    const parked = [...this.#urls].filter(([, known]) => known.isParked && known.depth < depth);
    for (const [seq, known] of parked) this.#urls.set(seq, { ...known, isParked: false });
    this.#queue.push(...parked.map(([, { claim }]) => claim));
    return parked.length;
  }

  /** Removes claimed pages from the queue. */
  unqueue(claims: readonly PageClaim[]): void {
    this.#queue = this.#queue.filter((one) => !claims.includes(one));
  }

  /** Queues a claimed page again that the host refused temporarily. */
  defer({ seq, tries }: PageClaim): void {
    const known = this.#urls.get(seq);
    if (known === undefined) return;
    const claim = { ...known.claim, tries: tries + 1 };
    this.#urls.set(seq, { ...known, claim });
    this.#queue.push(claim);
  }

  /** Stores the title of a stored page. */
  store(seq: number, title: string | null): void {
    const known = this.#urls.get(seq);
    if (known !== undefined) this.#urls.set(seq, { ...known, title: title ?? known.title });
  }

  /** Removes a page that failed or was skipped from the list. */
  remove(seq: number): void {
    this.#urls.delete(seq);
  }

  findUrl(seq: number): string | null {
    return this.#urls.get(seq)?.url ?? null;
  }

  listUrls(most: number): readonly ListedUrl[] {
    return [...this.#urls.values()].slice(0, most);
  }

  countUrls(): readonly UrlCount[] {
    const stats = new Map<string, UrlCount>();
    for (const { source, depth, isParked } of this.#urls.values()) {
      const { count, parked } = stats.get(`${source} ${depth}`) ?? { count: 0, parked: 0 };
      stats.set(`${source} ${depth}`, { source, depth, count: count + 1, parked: parked + (isParked ? 1 : 0) });
    }
    return [...stats.values()];
  }
}
