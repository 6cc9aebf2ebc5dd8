import type { Breakers } from '#access/breaker.ts';
import type { Memory } from '#access/host-memory.ts';
import { isErrorPage } from '#access/error-page.ts';
import { climb } from '#access/ladder.ts';
import type { Rungs } from '#access/ladder.ts';
import { SMALL_BYTES } from '#access/limits.ts';
import type { Attempt, Page, PageRequest, Tier } from '#access/page.ts';
import { isRendered } from '#access/turn.ts';
import type { Witness } from '#access/witness.ts';
import type { Shortage } from '#engine/billing.ts';
import type { Made } from '#engine/model-outputs.ts';
import { toUsage } from '#engine/prices.ts';
import type { Price } from '#engine/prices.ts';
import type { SitePage, SitePageRequest } from '#extract/site/site-page.ts';
import type { SkipReason } from '#extract/site/admission.ts';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { withoutRepeats } from '#kernel/warnings.ts';
import { release } from '#kernel/memory.ts';
import type { Share } from '#kernel/room.ts';
import type { Visited } from './crawler.ts';
import type { Discovery } from './discovery.ts';
import type { Claim, Element, End, Frontier, Stored } from './frontier.ts';
import { toPageRequest } from './order.ts';
import type { CrawlOrder } from './order.ts';
import { NOTHING_MADE } from './making.ts';
import type { Making } from './making.ts';
import type { MissingPages } from './missing-pages.ts';
import type { Heard } from './paces.ts';
import { toFailed } from './trouble.ts';

/** One page may take so long, all tiers and second attempts together, beside the wait that is wished for. */
const PAGE_MS = 30_000;
/** A start that comes later than this is another one. */
const LATE_MS = 25;
const MONOTONIC: Clock = { now: () => performance.now() };

export type VisitorParts = {
  readonly order: CrawlOrder;
  readonly tiers: readonly Tier[];
  readonly price: Price;
  readonly discovery: Discovery;
  /** The tiers as a visit of a host is to climb them. */
  readonly rungsAt: (host: string) => Rungs;
  readonly breakers: Breakers;
  /** What is known of hosts that turn cheap tiers away. */
  readonly memory: Memory;
  /** Waits once more for the turn of a visit that was held up. */
  readonly again: (host: string, signal: AbortSignal) => Promise<void>;
  /** Whether robots.txt allows an address, where that is to be obeyed. */
  readonly mayVisit: (url: string, signal: AbortSignal) => Promise<boolean>;
  /** What hosts show for what is missing; null where nobody wants to know. */
  readonly missing: MissingPages | null;
  /** What a page takes of the memory of all pages in hand. */
  readonly enter: () => Share;
  readonly readTarget: (url: string) => URL;
  readonly read: (request: SitePageRequest, signal: AbortSignal) => Promise<SitePage>;
  /** Whether pages are kept, and not only how they are called. */
  readonly keeps: boolean;
  readonly isKnown: Frontier['isKnown'];
  readonly isTaken: Frontier['isTaken'];
  readonly raise: Frontier['raise'];
  /** What a model adds. */
  readonly making: Making;
  /** Told of the exchanges of a page, by its number; null where nobody keeps them. */
  readonly witnessOf: ((seq: number) => Witness) | null;
  /** The job whose pages may follow each other in one context of a browser; null for a call that waits. */
  readonly jobId: string | null;
  /** Told of a page that a browser showed; null where nobody keeps it. */
  readonly keepShown: ((seq: number, page: Page) => void) | null;
  /** Whether the plan includes proxy tiers. */
  readonly proxiesInPlan: boolean;
  readonly clock: Clock;
};

/** What is known of a page when it has come. */
type Arrival = {
  readonly claim: Claim;
  readonly page: Page;
  readonly tier: Tier;
  readonly credits: number;
  /** When it came, ms. */
  readonly at: number;
  /** Told of credits that were set aside for it beside the first. */
  readonly hold: (more: number) => void;
  readonly share: Share;
};

