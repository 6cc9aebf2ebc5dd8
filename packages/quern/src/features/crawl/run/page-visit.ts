import { isLoginPath } from '#access/classify/block-evidence.ts';
import { isErrorPage } from '#access/classify/error-page.ts';
import { MAX_UNCOUNTED_BYTES } from '#access/limits.ts';
import { type Attempt, type Page, type PageRequest, RENDERING_TIERS, type Tier } from '#access/page.ts';
import type { ModelOutputs } from '#engine/call/model.ts';
import { isRemovedStatus, isWrongPage } from '#features/changes/track-page.ts';
import type { ExchangeArchive } from '#features/crawl/archive/exchange-archive.ts';
import {
  type CrawlOptions,
  type PageOptions,
  buildSitePageRequest,
  findListedPage,
  getPageOptions,
} from '#features/crawl/crawl-options.ts';
import {
  type PageClaim,
  type SkippedFate,
  type StoredFate,
  buildHttpFailure,
  truncateTitle,
  type VisitedPage,
  type VisitPage,
} from '#features/crawl/crawl-page.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';
import { type Price, toUsage } from '#engine/credits/prices.ts';
import type { Activity } from '#engine/jobs/slots.ts';
import type { HostPace, HostVisit } from '#engine/politeness/host-pace.ts';
import type { SessionHandle } from '#engine/sessions/saved-sessions.ts';
import { composeWrappers, type PageVisit, type VisitCall, type Visited } from '#engine/visits/visit.ts';
import {
  withActivity,
  withCredits,
  withPace,
  withRecording,
  type RobotsPolicy,
  withRobots,
  withSession,
} from '#engine/visits/visit-wrappers.ts';
import type { SkipReason } from '#extract/urls/link-admission.ts';
import { areRelated } from '#extract/urls/content-fingerprint.ts';
import { isSitemap } from '#extract/urls/sitemaps.ts';
import { findHashRoute } from '#extract/urls/url-parts.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readWithFrames } from '#engine/reading/frames.ts';
import { buildFrameParts } from './page-frames.ts';
import { freeBuffer, type MemoryShare } from '#kernel/memory-budget.ts';
import type { Discovery } from './discovery.ts';
import { type Enrichment, NO_ENRICHMENT } from './enrichment.ts';
import type { MissingPageProbe } from './missing-pages.ts';
import type { StoreScreenshot } from './page-screenshots.ts';
import {
  buildElement,
  ForbiddenByRobots,
  deferIfRefused,
  type PageResult,
  buildFailureFate,
  recordFailure,
  toVisitTiming,
  buildUnpaidError,
} from './page-fates.ts';

/** Time limit for the visit of one page with all tiers and retries, in addition to the requested `wait_ms`. */
const PAGE_TIMEOUT_MS = 30_000;

export type PageVisitParts = {
  readonly options: CrawlOptions;
  readonly tiers: readonly Tier[];
  /** Collects the more expensive tiers that visits have used. */
  readonly reachedTiers: Set<Tier>;
  readonly price: Price;
  readonly discovery: Discovery;
  /** The ladder of tiers for this crawl. */
  readonly ladder: PageVisit;
  /** The caller's session, null for none. */
  readonly session: SessionHandle | null;
  readonly activity: Pick<Activity, 'trackVisit'>;
  readonly paceOf: (host: string) => HostPace;
  /** Whether robots.txt allows a URL; always true if it is ignored. */
  readonly mayVisit: (url: URL, signal: AbortSignal) => Promise<boolean>;
  /** Records the cost of a page that is not stored: its attempts, and the time on parser threads (ms). */
  readonly recordUnpaid: (attempts: readonly Attempt[], readMs: number) => void;
  /** Probe for the pages that hosts show for missing URLs; null if it is disabled. */
  readonly missingPages: MissingPageProbe | null;
  /** Opens the share of a page in the memory for all pages. */
  readonly openMemoryShare: () => MemoryShare;
  readonly readTarget: (url: URL) => URL;
  readonly read: (request: SitePageRequest, signal: AbortSignal, onCost?: (ms: number) => void) => Promise<SitePage>;
  /** Whether pages are stored; otherwise only their titles are. */
  readonly storesPages: boolean;
  readonly isKnown: Frontier['isKnown'];
  readonly isDuplicate: Frontier['isDuplicate'];
  readonly raiseHold: Frontier['raiseHold'];
  /** Adds model outputs. */
  readonly enrichment: Enrichment;
  readonly storeScreenshot: StoreScreenshot;
  /** Records exchanges and rendered pages; null without an archive. */
  readonly archive: Pick<ExchangeArchive, 'createRecording'> | null;
  /** Id of the job whose pages may share a browser context; null for an inline call. */
  readonly jobId: string | null;
  readonly clock: Clock;
};

