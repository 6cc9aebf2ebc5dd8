import type { Breakers } from '#access/breaker.ts';
import type { HostMemory } from '#access/host-memory.ts';
import { demandTier } from '#access/ladder.ts';
import type { BrowserState, Rungs } from '#access/ladder.ts';
import type { Visit } from '#access/page.ts';
import { toAddress } from '#extract/site/address.ts';
import type { SitePage, SitePageRequest } from '#extract/site/site-page.ts';
import type { Activity } from '#engine/activity.ts';
import type { Account } from '#engine/billing.ts';
import type { Admission } from '#engine/operation.ts';
import { Kept, LeaseLost } from '#engine/job-leases.ts';
import type { Closing } from '#engine/job-leases.ts';
import type { Mind } from '#engine/mind.ts';
import { toUsage } from '#engine/prices.ts';
import type { Rooms } from '#engine/rooms.ts';
import type { Price } from '#engine/prices.ts';
import type { Clock } from '#kernel/clock.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import type { Share } from '#kernel/room.ts';
import { buildArchiving } from './archiving.ts';
import type { Archiving } from './archiving.ts';
import { closeRows } from './closing.ts';
import type { RowsParts } from './crawl-row.ts';
import type { Finish, Role } from './crawler.ts';
import { buildDiscovery } from './discovery.ts';
import type { Frontier, Standing, Trouble } from './frontier.ts';
import { buildMaking } from './making.ts';
import { buildMissingPages } from './missing-pages.ts';
import { buildMemoryFrontier } from './memory.ts';
import type { MemoryFrontier } from './memory.ts';
import type { CrawlOrder } from './order.ts';
import { withPace } from './paces.ts';
import type { Pace, Paces } from './paces.ts';
import { allows, buildRobotsGate } from './robots-gate.ts';
import type { RobotsGate } from './robots-gate.ts';
import { joinRows } from './rows.ts';
import { buildSiteFiles } from './site-files.ts';
import type { FileSource, SiteFiles, SiteFilesParts } from './site-files.ts';
import { buildVisitor } from './visitor.ts';

export type WalkingParts = RowsParts & {
  /** As they are now. */
  readonly rungs: () => Rungs;
  readonly browser: () => BrowserState;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
  readonly robots: RobotsGate;
  readonly paces: Paces;
  readonly readTarget: (url: string) => URL;
  readonly read: (request: SitePageRequest, signal: AbortSignal) => Promise<SitePage>;
  readonly rooms: Pick<Rooms, 'pages'>;
  readonly clock: Clock;
};

/** Who walks through a site, as a job or for a call that waits. */
export type WalkCall = {
  readonly operation: string;
  readonly account: Account;
  readonly admission: Admission;
  /** The job whose work this is, null for a call that waits for its answer. */
  readonly jobId: string | null;
  readonly role: Role;
  /** What a call that waits takes of the memory of all answers. */
  readonly share: Share;
  /** Why the walk goes on no more and only tells what it has; null while it goes on. */
  readonly closing: Closing | null;
  /** The operator's model; null where there is none. */
  readonly mind: Mind | null;
  readonly activity: Activity;
  /** Fires when the time is up, or the work must stop for another reason. */
  readonly signal: AbortSignal;
};

/** What bounds a walk, and what is kept and charged of each page. */
export type WalkTerms = {
  readonly price: Price;
  readonly maxPages: number;
  readonly maxCredits: number | null;
  /** Whether pages are kept, and not only how they are called. */
  readonly keeps: boolean;
};

/** Why a walk ended, beside what bounds its own list. */
export const WALK_STOPS = [
  'max_depth',
  'timeout',
  'max_credits',
  'credits_exhausted',
  'daily_cap',
  'cancelled',
  'interrupted',
  'robots',
  'blocked',
] as const;

/** Visits of one walk at once, whatever the hosts. */
export const MOST_AT_ONCE = 64;
/** Failed pages that a result tells of; all of them are counted. */
export const MOST_ERRORS = 1000;

