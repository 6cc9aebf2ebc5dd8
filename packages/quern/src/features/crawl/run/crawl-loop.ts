import type { PageClaim, VisitedPage, VisitPage } from '#features/crawl/crawl-page.ts';
import type { ClaimResult, CrawlProgress, Frontier, PageDemand } from '#features/crawl/frontier/frontier.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import type { HostPace, VisitTiming } from '#engine/politeness/host-pace.ts';
import type { Clock } from '#kernel/clock.ts';
import { CommitOrder, type EndedVisit, sortByStart, ReadyPages, VisitSlots } from './visit-order.ts';

export type CrawlLoopParts = {
  readonly frontier: Frontier;
  /** Adds the URLs of the site's files. Called once the final URL of the seed is known; the crawl waits for it. */
  readonly readFiles: ((baseUrl: string, signal: AbortSignal) => Promise<void>) | null;
  readonly visit: VisitPage;
  readonly paceOf: (host: string) => HostPace;
  readonly role: CrawlRole;
  /** Called with committed pages. */
  readonly onCommit: (pages: readonly VisitedPage[]) => void;
  readonly clock: Clock;
};

/** The owner of a crawl waits for the last pages of its helpers, in case they die. A helper does not wait. */
export type CrawlRole = 'owner' | 'helper';

/** Why there is nothing more to do. */
export type CrawlFinish = Exclude<ClaimResult['reason'], null>;

/** Maximum number of concurrent visits of one crawl. */
const MAX_VISITS_AT_ONCE = 64;
/** Maximum number of pages of a commit, and the longest time that the first of them waits. */
const MAX_COMMIT_PAGES = 64;
const COMMIT_DELAY_MS = 250;
/** Claimed pages waiting for a visit, per concurrent visit. */
const CLAIMED_PER_VISIT = 2;
/** Pages that can start within this time are claimed. It is longer than the interval between claims. */
const CLAIM_AHEAD_MS = 750;
/** Poll interval while other processes visit the last pages; they may die. */
const OTHERS_POLL_MS = 500;
/** Poll interval while the site's files are being read. */
const FILES_POLL_MS = 50;
const RENEW_MS = 10_000;

/**
 * Visits the pages of a crawl until no process can claim another one. When the signal fires, ended pages are committed,
 * the others are released, and the signal's reason is thrown.
 */
export async function runCrawlLoop(parts: CrawlLoopParts, signal: AbortSignal): Promise<CrawlFinish> {
  return new CrawlLoop(parts, signal).run();
}

class CrawlLoop {
  readonly #parts: CrawlLoopParts;
  readonly #signal: AbortSignal;
  readonly #stopping = new AbortController();
  /** Aborts when visits must stop. */
  readonly #stop: AbortSignal;
  readonly #wake: WakeSignal;
  readonly #slots: VisitSlots;
  readonly #ready = new ReadyPages();
  readonly #order: CommitOrder;
  readonly #failures: unknown[] = [];
  /** Pages that ended and are not committed. */
  #ended: EndedPage[] = [];
  #firstEndAt = 0;
  #isCommitting = false;
  #isClaiming = false;
  #files: 'unread' | 'being read' | 'read';
  /** Number of pages that other processes have claimed. */
  #othersActive = 0;
  /** Why the last claim was empty; null once something may have changed that. */
  #finish: CrawlFinish | null = null;
  #claimAgainAt = 0;
  /** Counts changes that may have made pages claimable. An empty claim that started before such a change is ignored. */
  #changes = 0;

  constructor(parts: CrawlLoopParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#stop = AbortSignal.any([signal, this.#stopping.signal]);
    this.#wake = new WakeSignal(parts.clock);
    this.#slots = new VisitSlots(MAX_VISITS_AT_ONCE, parts.clock);
    this.#order = new CommitOrder(parts.clock);
    this.#files = parts.readFiles === null ? 'read' : 'unread';
  }