type FetchParts = PageVisitParts & { readonly fetchPage: PageVisit<ClaimVisit> };

/** The visit of one claimed page. */
type ClaimVisit = VisitCall & {
  readonly claim: PageClaim;
  readonly share: MemoryShare;
  /** Credits reserved for the page. */
  readonly credits: { held: number };
  /** Whether the page is a seed, whose redirects are always followed. */
  readonly isStart: boolean;
  /** Its visit at the host; null if no request is sent. */
  readonly hostVisit: Pick<HostVisit, 'releasePlace' | 'takePlace'> | null;
  /** The host's answer to a browser, null until it arrives. */
  readonly heard: { answer: { readonly status: number; readonly latencyMs: number } | null };
  /** The fate of a page whose redirect was not followed, null if all were followed. */
  readonly redirect: { blockedAs: SkippedFate | null };
  readonly reading: { ms: number };
};

/**
 * Builds the visit of one page, from its claim to its end. Failures of the page become part of its end and are not
 * thrown.
 */
export function buildPageVisit(visitParts: PageVisitParts): VisitPage {
  const parts: FetchParts = { ...visitParts, fetchPage: buildFetchPipeline(visitParts) };
  const { options, tiers, openMemoryShare, clock, fetchPage } = parts;
  const least = toUsage(parts.price, tiers[0] ?? 'http').credits + parts.enrichment.reservedCredits;

  return async function visitPage(claim, signal, place) {
    const share = openMemoryShare();
    const how = getPageOptions(options, claim);
    const visit: ClaimVisit = {
      claim,
      share,
      credits: { held: least },
      isStart: claim.parentUrl === null,
      redirect: { blockedAs: null },
      hostVisit: place,
      heard: { answer: null },
      reading: { ms: 0 },
      tiers: filterTiers(claim, tiers, how),
      timeoutMs: PAGE_TIMEOUT_MS + (how.visit.browser?.waitMs ?? 0),
      startedAt: clock.monotonic(),
      signal,
      attempts: [],
      isSufficient: null,
    };
    let arrived: Page | null = null;
    const end = (result: PageResult): VisitedPage => ({
      end: {
        claim,
        reservedCredits: visit.credits.held,
        links: [],
        skippedLinks: {},
        baseUrl: null,
        hashRoute: null,
        ...trackRemoval(recordFailure(deferIfRefused(result, visit), visit, options), claim, parts),
      },
      timing: toVisitTiming(visit.attempts.at(-1), { page: arrived, answer: visit.heard.answer }),
      releaseMemory: share.release,
    });
    if (claim.unvisitedFate !== undefined) return end({ fate: claim.unvisitedFate });
    if (claim.isBarren) return end({ fate: buildSkip('limit') });
    try {
      const visited = await fetchPage(buildRequest(parts, visit), visit);
      arrived = visited.page;
      const result = await buildResult(parts, visit, visited);
      if (result.fate.kind !== 'stored') parts.recordUnpaid(visit.attempts, visit.reading.ms);
      return end(result);
    } catch (error) {
      // A page that is released or has failed uses no memory.
      share.release();
      signal.throwIfAborted();
      parts.recordUnpaid(visit.attempts, visit.reading.ms);
      return end({ fate: buildFailureFate(error, visit, options) });
    }
  };
}

/** The tiers that can load a page: a URL with a hash route needs a browser, too. */
function filterTiers(
  { url }: PageClaim,
  tiers: readonly Tier[],
  { needsBrowser }: Pick<PageOptions, 'needsBrowser'>,
): readonly Tier[] {
  const isPlain = !needsBrowser && findHashRoute(url) === '';
  return isPlain ? tiers : tiers.filter((tier) => RENDERING_TIERS.has(tier));
}