export type Walking = ReturnType<typeof buildWalking>;

export function buildWalking(parts: WalkingParts) {
  const { rungs, breakers, hosts, paces, readTarget, billing, inTurn, results, clock } = parts;

  /** The way to the files of a site; an archive holds those that its own crawl has asked for, so it asks anew. */
  function filesBy(archive: Archiving | null): { readonly visit: Visit | undefined; readonly robots: RobotsGate } {
    const visit = rungs().http;
    if (archive === null || visit === undefined) return { visit, robots: parts.robots };
    const kept = archive.ofSite(visit);
    const ask = async (url: URL, signal: AbortSignal) => kept({ url, headers: {}, cookies: [] }, signal);
    return { visit: kept, robots: buildRobotsGate({ visit: ask, clock }) };
  }

  /** What every walk through a site is made of: the frontier, and the visits that fill it. */
  async function open(order: CrawlOrder, call: WalkCall, terms: WalkTerms) {
    const { account, admission, jobId, role, operation, mind, share, activity } = call;
    const read: WalkingParts['read'] = async (request, stop) => activity.reading(parts.read(request, stop));
    const { price, maxPages, maxCredits, keeps } = terms;
    if (role === 'owner') demandTier(admission.tiers, rungs(), parts.browser());
    // What was set aside to let the call in is what the walk sets aside itself.
    if (role === 'owner') await billing.empty(account);
    const { tiers } = admission;
    const making = buildMaking({ order, mind, price, maxCredits });
    const cheapest = toUsage(price, tiers[0] ?? 'http').credits + making.setAside;
    const archive =
      order.archive && jobId !== null ? buildArchiving({ results, clock, jobId, page: order.page }) : null;
    const files = filesBy(archive);
    const { robots } = files;
    const bounds = {
      maxPages,
      maxCredits,
      byLevel: order.maxDepth !== null,
      mostPerPattern: order.mostPerPattern,
      cheapest,
    };

    /** Rows for a job; memory, with what it holds, for a call that waits. */
    async function openFrontier(): Promise<{ readonly frontier: Frontier; readonly memory: MemoryFrontier | null }> {
      if (jobId !== null) {
        const rows = await joinRows(parts, { jobId, operation, account, price, archive, ...bounds });
        return { frontier: rows, memory: null };
      }
      const memory = buildMemoryFrontier({ billing, inTurn, account, share, ...bounds });
      return { frontier: memory, memory };
    }

    const { frontier, memory } = await openFrontier();
    const known = new Map<string, Pace>();
    function paceOf(host: string): Pace {
      const pace = known.get(host) ?? paces.of(host, order.delayMs);
      known.set(host, pace);
      return pace;
    }
    const salt = jobId ?? account.key;
    const discovery = buildDiscovery(order, { salt, clock });

    async function mayVisit(url: string, visiting: AbortSignal): Promise<boolean> {
      if (!order.respectRobots) return true;
      const rules = await robots.of(new URL(url).origin, visiting);
      const address = toAddress(url);
      if (address !== null) paceOf(address.authority).setCrawlDelay(rules.crawlDelayMs);
      return allows(rules, url);
    }

    const asksForMissing = keeps && order.discovers && files.visit !== undefined;
    const missing = !asksForMissing
      ? null
      : buildMissingPages({ order, discovery, salt, visit: files.visit, paceOf, readTarget, mayVisit, read });
    const visitPage = buildVisitor({
      order,
      tiers,
      price,
      discovery,
      breakers,
      // What another page of the host met raises the price of none: a paid tier starts after a block of the page itself.
      memory: hosts.of(account.tenant, 'browser'),
      rungsAt: (host) => withPace(watched(rungs(), activity), paceOf(host)),
      mayVisit,
      missing,
      again: async (host, stop) => paceOf(host).again(stop),
      enter: () => parts.rooms.pages.enter(account.tenant),
      readTarget,
      read,
      keeps,
      isKnown: frontier.isKnown,
      isTaken: frontier.isTaken,
      raise: frontier.raise,
      making,
      witnessOf: archive?.witnessOf ?? null,
      jobId,
      keepShown: archive?.keepShown ?? null,
      proxiesInPlan: account.plan.starter_surfaces,
      clock,
    });
    const visit = archive === null ? visitPage : archive.around(visitPage);
    const seeds = discovery.seeds();
    if (role === 'owner') await frontier.seed(seeds);
    const { anchor } = await frontier.standing();
    if (anchor !== null) discovery.anchor(seeds[0]?.url ?? '', anchor);

    /** The files in which the site names its pages; null where none are to be read. */
    function filesOf(sources: readonly FileSource[], add: SiteFilesParts['add']): SiteFiles | null {
      if (role === 'helper' || files.visit === undefined || sources.length === 0) return null;
      return buildSiteFiles({
        visit: files.visit,
        robots,
        respectRobots: order.respectRobots,
        paceOf,
        readTarget,
        discovery,
        sources: new Set(sources),
        clock,
        add,
      });
    }
    return { frontier, memory, discovery, visit, paceOf, filesOf, cheapest };
  }

  /** The frontier of a job that goes on no more. */
  async function close(order: CrawlOrder, call: WalkCall, { price, maxPages, maxCredits }: WalkTerms) {
    const { account, jobId, operation } = call;
    if (jobId === null) throw new Error('a call that waits for its answer is not begun again');
    const bounds = {
      maxPages,
      maxCredits,
      byLevel: order.maxDepth !== null,
      mostPerPattern: order.mostPerPattern,
      cheapest: 0,
    };
    return closeRows(parts, { jobId, operation, account, price, archive: null, ...bounds });
  }

  return { open, close };
}