  async run(): Promise<CrawlFinish> {
    const { frontier, clock } = this.#parts;
    const renewing = clock.every(RENEW_MS, () => this.#runInBackground(frontier.renew()));
    try {
      while (!this.#signal.aborted) {
        if (this.#failures.length > 0) throw this.#failures[0];
        const now = clock.monotonic();
        const untilStart = this.#startVisits();
        if (this.#isCommitDue(now)) this.#runInBackground(this.#commit(this.#listCommittable()));
        if (this.#needsPages() && now >= this.#claimAgainAt && !this.#isClaiming) this.#runInBackground(this.#claim());
        if (this.#finish !== null && this.#isOver(this.#finish)) return this.#finish;
        await this.#wake.wait(Math.min(untilStart, this.#msUntilDue(now), RENEW_MS), this.#signal);
      }
      throw this.#signal.reason;
    } finally {
      renewing.close();
      this.#stopping.abort();
      await this.#finishWork();
      for (const { visited } of this.#ended) visited.releaseMemory();
      await frontier.leave();
    }
  }

  /** Runs work in the background. A failure ends the loop. */
  #runInBackground(work: Promise<void>): void {
    void work.catch((error: unknown) => this.#failures.push(error)).finally(() => this.#wake.fire());
  }

  /** Starts visits, host by host. Returns the ms until more may start. */
  #startVisits(): number {
    let next = Infinity;
    this.#slots.updateSlowHosts();
    for (const host of this.#ready.listHosts()) {
      // Uncommitted pages are visited again after a crash, so a slow store slows the visits down.
      if (this.#slots.count() + this.#ended.length >= MAX_VISITS_AT_ONCE + MAX_COMMIT_PAGES) break;
      const waitMs = this.#slots.canBegin(host) ? this.#parts.paceOf(host).computeWaitMs() : null;
      if (waitMs === null) continue;
      if (waitMs > 0) {
        next = Math.min(next, waitMs);
        continue;
      }
      const claim = this.#ready.take(host);
      if (claim !== null) this.#runInBackground(this.#visit(claim));
    }
    return next;
  }

  async #visit(claim: PageClaim): Promise<void> {
    const hostVisit = this.#parts.paceOf(claim.host).begin();
    const freeSlot = this.#slots.begin(claim.host);
    const number = this.#order.begin(claim.host);
    let timing: VisitTiming = null;
    try {
      const visited = await this.#parts.visit(claim, this.#stop, hostVisit);
      timing = visited.timing;
      this.#addEnded(visited, number);
    } catch (error) {
      // An aborted page is released, as if it had never been claimed.
      if (!this.#stop.aborted) throw error;
    } finally {
      this.#order.end(number);
      freeSlot();
      hostVisit.end(timing);
    }
  }

  #addEnded(visited: VisitedPage, number: number): void {
    if (this.#ended.length === 0) this.#firstEndAt = this.#parts.clock.monotonic();
    this.#ended.push({ visited, ...this.#order.describeEnded(number) });
  }

  #isCommitDue(now: number): boolean {
    if (this.#isCommitting || this.#ended.length === 0) return false;
    if (this.#ended.length >= MAX_COMMIT_PAGES) return true;
    const isTime = now - this.#firstEndAt >= COMMIT_DELAY_MS || this.#slots.count() === 0;
    return isTime && this.#listCommittable().length > 0;
  }

  /** Lists the ended pages that may be committed now: all of them if there are too many to wait for earlier ones. */
  #listCommittable(): readonly EndedPage[] {
    return this.#ended.length >= MAX_COMMIT_PAGES ? sortByStart(this.#ended) : this.#order.listCommittable(this.#ended);
  }

  async #commit(pages: readonly EndedPage[]): Promise<void> {
    const chosen = new Set(pages.slice(0, MAX_COMMIT_PAGES));
    const batch = [...chosen].map(({ visited }) => visited);
    this.#ended = this.#ended.filter((page) => !chosen.has(page));
    this.#firstEndAt = this.#parts.clock.monotonic();
    this.#isCommitting = true;
    try {
      this.#applyProgress(await this.#parts.frontier.commit(batch.map(({ end }) => end)));
      this.#parts.onCommit(batch);
      this.#retryClaims();
    } finally {
      this.#isCommitting = false;
      for (const { releaseMemory } of batch) releaseMemory();
    }
  }

  /** Whether few pages are ready, of all hosts or of the quick hosts, which must not run dry. */
  #needsPages(): boolean {
    const few = (MAX_VISITS_AT_ONCE * CLAIMED_PER_VISIT) / 2;
    if (this.#ready.count() <= few) return true;
    return this.#slots.hasQuickHosts() && this.#countReadyQuick() <= few;
  }

  async #claim(): Promise<void> {
    const { frontier } = this.#parts;
    this.#isClaiming = true;
    const before = this.#changes;
    try {
      const { claims, reason } = await frontier.claim(this.#computeDemand());
      this.#ready.add(claims.filter(isVisited));
      // No request is sent for these, so they need not wait for a host.
      for (const claim of claims) if (!isVisited(claim)) await this.#endUnvisited(claim);
      if (claims.length === 0) this.#applyProgress(await frontier.progress());
      if (this.#changes !== before) return;
      this.#finish = reason;
      if (claims.length === 0)
        this.#claimAgainAt = this.#parts.clock.monotonic() + (this.#isReadingFiles() ? FILES_POLL_MS : OTHERS_POLL_MS);
    } finally {
      this.#isClaiming = false;
    }
  }

  async #endUnvisited(claim: PageClaim): Promise<void> {
    const number = this.#order.begin(claim.host);
    try {
      this.#addEnded(await this.#parts.visit(claim, this.#stop, null), number);
    } finally {
      this.#order.end(number);
    }
  }

  /**
   * Computes how many pages to claim. Pages of slow and unknown hosts are limited, so that quick hosts get pages too.
   */
  #computeDemand(): PageDemand {
    const quick = this.#countReadyQuick();
    const hasFreeSlots = this.#ready.count() - quick < MAX_VISITS_AT_ONCE;
    return {
      maxPages: Math.max(1, MAX_VISITS_AT_ONCE * CLAIMED_PER_VISIT - quick),
      maxAtHost: (host, hosts) => {
        const unbounded = hosts === 1 || this.#slots.isQuick(host);
        const most = unbounded ? Infinity : hasFreeSlots ? Math.ceil(MAX_VISITS_AT_ONCE / hosts) : 0;
        const soon = this.#parts.paceOf(host).countStartable(CLAIM_AHEAD_MS);
        return Math.max(0, Math.min(most, soon) - this.#ready.countAt(host));
      },
    };
  }

  #countReadyQuick(): number {
    return this.#ready.count((host) => this.#slots.isQuick(host));
  }

  #applyProgress({ active, baseUrl, isFull }: CrawlProgress): void {
    if (isFull) this.#stopping.abort();
    this.#othersActive = active - this.#countOwn();
    if (baseUrl !== null && this.#files === 'unread' && !this.#stop.aborted)
      this.#runInBackground(this.#readFiles(baseUrl));
  }

  async #readFiles(baseUrl: string): Promise<void> {
    this.#files = 'being read';
    this.#order.beginFiles();
    try {
      await this.#parts.readFiles?.(baseUrl, this.#stop);
    } catch (error) {
      if (!this.#stop.aborted) throw error;
    } finally {
      this.#files = 'read';
      this.#order.endFiles();
      this.#retryClaims();
    }
  }

  #isReadingFiles(): boolean {
    return this.#files === 'being read';
  }

  #retryClaims(): void {
    this.#changes += 1;
    this.#finish = null;
    this.#claimAgainAt = 0;
  }

  /** Counts pages that this process has claimed and not committed. */
  #countOwn(): number {
    return this.#slots.count() + this.#ready.count() + this.#ended.length;
  }

  #isOver(finish: CrawlFinish): boolean {
    if (this.#countOwn() > 0 || this.#isCommitting || this.#isClaiming) return false;
    if (this.#isReadingFiles() && finish === 'nothing') return false;
    return this.#othersActive <= 0 || this.#parts.role === 'helper';
  }

  /** Ms until a commit or a claim is due. */
  #msUntilDue(now: number): number {
    const untilTime = Math.max(1, COMMIT_DELAY_MS - (now - this.#firstEndAt));
    const untilCommit = this.#ended.length === 0 ? Infinity : Math.max(untilTime, this.#msUntilCommittable());
    const untilClaim = this.#claimAgainAt > now ? this.#claimAgainAt - now : Infinity;
    return Math.min(untilCommit, untilClaim);
  }

  /** Ms until an ended page may be committed, if no earlier one ends before. */
  #msUntilCommittable(): number {
    return this.#listCommittable().length > 0 ? 0 : this.#order.msUntilCommittable(this.#ended);
  }

  /** Waits for running work, and commits the pages that ended before the stop. */
  async #finishWork(): Promise<void> {
    while (this.#slots.count() > 0 || this.#isCommitting || this.#isClaiming || this.#isReadingFiles())
      await this.#wake.wait(COMMIT_DELAY_MS, new AbortController().signal);
    while (this.#ended.length > 0 && this.#failures.every((failure): boolean => failure instanceof JobStopped)) {
      await this.#commit(sortByStart(this.#ended)).catch((error: unknown) => this.#failures.push(error));
    }
  }
}

/** A page that ended and is not committed. */
type EndedPage = EndedVisit & { readonly visited: VisitedPage };

/** A signal that ends one wait. */
class WakeSignal {
  readonly #clock: Clock;
  #fired = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  fire(): void {
    this.#fired.resolve();
  }

  /** Waits until it fires, until `ms` have passed, or until the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = this.#fired;
    const wake = (): void => resolve();
    const timer = this.#clock.after(ms, wake);
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
    await promise;
    signal.removeEventListener('abort', wake);
    timer.close();
    this.#fired = Promise.withResolvers<void>();
  }
}

/** Whether a request is sent for a page. */
function isVisited({ isBarren, unvisitedFate }: PageClaim): boolean {
  return !isBarren && unvisitedFate === undefined;
}