/** Builds the pipeline that fetches the pages of one crawl. */
function buildFetchPipeline(parts: PageVisitParts): PageVisit<ClaimVisit> {
  const { archive, session, activity, paceOf, clock, price, enrichment, raiseHold, ladder, reachedTiers } = parts;
  const recording =
    archive === null ? [] : [withRecording<ClaimVisit>(({ claim }) => archive.createRecording(claim.seq))];
  return composeWrappers<ClaimVisit>(
    ...recording,
    withRobots((visit) => buildRobotsPolicy(parts, visit)),
    withSession(async () => session),
    withPace({ paceOf: ({ claim, hostVisit }) => ({ pace: paceOf(claim.host), place: hostVisit }), clock }),
    withActivity(activity),
    withCredits({
      async raise(tier, { credits }) {
        // If several more expensive tiers are used, only the last is paid.
        const more = toUsage(price, tier).credits + enrichment.reservedCredits - credits.held;
        const refused = more <= 0 ? null : await raiseHold(more);
        if (refused !== null) throw buildUnpaidError(refused, { tier, more });
        credits.held += Math.max(0, more);
        reachedTiers.add(tier);
      },
    }),
  )(ladder);
}

function buildRequest({ options, jobId, clock }: PageVisitParts, visit: ClaimVisit): PageRequest {
  const { claim, share, hostVisit, heard } = visit;
  const { headers, cookies, visit: how } = getPageOptions(options, claim);
  const job = jobId === null ? {} : { job: jobId };
  const onAnswer = (status: number, since: number): void => {
    heard.answer = { status, latencyMs: Math.round(clock.monotonic() - since) };
    hostVisit?.releasePlace();
  };
  return { url: new URL(claim.url), headers, cookies, ...how, share, onAnswer, ...job };
}

/**
 * Builds the policy of a visit: robots.txt must allow the page and its redirects. Only a seed may redirect out of scope
 * or to a URL that `exclude` matches.
 */
function buildRobotsPolicy(
  { options, discovery, mayVisit, readTarget }: PageVisitParts,
  { claim, isStart, redirect }: ClaimVisit,
): RobotsPolicy {
  return {
    async demand(url, signal) {
      if (!(await mayVisit(url, signal))) throw new ForbiddenByRobots();
      readTarget(url);
    },
    async follows(to, signal) {
      if (discovery.isUnsafe(to.href)) redirect.blockedAs = buildSkip('action');
      else if (!isStart && discovery.isOutOfScope(to.href))
        redirect.blockedAs = buildSkip(getRedirectReason(options, claim, to));
      else if (!isStart && discovery.isExcluded(to.href)) redirect.blockedAs = buildFilterSkip(to.href);
      else redirect.blockedAs = (await mayVisit(to, signal)) ? null : buildSkip('robots');
      return redirect.blockedAs === null;
    },
  };
}

function buildSkip(reason: SkipReason): SkippedFate {
  return { kind: 'skipped', reason };
}

/** The fate of a page whose final URL `include` and `exclude` reject. */
function buildFilterSkip(finalUrl: string): SkippedFate {
  return { kind: 'skipped', reason: 'filter', filteredUrl: finalUrl };
}

/** Why a redirect to another site is not followed. In a crawl with a login it may lead to a login page. */
function getRedirectReason({ hasLogin }: CrawlOptions, { url }: PageClaim, to: URL): SkipReason {
  return hasLogin && isLoginPath(to.pathname) && !isLoginPath(new URL(url).pathname) ? 'login' : 'redirect';
}

/** Builds the result of a loaded page. */
async function buildResult(parts: FetchParts, visit: ClaimVisit, visited: Visited): Promise<PageResult> {
  const { options, discovery } = parts;
  const { claim, redirect } = visit;
  const { page } = visited;
  const baseUrl = claim.parentUrl === null && options.discovers ? page.url : null;
  if (baseUrl !== null && !discovery.setBase(claim.url, baseUrl)) {
    return { fate: buildSkip('scope'), baseUrl };
  }
  if (redirect.blockedAs !== null) return { fate: redirect.blockedAs };
  if (discovery.isOutOfScope(page.url)) return { fate: buildSkip('redirect') };
  if (isErrorPage(page)) return { fate: buildHttpFailure(page.status), baseUrl };
  if (baseUrl !== null && isSitemap(page.body)) return { fate: buildSkip('sitemap'), baseUrl };
  if (discovery.choosePageUse(page.url, visit.isStart) === 'refused') return { fate: buildFilterSkip(page.url) };
  return { ...(await buildStoredResult(parts, visit, visited)), baseUrl };
}

