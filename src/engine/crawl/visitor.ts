import { climb } from '#access/ladder.ts';
import type { Rungs } from '#access/ladder.ts';
import type { Page, Tier } from '#access/page.ts';
import { isAllowed } from '#access/robots-rules.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { pathAndQuery, toAddress } from '#extract/site/address.ts';
import { admit } from '#extract/site/admission.ts';
import { canonicalKey } from '#extract/site/canonical-key.ts';
import { compileFilter } from '#extract/site/filters.ts';
import { keyHash } from '#extract/site/key-hash.ts';
import type { PageLinks } from '#extract/site/page-links.ts';
import { isSameListing } from '#extract/site/pagination.ts';
import { isWithin, scopeOf } from '#extract/site/scope.ts';
import type { Scope } from '#extract/site/scope.ts';
import type { Price } from '#engine/prices.ts';
import { toUsage } from '#engine/prices.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Claim, End, Failed, Found } from './frontier.ts';
import type { CrawlOrder } from './order.ts';
import type { RobotsGate } from './robots-gate.ts';

const PAGE_MS = 30_000;
const MONOTONIC: Clock = { now: () => performance.now() };

export type VisitorParts = {
  readonly order: CrawlOrder;
  readonly tiers: readonly Tier[];
  readonly price: Price;
  /** Makes the keys of this crawl its own. */
  readonly salt: string;
  readonly rungs: Rungs;
  readonly robots: RobotsGate;
  readonly readTarget: (url: string) => URL;
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<Reading>;
  /** Sets more credits aside before a costlier tier; whether they could be had. */
  readonly raise: (credits: number) => Promise<boolean>;
  /** Whether the plan includes proxy tiers. */
  readonly proxiesInPlan: boolean;
  readonly clock: Clock;
};

/** Builds the visit of one page of a crawl: from a claim to what became of it. */
export function buildVisitor(parts: VisitorParts) {
  const { order, tiers, price, salt, rungs, robots, readTarget, read, raise, proxiesInPlan, clock } = parts;
  const filter = compileFilter(order.include, order.exclude);
  const cheapest = toUsage(price, tiers[0] ?? 'http').credits;
  let scope: Scope | null = null;

  function toFound(url: string, depth: number, skip: Found['skip']): Found {
    return { url, key: keyHash(canonicalKey(url), salt), host: new URL(url).host, depth, skip };
  }

  function discover(claim: Claim, page: Page, { links }: PageLinks): readonly Found[] {
    if (!order.discovers || scope === null) return [];
    const rules = { scope, filter, now: clock.now() };
    return links.map(({ url, rel }) => {
      const depth = claim.depth + (isSameListing(page.url, url, rel) ? 0 : 1);
      const admission = admit(url, rules);
      if ('skip' in admission) return toFound(url, depth, admission.skip);
      return toFound(url, depth, order.maxDepth !== null && depth > order.maxDepth ? 'depth' : null);
    });
  }

  async function fetchPage(claim: Claim, hold: (more: number) => void, signal: AbortSignal) {
    return climb({
      tiers,
      rungs,
      request: { url: readTarget(claim.url), headers: order.page.headers, cookies: order.page.cookies },
      timeoutMs: PAGE_MS,
      startedAt: performance.now(),
      clock: MONOTONIC,
      random: Math.random,
      signal,
      proxiesInPlan,
      async before(tier) {
        const more = toUsage(price, tier).credits - cheapest;
        if (more <= 0) return;
        if (!(await raise(more)))
          throw new ServiceError('credits_exhausted', `tier ${tier} needs ${more} credits more`);
        hold(more);
      },
      attempts: [],
    });
  }

  return {
    /** The addresses where a crawl starts. */
    seeds: (): readonly Found[] => order.seeds.map((url) => toFound(readTarget(url).href, 0, null)),

    /** Where the crawl starts by what is known of it from before. */
    setAnchor(url: string): void {
      scope = scopeOf(order.scope, readTarget(order.seeds[0] ?? '').href, url);
    },

    /** Never throws for what is the page's own fault. */
    async visit(claim: Claim, signal: AbortSignal): Promise<End> {
      let held = cheapest;
      const isSeed = claim.parentUrl === null;
      const end = (fate: End['fate'], more: Partial<Pick<End, 'links'> & { anchor: string }> = {}) => ({
        claim,
        held,
        links: more.links ?? [],
        anchor: more.anchor ?? null,
        fate,
      });
      const address = toAddress(claim.url);
      if (address === null) return end({ kind: 'skipped', reason: 'invalid' });
      try {
        if (order.respectRobots) {
          const rules = await robots.of(new URL(claim.url).origin);
          if (!isAllowed(rules, pathAndQuery(address))) return end({ kind: 'skipped', reason: 'robots' });
        }
        const { page, tier } = await fetchPage(claim, (more) => (held += more), signal);
        const anchor = isSeed && order.discovers ? page.url : undefined;
        if (anchor !== undefined) {
          scope = scopeOf(order.scope, claim.url, page.url);
          if (scope === null) return end({ kind: 'skipped', reason: 'scope' }, { anchor });
        } else if (hasLeft(page)) return end({ kind: 'skipped', reason: 'redirect' });
        if (page.status >= 400) return end(toFailed(page), anchor === undefined ? {} : { anchor });
        return await store({ claim, page, tier, end, anchor }, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        return end({ kind: 'failed', statusCode: null, code: error.code, message: error.message });
      }
    },
  };

  function hasLeft(page: Page): boolean {
    if (scope === null) return false;
    const address = toAddress(page.url);
    return address === null || !isWithin(scope, address);
  }

  async function store({ claim, page, tier, end, anchor }: Arrived, signal: AbortSignal): Promise<End> {
    const { outputs, ...how } = order.page;
    const { headers: _sent, cookies: _given, ...request } = how;
    const reading = await read(
      {
        ...request,
        outputs,
        body: page.body,
        contentType: page.contentType,
        url: page.url,
        site: { xRobotsTag: page.headers['x-robots-tag'] ?? '' },
      },
      signal,
    );
    const { site } = reading;
    if (site === null) throw new Error('a page of a crawl is read as one of a site');
    const own = canonicalKey(claim.url);
    const final = canonicalKey(page.url);
    const { credits } = toUsage(price, tier);
    return end(
      {
        kind: 'stored',
        tier,
        credits,
        contentKey: order.dedupeContent ? `=${site.fingerprint}` : null,
        finalKey: final === own ? null : keyHash(final, salt),
        element: {
          url: claim.url,
          final_url: page.url,
          status_code: page.status,
          depth: claim.depth,
          parent_url: claim.parentUrl,
          content_type: page.contentType,
          ...reading.outputs,
          metadata: reading.metadata,
          tier,
          credits,
          warnings: [...page.warnings, ...reading.warnings],
        },
      },
      { links: discover(claim, page, site.links), ...(anchor === undefined ? {} : { anchor }) },
    );
  }
}

type Arrived = {
  readonly claim: Claim;
  readonly page: Page;
  readonly tier: Tier;
  readonly anchor: string | undefined;
  readonly end: (fate: End['fate'], more?: Partial<Pick<End, 'links'> & { anchor: string }>) => End;
};

function toFailed({ status }: Page): Failed {
  const code = status === 404 || status === 410 ? 'not_found' : 'target_error';
  return { kind: 'failed', statusCode: status, code, message: `the target answered ${status}` };
}
