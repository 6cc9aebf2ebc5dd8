import {
  type Classification,
  DEFAULT_RENDER_OPTIONS,
  type LoadMore,
  type Outcome,
  type Page,
  type PageRequest,
  RENDERING_TIERS,
  type RenderOptions,
  type Tier,
} from '#access/page.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { Visited } from '#engine/visits/visit.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { PAGE_ERRORS } from '#features/schema/page-admission.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ParsedRecord, SiteVerdict } from '#sites/framework/answers.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import { formatPostBody, type RequestContext, type SiteRequest } from '#sites/framework/request.ts';
import { type BrowserActions, buildUrl, type SiteSettings } from '#sites/framework/site.ts';
import { buildSiteContext } from '#sites/framework/source-reader.ts';
import { type ServedEndpoint, mapSiteErrors } from './endpoint.ts';
import type { SiteCall } from './site-work.ts';
import { describeFailure, type SourceFailure } from './source-failures.ts';

/** A parsed record and where it came from. */
export type SourcedRecord = {
  readonly source: string;
  readonly record: JsonObject;
  readonly next: string | null;
  readonly lacks: readonly string[];
  /** The URL of its last page. */
  readonly url: string;
  /** When the oldest of its pages was fetched, ms. */
  readonly at: number;
  readonly tiers: readonly ServedTier[];
};

export type SourceTry = {
  readonly source: UntypedSource;
  readonly cursor: string | null;
  /** The tiers to try. */
  readonly tiers: readonly Tier[];
  /** The time limit, ms; null for all of the remaining time. */
  readonly withinMs: number | null;
  /** The outcome of an earlier try with a cheaper tier; null for none. */
  readonly after: Outcome | null;
};

/** The most further pages of one record. */
const MAX_FURTHER_PAGES = 4;
const MAX_CONSENTS = 1;

/** Tries one source, including further pages that its record needs. Optional further pages may fail. */
export async function trySource(
  endpoint: ServedEndpoint,
  asked: EndpointCall,
  { context, ...one }: SourceTry & { readonly context: SiteCall },
): Promise<SourcedRecord | SourceFailure> {
  const { source, cursor } = one;
  const { sites } = context;
  const limit = asked.options.limit ?? null;
  const steps: Visited[] = [];
  const sending = buildSending(endpoint, sites.of(endpoint.site.name), { cursor, limit, now: sites.now() });
  let request = source.request(asked.input, sending);
  let carry: unknown = undefined;
  let without: ParsedRecord | null = null;
  let { tiers, withinMs } = one;
  let consents = 0;

  const toRecord = (found: ParsedRecord) => toSourcedRecord(source, found, { steps, now: sites.now() });
  const toEnd = (failure: SourceFailure) =>
    without === null ? failure : toRecord(addFailedPage(without, request, failure));

  try {
    while (steps.length <= MAX_FURTHER_PAGES + consents) {
      const visit = { ...one, endpoint, asked, request, carry, limit, tiers, withinMs, context };
      const { visited, verdict } = await visitOnce(visit);
      steps.push(visited);
      if (verdict.kind === 'record') return toRecord(verdict);
      if (verdict.kind === 'consent' && consents < MAX_CONSENTS) {
        consents += 1;
        request = { ...request, cookies: { ...request.cookies, ...verdict.cookies } };
      } else if (verdict.kind === 'more') {
        ({ request, carry } = verdict);
        without = verdict.without ?? without;
        // Leaves time to return the record without the further page.
        if (without !== null) withinMs = Math.min(withinMs ?? Infinity, sites.leftMs() / 2);
      } else {
        const said = verdict.kind === 'consent' ? CONSENT_REPEATED : verdict;
        return toEnd({ source: source.name, verdict: said, error: null, canGrow: isHtml(visited.page) });
      }
      // Further requests must use the same tier or a stronger one.
      const { tier } = visited;
      tiers = tier === 'cache' ? tiers : tiers.slice(Math.max(0, tiers.indexOf(tier)));
    }
    return toEnd({ source: source.name, verdict: TOO_MANY_PAGES, error: null, canGrow: false });
  } catch (error) {
    if (!(error instanceof SourceVisitError)) throw error;
    return toEnd({ source: source.name, verdict: error.verdict, error: error.failure, canGrow: true });
  }
}

/** Adds the failure of a further page to a record. */
function addFailedPage(without: ParsedRecord, { path }: SiteRequest, failure: SourceFailure): ParsedRecord {
  return { ...without, lacks: [...without.lacks, `the request for ${path} failed: ${describeFailure(failure)}`] };
}