/** Builds the visit of one page: from a claim to what became of it. It throws for nothing that is the page's own fault. */
export function buildVisitor(parts: VisitorParts): (claim: Claim, signal: AbortSignal) => Promise<Visited> {
  const { order, tiers, price, discovery, rungsAt, again, mayVisit, missing, readTarget, read, keeps, isKnown, raise } =
    parts;
  const { making, isTaken } = parts;
  const least = toUsage(price, tiers[0] ?? 'http').credits;

  return async function visit(claim, signal) {
    const attempts: Attempt[] = [];
    const began = performance.now();
    let held = least + making.setAside;
    let arrived: Page | null = null;
    const share = parts.enter();

    function end(fate: End['fate'], more: Partial<Pick<End, 'links' | 'leftOut' | 'anchor'>> = {}): Visited {
      return {
        end: { claim, held, links: [], leftOut: {}, anchor: null, ...more, fate },
        heard: toHeard(attempts.at(-1), arrived),
        leave: share.leave,
      };
    }

    try {
      if (!(await mayVisit(claim.url, signal))) return end({ kind: 'skipped', reason: 'robots' });
      // Those that waited for one robots.txt together must not start together.
      if (performance.now() - began > LATE_MS) await again(claim.host, signal);
      const way = wayOf(claim);
      const hold = (more: number) => (held += more);
      /** What it takes beside what is set aside already, so that of two costlier tiers only the last is paid. */
      const lackFor = (tier: Tier) => toUsage(price, tier).credits + making.setAside - held;
      const { page, tier } = await fetchPage(claim, { attempts, signal, hold, lackFor, share, follows: way.follows });
      arrived = page;
      if (isRendered(page, tier)) parts.keepShown?.(claim.seq, page);
      const anchor = claim.parentUrl === null && order.discovers ? page.url : null;
      if (anchor !== null && !discovery.anchor(claim.url, anchor)) {
        return end({ kind: 'skipped', reason: 'scope' }, { anchor });
      }
      const barred = way.barredAs();
      if (barred !== null) return end({ kind: 'skipped', reason: barred });
      if (discovery.hasLeft(page.url)) return end({ kind: 'skipped', reason: 'redirect' });
      if (isErrorPage(page)) return end(toFailed(page.status), { anchor });
      const { stored, ...named } = await readArrived(
        { claim, page, tier, credits: toUsage(price, tier).credits, at: parts.clock.now(), hold, share },
        signal,
      );
      return end(stored, { anchor, ...named });
    } catch (error) {
      // What is given back, and what has failed, is nothing that is held.
      share.leave();
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const status = statusAlone(attempts.at(-1));
      const isStart = claim.parentUrl === null && order.discovers;
      // What answers is not silent; of a start that fails the crawl ends as a fetch of it would.
      if (status !== null && !isStart) return end(toFailed(status));
      return end({ kind: 'failed', statusCode: null, code: error.code, message: error.message });
    }
  };

  /** The redirects that a page may take: where robots.txt allows it, and all but the seed's within the crawl. */
  function wayOf({ parentUrl }: Claim) {
    let barred: SkipReason | null = null;
    return {
      barredAs: () => barred,
      async follows(this: void, { href }: URL, signal: AbortSignal): Promise<boolean> {
        if (parentUrl !== null && discovery.hasLeft(href)) barred = 'redirect';
        else barred = (await mayVisit(href, signal)) ? null : 'robots';
        return barred === null;
      },
    };
  }

  function told(seq: number): Pick<PageRequest, 'witness' | 'job'> {
    return { witness: parts.witnessOf?.(seq), ...(parts.jobId === null ? {} : { job: parts.jobId }) };
  }

  async function fetchPage({ url, host, seq }: Claim, attempting: Attempting) {
    const { attempts, signal, hold, lackFor, share, follows } = attempting;
    const { headers, cookies, visit: wished } = order.page;
    return climb({
      tiers,
      rungs: rungsAt(host),
      breakers: parts.breakers,
      memory: parts.memory,
      request: { url: readTarget(url), headers, cookies, ...wished, share, follows, ...told(seq) },
      timeoutMs: PAGE_MS + (wished.browser?.waitMs ?? 0),
      startedAt: performance.now(),
      clock: MONOTONIC,
      random: Math.random,
      signal,
      proxiesInPlan: parts.proxiesInPlan,
      suffices: null,
      async before(tier) {
        const more = lackFor(tier);
        if (more <= 0) return;
        const refused = await raise(more);
        if (refused !== null) throw unpaid(refused, { tier, more });
        hold(more);
      },
      attempts,
    });
  }

  async function readArrived(arrival: Arrival, signal: AbortSignal) {
    const { claim, page, tier, hold, share } = arrival;
    const { url } = page;
    const { depth } = claim;
    const found = { rules: discovery.rules(), depth, missing: missing?.meet(url, signal) ?? null };
    const said = await read({ ...toPageRequest(order, page), ...found, wantsTitles: !keeps, keeps }, signal);
    const { byteLength } = page.body;
    release(page.body);
    share.shrink(byteLength);
    const kept = said.members?.byteLength ?? 0;
    if (kept > SMALL_BYTES) await share.grow(kept, signal);
    const finalKey = discovery.finalKeyOf(claim.url, url);
    // A mark that no key of an address begins with.
    const contentKey = order.dedupeContent && said.print.digest !== null ? `=${said.print.digest}` : null;
    async function raiseHere(more: number): Promise<boolean> {
      const isHeld = (await raise(more)) === null;
      if (isHeld) hold(more);
      return isHeld;
    }
    // What is a twin of a stored page will not be kept, and what a model says of it would be paid for nothing.
    const isTwin = [finalKey, contentKey].some((key) => key !== null && isTaken(key));
    const made = isTwin ? NOTHING_MADE : await making.ask({ url, said, raise: raiseHere }, signal);
    const credits = arrival.credits + made.count * making.each;
    const stored: Stored = {
      kind: 'stored',
      tier,
      credits,
      made: made.count,
      finalKey,
      title: keeps ? null : said.title,
      contentKey,
      simhash: keeps ? said.print.simhash : null,
      element: said.members === null ? null : toElement({ ...arrival, credits }, { said, made }, said.members),
    };
    return { stored, links: discovery.discover({ depth }, said, isKnown), leftOut: discovery.leftOut(said) };
  }
}

