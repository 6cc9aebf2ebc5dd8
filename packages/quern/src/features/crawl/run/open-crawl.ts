import { InvariantError } from '#extract/invariant-error.ts';
import type { UnpaidWork } from '#engine/call/unpaid-work.ts';
import type { Breakers } from '#access/tiers/circuit-breaker.ts';
import type { HostMemory } from '#access/tiers/host-memory.ts';
import { type BrowserState, assertTierAvailable, type TierVisits } from '#access/tiers/ladder.ts';
import type { Tier, Visit } from '#access/page.ts';
import type { MemoryBudgets, MemoryShare } from '#kernel/memory-budget.ts';
import type { ModelSession } from '#engine/call/model.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission } from '#engine/credits/admission.ts';
import { ExchangeArchive } from '#features/crawl/archive/exchange-archive.ts';
import type { PageCopies, TrackedPage } from '#features/changes/page-copies.ts';
import type { CrawlTracking } from '#features/crawl/page-changes.ts';
import type { CrawlOptions } from '#features/crawl/crawl-options.ts';
import type { VisitPage } from '#features/crawl/crawl-page.ts';
import { type ClosedFrontier, closeRowFrontier, joinRowFrontier } from '#features/crawl/frontier/row-frontier.ts';
import type { FrontierLimits, RowFrontierParts } from '#features/crawl/frontier/crawl-row.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';
import { createMemoryFrontier } from '#features/crawl/frontier/memory-frontier.ts';
import { type Account, toParty } from '#engine/credits/billing.ts';
import type { ReadingCaller } from '#engine/reading/parser-queue.ts';
import { type Price, toUsage } from '#engine/credits/prices.ts';
import type { Activity } from '#engine/jobs/slots.ts';
import type { ClosingReason } from '#engine/jobs/lease.ts';
import type { HostPace, HostPaces } from '#engine/politeness/host-pace.ts';
import type { Artifacts } from '#engine/results/artifacts.ts';
import { buildRobotsCheck, RobotsCache } from '#engine/politeness/robots-cache.ts';
import type { SessionHandle, SavedSessions } from '#engine/sessions/saved-sessions.ts';
import { buildLadderVisit, composeWrappers, type VisitCall } from '#engine/visits/visit.ts';
import { type CopyParts, withCopies } from '#engine/visits/visit-wrappers.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { CrawlRole } from './crawl-loop.ts';
import { Discovery } from './discovery.ts';
import { buildEnrichment, type Enrichment } from './enrichment.ts';
import { createMissingPageProbe } from './missing-pages.ts';
import { buildScreenshotStore } from './page-screenshots.ts';
import { buildPageVisit, type PageVisitParts } from './page-visit.ts';
import { type FileSource, SiteFiles, type SiteFilesParts } from './site-files.ts';

export type CrawlParts = RowFrontierParts & {
  /** Tiers that are available now. */
  readonly tierVisits: () => TierVisits;
  readonly browser: () => BrowserState;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
  readonly robots: RobotsCache;
  readonly paces: HostPaces;
  readonly unpaid: Pick<UnpaidWork, 'add'>;
  readonly readTarget: (url: string | URL) => URL;
  readonly read: (request: SitePageRequest, reader: ReadingCaller) => Promise<SitePage>;
  readonly savedSessions: Pick<SavedSessions, 'open'>;
  readonly artifacts: Pick<Artifacts, 'begin'>;
  /** Stores copies of the pages of inline crawls; null if copies are disabled. */
  readonly copies: Omit<CopyParts, 'tenant'> | null;
  /** The copies that pages are compared with. */
  readonly pageCopies: PageCopies;
  readonly memory: Pick<MemoryBudgets, 'pages'>;
  readonly clock: Clock;
  readonly observe: ObserveEvent;
};

/** The call or job that crawls a site. */
export type CrawlCall = {
  readonly operation: string;
  readonly account: Account;
  readonly admission: Admission;
  /** Id of the job, null for an inline call. */
  readonly jobId: string | null;
  readonly role: CrawlRole;
  /** Share of an inline call in the memory for all answers. */
  readonly share: MemoryShare;
  /** Why the crawl is being closed and only reports its results; null while it runs. */
  readonly closing: ClosingReason | null;
  /** Session with the operator's model, null if there is none. */
  readonly modelSession: ModelSession | null;
  readonly activity: Activity;
  /** Stores a file of an inline call; absent in a process that helps with a job. */
  readonly storeArtifact?: WorkCall['storeArtifact'];
  /** Aborts when the time is up, or the work must stop for another reason. */
  readonly signal: AbortSignal;
};