const CONSENT_REPEATED = { kind: 'blocked', reason: 'consent' } as const;
const TOO_MANY_PAGES = {
  kind: 'unusable',
  reason: `more than ${MAX_FURTHER_PAGES} further pages`,
  isRefusal: false,
} as const;

/** No tier got a page. `verdict` is the last response of the site; null if there was none. */
class SourceVisitError extends Error {
  readonly failure: ServiceError;
  readonly verdict: SourceFailure['verdict'];

  constructor(failure: ServiceError, verdict: SourceFailure['verdict']) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.verdict = verdict;
  }
}

type SourceVisit = SourceTry & {
  readonly endpoint: ServedEndpoint;
  readonly asked: EndpointCall;
  readonly request: SiteRequest;
  readonly carry: unknown;
  readonly limit: number | null;
  readonly context: SiteCall;
};

/** Errors of a visit after which another source may succeed. */
const RECOVERABLE_CODES: ReadonlySet<string> = new Set(PAGE_ERRORS);

async function visitOnce(one: SourceVisit): Promise<{ readonly visited: Visited; readonly verdict: SiteVerdict }> {
  const { endpoint, source, request, asked, context, withinMs } = one;
  const settings = context.sites.of(endpoint.site.name);
  const plain = buildPageRequest(endpoint, source, { request, settings });
  const pageRequest = one.after === null ? plain : { ...plain, previousOutcome: one.after };
  // Keyed by the bytes of the page, because escalation may return a copy of the page with more warnings.
  const verdicts = new Map<Uint8Array, SiteVerdict>();

  async function read(page: Page): Promise<SiteVerdict> {
    const known = verdicts.get(page.body);
    if (known !== undefined) return known;
    const { url, status, headers, contentType, body, captures = [] } = page;
    const verdict = await context.sites.read({
      endpoint: endpoint.operation.id,
      source: source.name,
      input: asked.input,
      page: { url, requested: pageRequest.url.href, status, headers, contentType, carry: one.carry },
      body,
      captures,
      settings: { origins: settings.origins, constants: settings.constants },
      cursor: one.cursor,
      limit: one.limit,
    });
    verdicts.set(page.body, verdict);
    return verdict;
  }

  try {
    const visited = await context.visit(pageRequest, {
      maxAgeMs: computeMaxAgeMs(asked, settings.cacheSeconds),
      respectRobots: false,
      isSufficient: null,
      site: {
        tiers: excludeBrowsers(request, listTiersFor(endpoint, source, settings, one.tiers)),
        withinMs,
        classify: async (page, judged) => toClassification(await read(page), judged, page),
        isCacheable: (page) => settings.cacheSeconds !== 0 && isCacheable(verdicts.get(page.body)),
      },
    });
    return { visited, verdict: await read(visited.page) };
  } catch (error) {
    if (!(error instanceof ServiceError) || !RECOVERABLE_CODES.has(error.code)) throw error;
    throw new SourceVisitError(error, findLastFailure(verdicts));
  }
}

/** Excludes browsers for POST requests, which they cannot open. */
function excludeBrowsers({ post }: SiteRequest, tiers: readonly Tier[]): readonly Tier[] {
  return post === undefined ? tiers : tiers.filter((tier) => tier === 'http' || tier === 'proxy');
}

/** Computes the maximum age of a cached page, ms. */
function computeMaxAgeMs({ options }: EndpointCall, cacheSeconds: number | null): number {
  return cacheSeconds === 0 ? 0 : (options.max_age_ms ?? (cacheSeconds ?? 0) * 1000);
}

function isHtml({ contentType }: Page): boolean {
  return /html/i.test(contentType);
}

function isCacheable(verdict: SiteVerdict | undefined): boolean {
  return verdict?.kind === 'record' || verdict?.kind === 'more';
}

/** Finds the last verdict that was no record. */
function findLastFailure(verdicts: ReadonlyMap<Uint8Array, SiteVerdict>): SourceFailure['verdict'] {
  const last = [...verdicts.values()].at(-1);
  if (last === undefined || last.kind === 'record' || last.kind === 'more' || last.kind === 'consent') return null;
  return last;
}

function toSourcedRecord(
  source: UntypedSource,
  { record, next, lacks }: ParsedRecord,
  { steps, now }: { readonly steps: readonly Visited[]; readonly now: number },
): SourcedRecord {
  return {
    source: source.name,
    record,
    next,
    lacks: source.lacks === null ? lacks : [source.lacks, ...lacks],
    url: steps.at(-1)?.page.url ?? '',
    at: now - Math.max(...steps.map(({ ageMs }) => ageMs ?? 0)),
    tiers: steps.map(({ tier }) => tier),
  };
}