/** The status of an answer that held nothing else. */
function statusAlone(last: Attempt | undefined): number | null {
  return last?.outcome === 'http_error' ? (last.status_code ?? null) : null;
}

/** A page as the result of a crawl lists it. */
function toElement(
  { claim, page, tier, credits, at }: Arrival,
  { said: { soft404, warnings }, made }: { readonly said: SitePage; readonly made: Made },
  members: Uint8Array<ArrayBuffer>,
): Element {
  return {
    head: {
      url: claim.url,
      final_url: page.url,
      status_code: page.status,
      fetched_at: toTimestamp(at),
      depth: claim.depth,
      parent_url: claim.parentUrl,
      content_type: page.contentType,
    },
    members,
    tail: {
      ...made.members,
      tier,
      credits,
      ...(soft404 ? { soft_404: true } : {}),
      warnings: [...page.warnings, ...withoutRepeats(page.warnings, [...warnings, ...made.warnings])],
    },
  };
}

type Attempting = {
  readonly attempts: Attempt[];
  readonly signal: AbortSignal;
  readonly hold: (more: number) => void;
  /** Credits that a tier costs beside what is set aside. */
  readonly lackFor: (tier: Tier) => number;
  readonly share: Share;
  readonly follows: NonNullable<PageRequest['follows']>;
};

/** Why a page is not asked for by a costlier tier. */
function unpaid(shortage: Shortage, { tier, more }: { readonly tier: Tier; readonly more: number }): ServiceError {
  const need = `the next step, tier ${tier}, needs ${more} credits more`;
  if (shortage === 'max_credits')
    return new ServiceError('target_blocked', `${need}, and max_credits leaves fewer: raise it`);
  if (shortage === 'daily_cap')
    return new ServiceError('daily_credit_cap_exceeded', `${need}, and the daily cap leaves fewer until 00:00 UTC`);
  return new ServiceError('credits_exhausted', `${need} than are left: a top-up or a higher plan lifts this`);
}

function toHeard(last: Attempt | undefined, page: Page | null): Heard {
  if (last === undefined) return null;
  return {
    status: last.status_code ?? null,
    latencyMs: last.duration_ms,
    retryAfter: page?.headers['retry-after'] ?? null,
  };
}