/** A loaded page and its parsed content. */
type ReadPage = Visited & {
  readonly sitePage: SitePage;
  /** When it was loaded, ms. */
  readonly fetchedAt: number;
};

/** Parses a loaded page and frees its bytes. If only its links are used, no outputs are produced. */
async function readPage(parts: FetchParts, visit: ClaimVisit, visited: Visited): Promise<ReadPage> {
  const { options, discovery, missingPages } = parts;
  const { claim, signal } = visit;
  const { page } = visited;
  const at = parts.clock.now();
  const keeps = parts.storesPages && discovery.choosePageUse(page.url, visit.isStart) === 'stored';
  const { hasLogin } = options;
  const how = {
    wantsTitles: !parts.storesPages,
    keeps,
    obeysTags: parts.storesPages && options.respectRobots && !options.recordsAll,
    hasLogin,
  };
  const found = {
    rules: discovery.getLinkRules(),
    depth: claim.depth,
    missing: missingPages?.countPage(page.url, signal) ?? null,
  };
  const reading = await readWithFrames(
    { ...buildSitePageRequest(getPageOptions(options, claim), options.changes !== undefined, page), ...found, ...how },
    buildFrameParts<ClaimVisit>(parts, { visit, asked: buildRequest(parts, visit), visited }),
  );
  releaseBody(visit, page);
  return { ...visited, sitePage: reading, fetchedAt: at };
}

/** Releases the memory of the bytes of a page. */
function releaseBody({ share }: ClaimVisit, { body }: Page): void {
  const { byteLength } = body;
  freeBuffer(body);
  share.shrink(byteLength);
}

/** Parses a loaded page. If it must not be stored, only its links are used. */
async function buildStoredResult(parts: FetchParts, visit: ClaimVisit, visited: Visited): Promise<PageResult> {
  const { discovery, isKnown } = parts;
  const { depth } = visit.claim;
  const own = await readPage(parts, visit, visited);
  const ownLinks = discovery.findLinks({ depth }, own.sitePage, isKnown);
  const leftOut = discovery.countSkippedLinks(own.sitePage);
  if (isLoginWall(parts.options, visit.claim, own)) return { fate: buildSkip('login') };
  const { hashRoute } = own.sitePage;
  if (own.sitePage.noindex) return { fate: buildSkip('noindex'), links: ownLinks, skippedLinks: leftOut, hashRoute };
  const canonical = await readCanonical(parts, visit, own);
  if (canonical === null) {
    const isFollowed = discovery.choosePageUse(own.page.url, visit.isStart) === 'followed';
    const fate = isFollowed ? buildFilterSkip(own.page.url) : await buildStoredFate(parts, visit, own);
    return { fate, links: ownLinks, skippedLinks: leftOut, hashRoute };
  }
  const links = [...ownLinks, ...discovery.findLinks({ depth }, canonical.sitePage, isKnown)];
  return { fate: await buildStoredFate(parts, visit, canonical), links, skippedLinks: leftOut, hashRoute };
}

/** Whether a crawl with a login got a login form that it did not request. */
function isLoginWall({ hasLogin }: CrawlOptions, { url }: PageClaim, { page, sitePage }: ReadPage): boolean {
  if (!hasLogin || isLoginPath(new URL(url).pathname)) return false;
  return sitePage.isLogin || isLoginPath(new URL(page.url).pathname);
}

/**
 * Loads the canonical page of a page, which is stored instead of it, like the target of a redirect. Null if the
 * canonical URL is out of scope, fails to load, must not be stored, or has different content.
 */