/** Lists those of `tiers` that a source may use. */
export function listTiersFor(
  { site }: Pick<ServedEndpoint, 'site'>,
  source: UntypedSource,
  { tiers: settled }: SiteSettings,
  tiers: readonly Tier[],
): readonly Tier[] {
  const needsBrowser = source.needs === 'browser' || site.needs === 'browser' || source.captures.length > 0;
  return tiers.filter(
    (tier) => (settled === null || settled.includes(tier)) && (!needsBrowser || RENDERING_TIERS.has(tier)),
  );
}

/** Builds the page request of a site request. */
export function buildPageRequest(
  { site }: Pick<ServedEndpoint, 'site'>,
  source: UntypedSource,
  { request, settings }: { readonly request: SiteRequest; readonly settings: SiteSettings },
): PageRequest {
  const { scroll, click = [], wait_for: waitFor = null } = source.browser;
  const more = buildLoadMore(source.browser, request);
  const { device = 'desktop', language = null, cookies = {}, headers = {}, post } = request;
  const url = mapSiteErrors(() => buildUrl(site, settings, request));
  const body = formatPostBody(request);
  const isAsShown = scroll === undefined && click.length === 0 && waitFor === null && more === null;
  const isPlain = device === 'desktop' && language === null && isAsShown;
  const browser: RenderOptions = {
    ...DEFAULT_RENDER_OPTIONS,
    waitForSelector: waitFor,
    scroll: scroll !== undefined,
    click,
    ...(more === null ? {} : { more }),
    device,
    locale: language,
  };
  return {
    url,
    headers: { ...headers, ...(post === undefined ? {} : { 'content-type': toContentType(post) }) },
    cookies: Object.entries(cookies).map(([name, value]) => ({ name, value })),
    ...(isPlain ? {} : { browser }),
    ...(body === null ? {} : { post: body }),
    ...(source.captures.length === 0 ? {} : { captures: source.captures }),
  };
}

/** Limits pages that load more content without end. */
const MAX_LOAD_ROUNDS = 30;

function buildLoadMore({ more }: BrowserActions, { rounds = 0 }: SiteRequest): LoadMore | null {
  if (more === undefined || rounds < 1) return null;
  return { rounds: Math.min(rounds, MAX_LOAD_ROUNDS), click: more === 'end' ? null : more.click };
}

function toContentType(post: NonNullable<SiteRequest['post']>): string {
  return 'json' in post ? 'application/json' : 'application/x-www-form-urlencoded';
}

/** Combines the site's verdict and the general classification of a page. */
function toClassification(verdict: SiteVerdict, judged: Classification, page: Page): Classification {
  const { visibleChars } = judged;
  const { kind } = verdict;
  if (kind === 'not_found') return { outcome: 'not_found', visibleChars, mayImprove: false };
  if (kind === 'rate_limited') return { outcome: 'rate_limited', visibleChars, mayImprove: true };
  if (kind !== 'blocked' && kind !== 'unusable') return { outcome: 'ok', visibleChars, mayImprove: false };
  // A general classification that detected a challenge or block is more specific.
  if (BLOCK_OUTCOMES.has(judged.outcome)) return judged;
  if (kind === 'blocked') return { outcome: 'blocked', visibleChars, mayImprove: true };
  if (verdict.isRefusal) return judged;
  const mayGrow = judged.mayImprove && /html/i.test(page.contentType);
  return { outcome: 'thin', reason: 'record_missing', visibleChars, mayImprove: mayGrow };
}

const BLOCK_OUTCOMES: ReadonlySet<Classification['outcome']> = new Set(['challenge', 'blocked']);

/** Lists the sources that the operator's settings and the parameters allow. */
export function listUsableSources(
  endpoint: Pick<ServedEndpoint, 'site' | 'sources'>,
  { input }: Pick<EndpointCall, 'input'>,
  settings: SiteSettings,
  now: number,
): readonly UntypedSource[] {
  const sending = buildSending(endpoint, settings, { cursor: null, limit: null, now });
  return endpoint.sources.filter((source) => source.isUsable(sending, input));
}

/** Builds the site facts and secrets that requests may use. */
export function buildSending(
  { site }: Pick<ServedEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit, now }: Pick<RequestContext, 'cursor' | 'limit' | 'now'>,
): RequestContext {
  return { ...buildSiteContext(site, { settings, cursor, limit }), credentials: settings.credentials, now };
}