/** The limits of a crawl, and the price of a page. */
export type CrawlTerms = {
  readonly price: Price;
  readonly maxPages: number;
  readonly maxCredits: number | null;
  /** Whether pages are stored; otherwise only their titles are. */
  readonly storesPages: boolean;
};

/** What the functions of one crawl share: its services, its options, its caller and its limits. */
export type CrawlContext = {
  readonly parts: CrawlParts;
  readonly options: CrawlOptions;
  readonly call: CrawlCall;
  readonly terms: CrawlTerms;
};

/** An open crawl: its frontier, and the visits of its pages. */
export type OpenCrawl = {
  readonly frontier: Frontier;
  /** Lists the stored pages of an inline crawl; null for a job, whose result has them. */
  readonly listElements: (() => readonly unknown[]) | null;
  /** Lists the pages of an inline crawl to compare with their last copies; those of a job are compared when stored. */
  readonly listTracked: () => readonly TrackedPage[];
  readonly discovery: Discovery;
  readonly visit: VisitPage;
  /** Whether a seed that failed may load later; undefined if this process saw no seed fail. */
  readonly isSeedRetryable: () => boolean | undefined;
  readonly paceOf: (host: string) => HostPace;
  /** More expensive tiers that visits of this process have used so far. */
  readonly reachedTiers: ReadonlySet<Tier>;
  /** Opens the sitemaps and feeds of the site; null if this process reads none. */
  readonly openFiles: (sources: readonly FileSource[], add: SiteFilesParts['add']) => SiteFiles | null;
  /** Credits that a page costs at least. */
  readonly minPageCredits: number;
};

/** Opens the frontier of a crawl, adds the seeds, and builds the visits of its pages. */
export async function openCrawl(context: CrawlContext): Promise<OpenCrawl> {
  const { parts, options, call, terms } = context;
  const { account, admission, jobId, role, modelSession } = call;
  if (role === 'owner') {
    assertTierAvailable(admission.tiers, parts.tierVisits(), parts.browser());
    // The crawl reserves its credits itself; those reserved at admission are released.
    await parts.billing.releaseAll(account);
  }
  const enrichment = buildEnrichment({ ...terms, options, modelSession });
  const minPageCredits = toUsage(terms.price, admission.tiers[0] ?? 'http').credits + enrichment.reservedCredits;
  const archive = createArchive(context);
  const { frontier, listElements, listTracked } = await openFrontier(context, minPageCredits, archive);
  const session = options.session === null ? null : await parts.savedSessions.open(account.tenant, options.session);
  const access = buildSiteAccess(context, { archive, session });
  const salt = jobId ?? account.key;
  const discovery = new Discovery(options, { salt, clock: parts.clock });
  const reachedTiers = new Set<Tier>();
  const opened = { ...access, reachedTiers, session, frontier, archive, discovery, enrichment, salt };
  const visit = buildCrawlVisit({ ...context, ...opened });
  await seedFrontier(discovery, frontier, role);
  let isSeedRetryable: boolean | undefined = undefined;
  return {
    frontier,
    listElements,
    listTracked,
    discovery,
    async visit(claim, signal, hostVisit) {
      const visited = await visit(claim, signal, hostVisit);
      const { fate } = visited.end;
      if (claim.parentUrl === null && fate.kind === 'failed') isSeedRetryable = fate.retryable;
      return visited;
    },
    isSeedRetryable: () => isSeedRetryable,
    paceOf: access.paceOf,
    reachedTiers,
    minPageCredits,
    openFiles(sources, add) {
      const { visitFile, robots, paceOf } = access;
      if (role === 'helper' || visitFile === undefined || !options.discovers) return null;
      const { readTarget, clock } = parts;
      const { respectRobots } = options;
      const { insecureTls = false } = options.page.visit;
      const site = { visit: visitFile, robots, paceOf, respectRobots, insecureTls, readTarget, discovery, clock };
      return new SiteFiles({ ...site, frontier, sources, add });
    },
  };
}