async function readCanonical(parts: FetchParts, visit: ClaimVisit, own: ReadPage): Promise<ReadPage | null> {
  const { discovery, storesPages } = parts;
  const url = storesPages ? discovery.findCanonical([visit.claim.url, own.page.url], own.sitePage) : null;
  if (url === null) return null;
  try {
    const named: ClaimVisit = { ...visit, isStart: false, redirect: { blockedAs: null } };
    const visited = await parts.fetchPage({ ...buildRequest(parts, visit), url }, named);
    const { page } = visited;
    const isOther = discovery.isOutOfScope(page.url) || discovery.choosePageUse(page.url, false) !== 'stored';
    if (named.redirect.blockedAs !== null || isOther || isErrorPage(page)) {
      releaseBody(visit, page);
      return null;
    }
    const canonical = await readPage(parts, named, visited);
    // Two pages that have each other as canonical would never be stored.
    const isLast = discovery.findCanonical([page.url], canonical.sitePage) === null;
    const holds = isLast && !canonical.sitePage.noindex && areRelated(own.sitePage.print, canonical.sitePage.print);
    return holds ? canonical : null;
  } catch (error) {
    visit.signal.throwIfAborted();
    if (error instanceof ForbiddenByRobots || error instanceof ServiceError) return null;
    throw error;
  }
}

/** Builds the fate of a stored page, with model outputs unless it is a duplicate. */
async function buildStoredFate(
  parts: PageVisitParts,
  { claim, share, credits: funds, signal }: ClaimVisit,
  { page, tier, sitePage, fetchedAt }: ReadPage,
): Promise<StoredFate> {
  const { options, discovery, storesPages, enrichment, isDuplicate } = parts;
  const { url } = page;
  const memberBytes = sitePage.members?.byteLength ?? 0;
  if (memberBytes > MAX_UNCOUNTED_BYTES) await share.grow(memberBytes, signal);
  const finalKey = options.recordsAll ? null : discovery.computeFinalKey(claim.url, url);
  // URL keys never start with '=', so content keys cannot collide with them.
  const contentKey = options.dedupeContent && sitePage.print.digest !== null ? `=${sitePage.print.digest}` : null;
  async function raise(more: number): Promise<boolean> {
    const isHeld = (await parts.raiseHold(more)) === null;
    if (isHeld) funds.held += more;
    return isHeld;
  }
  // A duplicate is not stored, so its model outputs would be paid for nothing.
  const isCopy = [finalKey, contentKey].some((key) => key !== null && isDuplicate(key));
  const how = getPageOptions(options, claim);
  const made = isCopy ? NO_ENRICHMENT : await enrichment.enrich({ url, sitePage, raise, options: how }, signal);
  const shot = isCopy ? { members: {}, file: null } : await parts.storeScreenshot(page, how);
  const credits = toUsage(parts.price, tier).credits + made.count * enrichment.pricePerOutput;
  return {
    kind: 'stored',
    tier,
    credits,
    modelOutputs: made.count,
    file: shot.file,
    finalKey,
    title: storesPages ? truncateTitle(sitePage.title) : sitePage.title,
    contentKey,
    simhash: storesPages && !options.recordsAll ? sitePage.print.simhash : null,
    element:
      sitePage.members === null
        ? null
        : buildElement(
            { claim, page, tier, credits, at: fetchedAt },
            {
              said: sitePage,
              made: { ...made, members: { ...shot.members, ...made.members } },
              listed: findListedPage(options, claim),
              hasParents: !options.recordsAll,
            },
            sitePage.members,
          ),
    ...trackStored({ claim, page, sitePage, fetchedAt }, made),
  };
}

type TrackedParts = { readonly claim: PageClaim } & Pick<ReadPage, 'page' | 'sitePage' | 'fetchedAt'>;

/** The page to compare with its last copy, unless pages are not compared or it is not the requested page. */
function trackStored(
  { claim, page, sitePage, fetchedAt }: TrackedParts,
  made: ModelOutputs,
): Pick<StoredFate, 'tracked'> {
  const { tracked, warnings } = sitePage;
  if (tracked === undefined || isWrongPage([...page.warnings, ...warnings])) return {};
  const fields = made.members.json ?? tracked.json;
  return { tracked: { url: claim.url, fetchedAt, content: { markdown: tracked.markdown, fields } } };
}

/** Adds the page to compare to the result of a page that the target no longer has, if pages are compared. */
function trackRemoval(result: PageResult, { url }: PageClaim, { options, clock }: PageVisitParts): PageResult {
  const { fate } = result;
  if (options.changes === undefined || fate.kind !== 'failed' || !isRemovedStatus(fate.statusCode ?? 0)) return result;
  return { ...result, fate: { ...fate, tracked: { url, fetchedAt: clock.now(), content: null } } };
}