/** The tiers, each visit of which is told to the activity of its job. */
function watched(rungs: Rungs, { visiting }: Activity): Rungs {
  return Object.fromEntries(
    Object.entries(rungs).map(([tier, visit]) => [
      tier,
      async (...asked: Parameters<Visit>) => visiting(visit(...asked)),
    ]),
  );
}

/** How a walk ended, when it ended by itself or because its time was up. */
export async function untilTime(walk: Promise<Finish>, signal: AbortSignal): Promise<Finish | 'timeout'> {
  return walk.catch((error: unknown) => {
    if (error instanceof LeaseLost || !isTimeUp(signal)) throw error;
    return 'timeout' as const;
  });
}

/** A crawl that holds nothing because its seed failed, or because it was not paid for, ends as a fetch of it would. */
export function refuseEmpty(
  finish: Finish | 'timeout',
  { stored, failed }: Standing,
  errors: readonly Trouble[],
): void {
  if (stored > 0) return;
  if (finish === 'timeout') throw new ServiceError('timeout', 'no page came in time: use a larger timeout_ms');
  if (finish === 'credits_exhausted')
    throw new ServiceError('credits_exhausted', 'not one page can be paid for: a top-up or a higher plan lifts this');
  if (finish === 'daily_cap')
    throw new ServiceError(
      'daily_credit_cap_exceeded',
      'not one page more fits into the daily cap: the count starts again at 00:00 UTC',
    );
  if (finish === 'answer_full')
    throw new ServiceError(
      'content_too_large',
      'not one page fits into an answer now: ask for other output, or run the crawl as a job',
    );
  const [first] = errors;
  if (finish === 'blocked') throw refusalOf(errors);
  if (failed !== 1 || first === undefined || first.status_code !== undefined || !isErrorCode(first.code)) return;
  throw new ServiceError(first.code, first.message, { cause: new Kept(first.message) });
}

/** What hosts that gave nothing failed with first. */
function refusalOf(errors: readonly Trouble[]): ServiceError {
  for (const { code, message, status_code: status } of errors)
    if (status === undefined && isErrorCode(code)) return new ServiceError(code, message);
  return new ServiceError('target_unreachable', 'no page came: the target only answers that it is away');
}

function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