/** Closes the frontier of a job that ends. Its results can still be read. */
export async function closeCrawl(context: CrawlContext): Promise<ClosedFrontier> {
  const { parts, call, terms } = context;
  const { account, jobId, operation } = call;
  if (jobId === null) throw new InvariantError('an inline crawl is never closed by another process');
  const { price } = terms;
  const nothing = { archive: null, tracking: null };
  return closeRowFrontier(parts, { ...buildLimits(context, 0), jobId, operation, account, price, ...nothing });
}

function buildLimits({ options, terms }: CrawlContext, minPageCredits: number): FrontierLimits {
  const { maxPages, maxCredits } = terms;
  const { maxDepth, maxPerPattern, include, exclude, recordsAll = false, maxConcurrency } = options;
  const patterns = { include, exclude };
  const visits = { recordsAll, maxActive: maxConcurrency ?? null };
  return { maxPages, maxCredits, patterns, byLevel: maxDepth !== null, maxPerPattern, minPageCredits, ...visits };
}

function createArchive({ parts: { results, clock }, options, call: { jobId } }: CrawlContext): ExchangeArchive | null {
  const { page, session } = options;
  return options.archive && jobId !== null ? new ExchangeArchive({ results, clock, jobId, page, session }) : null;
}

/** Opens a frontier in the database for a job, in memory for an inline call. */
async function openFrontier(
  context: CrawlContext,
  minPageCredits: number,
  archive: ExchangeArchive | null,
): Promise<Pick<OpenCrawl, 'frontier' | 'listElements' | 'listTracked'>> {
  const { parts, call, terms } = context;
  const { account, jobId, operation, share } = call;
  const limits = buildLimits(context, minPageCredits);
  if (jobId !== null) {
    const tracking = buildTracking(parts, context.options, account.tenant);
    const job = { jobId, operation, account, price: terms.price, archive, tracking };
    const frontier = await joinRowFrontier(parts, { ...limits, ...job });
    return { frontier, listElements: null, listTracked: () => [] };
  }
  const { billing, inTurn } = parts;
  return createMemoryFrontier({ billing, inTurn, account, share, limits });
}

/** Builds the comparison of pages with the last copies of a tenant; null if pages are not compared. */
export function buildTracking(
  { pageCopies: copies }: Pick<CrawlParts, 'pageCopies'>,
  { changes: options }: CrawlOptions,
  tenant: string,
): CrawlTracking | null {
  return options === undefined ? null : { copies, tenant, options };
}

/** Access to a site that respects its robots.txt and the pace of its hosts. */
type SiteAccess = {
  /** Visits a file of the site; undefined if the HTTP tier is not available. */
  readonly visitFile: Visit | undefined;
  readonly robots: RobotsCache;
  readonly paceOf: (host: string) => HostPace;
  /** Whether robots.txt allows a URL; always true if it is ignored. */
  readonly mayVisit: (url: URL, signal: AbortSignal) => Promise<boolean>;
};

type SiteAccessOptions = { readonly archive: ExchangeArchive | null; readonly session: SessionHandle | null };

function buildSiteAccess({ parts, options, call }: CrawlContext, { archive, session }: SiteAccessOptions): SiteAccess {
  const { insecureTls = false } = options.page.visit;
  const { visit, robots } = buildFileAccess(parts, { archive, insecureTls });
  // robots.txt is shared by all callers, so it is requested without a session.
  const visitFile: Visit | undefined =
    session === null
      ? visit
      : visit && (async (request, signal) => visit({ ...request, session: session.web }, signal));
  const party = toParty(call.account);
  const known = new Map<string, HostPace>();
  function paceOf(host: string): HostPace {
    const pace = known.get(host) ?? parts.paces.open(host, { delayMs: options.delayMs, party });
    known.set(host, pace);
    return pace;
  }
  const mayVisit = options.respectRobots ? buildRobotsCheck(robots, paceOf, insecureTls) : async () => true;
  return { visitFile, robots, paceOf, mayVisit };
}

