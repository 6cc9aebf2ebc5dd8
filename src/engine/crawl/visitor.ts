import type { Breakers } from '#access/breaker.ts';
import type { Memory } from '#access/host-memory.ts';
import { climb } from '#access/ladder.ts';
import type { Rungs } from '#access/ladder.ts';
import type { Attempt, Page, Tier } from '#access/page.ts';
import { isAllowed } from '#access/robots-rules.ts';
import { toUsage } from '#engine/prices.ts';
import type { Price } from '#engine/prices.ts';
import type { SitePage, SitePageRequest } from '#extract/site/site-page.ts';
import { pathAndQuery, toAddress } from '#extract/site/address.ts';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { withoutRepeats } from '#kernel/warnings.ts';
import type { Visited } from './crawler.ts';
import type { Discovery } from './discovery.ts';
import type { Claim, Element, End, Failed, Stored } from './frontier.ts';
import type { CrawlOrder } from './order.ts';
import type { Heard } from './paces.ts';
import type { RobotsGate } from './robots-gate.ts';

/** One page may take so long, all tiers and second attempts together. */
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
  readonly robots: RobotsGate;
  /** Waits once more for the turn of a visit that was held up. */
  readonly again: (host: string, signal: AbortSignal) => Promise<void>;
  /** Told what the robots.txt of a host asks for. */
  readonly setCrawlDelay: (host: string, ms: number) => void;
  readonly readTarget: (url: string) => URL;
  readonly read: (request: SitePageRequest, signal: AbortSignal) => Promise<SitePage>;
  /** Whether pages are kept, and not only how they are called. */
  readonly keeps: boolean;
  readonly isKnown: (key: string) => boolean;
  /** Sets more credits aside before a costlier tier; whether they could be had. */
  readonly raise: (credits: number) => Promise<boolean>;
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
};

/** Builds the visit of one page: from a claim to what became of it. It throws for nothing that is the page's own fault. */
export function buildVisitor(parts: VisitorParts): (claim: Claim, signal: AbortSignal) => Promise<Visited> {
  const {
    order,
    tiers,
    price,
    discovery,
    rungsAt,
    robots,
    again,
    setCrawlDelay,
    readTarget,
    read,
    keeps,
    isKnown,
    raise,
  } = parts;
  const cheapest = toUsage(price, tiers[0] ?? 'http').credits;

  return async function visit(claim, signal) {
    const attempts: Attempt[] = [];
    const began = performance.now();
    let held = cheapest;
    let arrived: Page | null = null;

    function end(fate: End['fate'], more: Partial<Pick<End, 'links' | 'anchor'>> = {}): Visited {
      return {
        end: { claim, held, links: [], anchor: null, ...more, fate },
        heard: toHeard(attempts.at(-1), arrived),
      };
    }

    try {
      if (order.respectRobots && !(await mayVisit(claim, signal))) return end({ kind: 'skipped', reason: 'robots' });
      // Those that waited for one robots.txt together must not start together.
      if (performance.now() - began > LATE_MS) await again(claim.host, signal);
      const { page, tier } = await fetchPage(claim, { attempts, signal, hold: (more) => (held += more) });
      arrived = page;
      const anchor = claim.parentUrl === null && order.discovers ? page.url : null;
      if (anchor !== null && !discovery.anchor(claim.url, anchor)) {
        return end({ kind: 'skipped', reason: 'scope' }, { anchor });
      }
      if (discovery.hasLeft(page.url)) return end({ kind: 'skipped', reason: 'redirect' });
      if (page.status >= 400) return end(toFailed(page), { anchor });
      const { stored, links } = await readArrived(
        { claim, page, tier, credits: toUsage(price, tier).credits, at: parts.clock.now() },
        signal,
      );
      return end(stored, { anchor, links });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Forbidden) return end({ kind: 'skipped', reason: 'robots' });
      if (!(error instanceof ServiceError)) throw error;
      return end({ kind: 'failed', statusCode: null, code: error.code, message: error.message });
    }
  };

  async function mayVisit({ url, host }: Pick<Claim, 'url' | 'host'>, signal: AbortSignal): Promise<boolean> {
    const rules = await robots.of(new URL(url).origin, signal);
    setCrawlDelay(host, rules.crawlDelayMs);
    const address = toAddress(url);
    return address !== null && isAllowed(rules, pathAndQuery(address));
  }

  async function checkRedirect({ href, host }: URL, signal: AbortSignal): Promise<void> {
    const to = { url: href, host: toAddress(href)?.authority ?? host };
    if (order.respectRobots && !(await mayVisit(to, signal))) throw new Forbidden();
  }

  async function fetchPage({ url, host }: Claim, { attempts, signal, hold }: Attempting) {
    return climb({
      tiers,
      rungs: rungsAt(host),
      breakers: parts.breakers,
      memory: parts.memory,
      request: {
        url: readTarget(url),
        headers: order.page.headers,
        cookies: order.page.cookies,
        onRedirect: checkRedirect,
      },
      timeoutMs: PAGE_MS,
      startedAt: performance.now(),
      clock: MONOTONIC,
      random: Math.random,
      signal,
      proxiesInPlan: parts.proxiesInPlan,
      suffices: null,
      async before(tier) {
        const more = toUsage(price, tier).credits - cheapest;
        if (more <= 0) return;
        if (!(await raise(more))) {
          throw new ServiceError('credits_exhausted', `tier ${tier} needs ${more} credits more than are left`);
        }
        hold(more);
      },
      attempts,
    });
  }

  async function readArrived(arrival: Arrival, signal: AbortSignal) {
    const { claim, page, tier, credits } = arrival;
    const { headers: _sent, cookies: _given, ...how } = order.page;
    const { url, contentType, body, headers } = page;
    const { depth } = claim;
    const xRobotsTag = headers['x-robots-tag'] ?? '';
    const rules = discovery.rules();
    const request = { ...how, url, contentType, body, xRobotsTag, depth, rules, wantsTitles: !keeps, keeps };
    const said = await read(request, signal);
    const stored: Stored = {
      kind: 'stored',
      tier,
      credits,
      finalKey: discovery.finalKeyOf(claim.url, url),
      title: keeps ? null : said.title,
      // A mark that no key of an address begins with.
      contentKey: order.dedupeContent && said.print.digest !== null ? `=${said.print.digest}` : null,
      simhash: keeps ? said.print.simhash : null,
      element: said.members === null ? null : toElement(arrival, said, said.members),
    };
    return { stored, links: discovery.discover(said, isKnown) };
  }
}

/** A page as the result of a crawl lists it. */
function toElement(
  { claim, page, tier, credits, at }: Arrival,
  { soft404, warnings }: SitePage,
  members: Uint8Array,
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
      tier,
      credits,
      ...(soft404 ? { soft_404: true } : {}),
      warnings: [...page.warnings, ...withoutRepeats(page.warnings, warnings)],
    },
  };
}

/** A redirect leads to where robots.txt lets nobody go. */
class Forbidden extends Error {}

type Attempting = {
  readonly attempts: Attempt[];
  readonly signal: AbortSignal;
  readonly hold: (more: number) => void;
};

function toFailed({ status }: Page): Failed {
  const code = status === 404 || status === 410 ? 'not_found' : 'target_error';
  return { kind: 'failed', statusCode: status, code, message: `the target answered ${status}` };
}

function toHeard(last: Attempt | undefined, page: Page | null): Heard {
  if (last === undefined) return null;
  return {
    status: last.status_code ?? null,
    latencyMs: last.duration_ms,
    retryAfter: page?.headers['retry-after'] ?? null,
  };
}