/**
 * Builds the access to the files of a site. A crawl with an archive requests robots.txt itself instead of using the
 * shared cache, so that the archive contains it.
 */
function buildFileAccess(
  parts: CrawlParts,
  { archive, insecureTls }: { readonly archive: ExchangeArchive | null; readonly insecureTls: boolean },
): { readonly visit: Visit | undefined; readonly robots: RobotsCache } {
  const tier = parts.tierVisits().http;
  const visit: Visit | undefined =
    tier && (async (request, signal) => (await tier({ ...request, insecureTls }, signal)).page);
  if (archive === null || visit === undefined) return { visit, robots: parts.robots };
  const recordedVisit = archive.withSiteRecording(visit);
  const ask = async (url: URL, signal: AbortSignal) => recordedVisit({ url, headers: {}, cookies: [] }, signal);
  return { visit: recordedVisit, robots: new RobotsCache({ visit: ask, clock: parts.clock }) };
}

/** The context of a crawl, and what was opened for it. */
type OpenContext = CrawlContext &
  SiteAccess & {
    readonly session: SessionHandle | null;
    readonly frontier: Frontier;
    readonly archive: ExchangeArchive | null;
    readonly discovery: Discovery;
    readonly enrichment: Enrichment;
    readonly salt: string;
    readonly reachedTiers: Set<Tier>;
  };

function buildCrawlVisit(context: OpenContext): VisitPage {
  const { parts, options, call, terms } = context;
  const { tierVisits, browser, breakers, hosts, readTarget, clock, random } = parts;
  const { account, admission, jobId, activity } = call;
  const { session, frontier, archive, discovery, enrichment, salt, reachedTiers } = context;
  const { visitFile, paceOf, mayVisit } = context;
  const party = toParty(account);
  const read: PageVisitParts['read'] = async (request, stop, onCost) =>
    activity.trackReading(parts.read(request, { party, signal: stop, ...(onCost === undefined ? {} : { onCost }) }));
  const missingPages =
    terms.storesPages && options.discovers && visitFile !== undefined
      ? createMissingPageProbe({
          options,
          discovery,
          salt,
          visit: visitFile,
          paceOf,
          readTarget,
          mayVisit,
          read,
          clock,
        })
      : null;
  const copies = jobId === null && terms.storesPages ? parts.copies : null;
  const keeping = copies === null ? [] : [withCopies<VisitCall>({ ...copies, tenant: account.tenant })];
  const visit = buildPageVisit({
    options,
    tiers: admission.tiers,
    reachedTiers,
    price: terms.price,
    discovery,
    ladder: composeWrappers<VisitCall>(...keeping)(
      buildLadderVisit({
        tierVisits,
        browser,
        breakers,
        // A block of another page must not raise the price: a paid tier only starts after the page itself was blocked.
        memory: hosts.of(account.tenant, 'browser'),
        account,
        observe: parts.observe,
        clock,
        random,
      }),
    ),
    session,
    activity,
    recordUnpaid: (attempts, readMs) =>
      parts.unpaid.add(account, { attempts, readMs, tokens: { input: 0, output: 0 } }),
    paceOf,
    mayVisit,
    missingPages,
    openMemoryShare: () => parts.memory.pages.createShare(account.tenant),
    readTarget,
    read,
    storesPages: terms.storesPages,
    isKnown: frontier.isKnown,
    isDuplicate: frontier.isDuplicate,
    raiseHold: frontier.raiseHold,
    enrichment,
    storeScreenshot: buildScreenshotStore({
      artifacts: parts.artifacts,
      owner: { tenant: account.tenant, plan: account.plan, jobId },
      storeArtifact: call.storeArtifact,
    }),
    archive,
    jobId,
    clock,
  });
  return archive === null ? visit : archive.withPageExchanges(visit);
}

/** Adds the seeds to the frontier, and sets the scope if a member has already visited the seed. */
async function seedFrontier(discovery: Discovery, frontier: Frontier, role: CrawlRole): Promise<void> {
  const seeds = discovery.listSeeds();
  if (role === 'owner') await frontier.seed(seeds);
  const { baseUrl } = await frontier.progress();
  if (baseUrl !== null) discovery.setBase(seeds[0]?.url ?? '', baseUrl);
}
