import { type Classification, type Outcome, type Page, type Tier, TIERS } from '#access/page.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { Visited } from '#engine/visits/visit.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { PAGE_ERRORS } from '#features/schema/page-admission.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ParsedRecord, SiteVerdict } from '#sites/framework/answers.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { SiteCall } from './site-work.ts';
import {
  createFailureError,
  describeFailure,
  listTiersAfter,
  type SourceFailure,
  toOutcome,
} from './source-failures.ts';
import { buildPageRequest, buildSending, excludeBrowsers, listTiersFor, listUsableSources } from './source-request.ts';

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

/** The longest time of one source while others wait. */
const MAX_SHARE_MS = 20_000;
/** The most further pages of one record. */
const MAX_FURTHER_PAGES = 4;
const MAX_CONSENTS = 1;

/** One call of an endpoint, with the sources that may serve it. */
export type SourceRun = {
  readonly endpoint: ServedEndpoint;
  readonly endpointCall: EndpointCall;
  readonly context: SiteCall;
  readonly sources: readonly UntypedSource[];
  /** The site's token of the list page to read; null for the first. */
  readonly cursor: string | null;
};

/**
 * Prepares a call with its usable sources. `start` is where its list continues, null for the first page: then only the source
 * of the token is used, because it means nothing to others. Throws `backend_unavailable` if every source needs
 * credentials that are not set, `invalid_request` if the source of the token is no longer usable.
 */
export function buildSourceRun(
  endpoint: ServedEndpoint,
  endpointCall: EndpointCall,
  context: SiteCall,
  start: { readonly source: string; readonly token: string | null } | null,
): SourceRun {
  const settings = context.sites.of(endpoint.about.name);
  const usable = listUsableSources(endpoint, endpointCall, settings, context.sites.now());
  if (usable.length === 0) {
    const message = `QUERN_SITES_FILE: ${endpoint.about.name} needs credentials for this endpoint`;
    throw new ServiceError('backend_unavailable', message, { retryable: false });
  }
  const sources = start === null ? usable : usable.filter(({ name }) => name === start.source);
  if (sources.length === 0)
    throw new ServiceError('invalid_request', 'cursor: its source is no longer available; start again without it');
  return { endpoint, endpointCall, context, sources, cursor: start?.token ?? null };
}

/**
 * Tries the sources with the cheapest tier of each, then those that stronger tiers may help. Throws the combined error
 * if all fail.
 */
export async function trySources(run: SourceRun): Promise<SourcedRecord> {
  const { endpoint, sources, context } = run;
  const failures: SourceFailure[] = [];
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0) {
    const end = await trySource(run, only, { tiers: listTiers(run, only), shares: 1, after: null });
    if ('record' in end) return end;
    throw createFailureError(endpoint, [end]);
  }
  for (const [at, source] of sources.entries()) {
    const tiers = listTiers(run, source).slice(0, 1);
    const end = await trySource(run, source, { tiers, shares: sources.length - at + 1, after: null });
    if ('record' in end) return end;
    failures.push(end);
    if (end.verdict?.kind === 'not_found' && end.verdict.isFinal) throw createFailureError(endpoint, failures);
  }
  for (const [at, source] of sources.entries()) {
    const earlier = failures[at];
    const after = earlier === undefined ? null : toOutcome(earlier);
    const tiers = listTiersAfter(after, listTiers(run, source).slice(1));
    if (tiers.length === 0) continue;
    context.sites.signal.throwIfAborted();
    const end = await trySource(run, source, { tiers, shares: sources.length - at, after });
    if ('record' in end) return end;
    // A missing tier is less informative than the failure of the cheaper one.
    if (end.error?.code !== 'backend_unavailable') failures[at] = end;
  }
  throw createFailureError(endpoint, failures);
}

/** One try of a source among others. */
type SourceTurn = {
  readonly tiers: readonly Tier[];
  /** Into how many shares the remaining time is divided. */
  readonly shares: number;
  /** The outcome of an earlier try with a cheaper tier; null for none. */
  readonly after: Outcome | null;
};

/** Lists the tiers that a source may use, cheapest first. */
export function listTiers({ endpoint, context }: SourceRun, source: UntypedSource): readonly Tier[] {
  return listTiersFor(endpoint, source, context.sites.of(endpoint.about.name), TIERS);
}

/**
 * Tries one source within its share of the remaining time, including further pages that its record needs. Optional
 * further pages may fail.
 */
export async function trySource(
  run: SourceRun,
  source: UntypedSource,
  { shares, after, ...turn }: SourceTurn,
): Promise<SourcedRecord | SourceFailure> {
  const { endpoint, endpointCall, cursor } = run;
  const { sites } = run.context;
  const limit = endpointCall.options.limit ?? null;
  const steps: Visited[] = [];
  const sending = buildSending(endpoint, sites.of(endpoint.about.name), { cursor, limit, now: sites.now() });
  let request = source.request(endpointCall.input, sending);
  let carry: unknown = undefined;
  let without: ParsedRecord | null = null;
  let { tiers } = turn;
  let withinMs = shares === 1 ? null : Math.min(MAX_SHARE_MS, sites.leftMs() / shares);
  let consents = 0;

  const toRecord = (parsed: ParsedRecord) => toSourcedRecord(source, parsed, { steps, now: sites.now() });
  const toEnd = (failure: SourceFailure) =>
    without === null ? failure : toRecord(addFailedPage(without, request, failure));

  try {
    while (steps.length <= MAX_FURTHER_PAGES + consents) {
      const { visited, verdict } = await visitOnce({ ...run, source, request, carry, limit, tiers, withinMs, after });
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
        const failure = verdict.kind === 'consent' ? CONSENT_REPEATED : verdict;
        return toEnd({ source: source.name, verdict: failure, error: null, canGrow: isHtml(visited.page) });
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

/** The request of one page of a source. */
type SourceVisit = SourceRun &
  Omit<SourceTurn, 'shares'> & {
    readonly source: UntypedSource;
    readonly request: SiteRequest;
    readonly carry: unknown;
    readonly limit: number | null;
    /** The time limit, ms; null for all of the remaining time. */
    readonly withinMs: number | null;
  };

/** Errors of a visit after which another source may succeed. */
const RECOVERABLE_CODES: ReadonlySet<string> = new Set(PAGE_ERRORS);

async function visitOnce(visit: SourceVisit): Promise<{ readonly visited: Visited; readonly verdict: SiteVerdict }> {
  const { endpoint, source, request, endpointCall, context, withinMs } = visit;
  const settings = context.sites.of(endpoint.about.name);
  const plain = buildPageRequest(endpoint, source, { request, settings });
  const pageRequest = visit.after === null ? plain : { ...plain, previousOutcome: visit.after };
  const verdicts: SiteVerdict[] = [];

  async function parse({ url, status, headers, contentType, body, captures = [] }: Page): Promise<SiteVerdict> {
    const verdict = await context.sites.read({
      endpoint: endpoint.operation.id,
      source: source.name,
      input: endpointCall.input,
      page: { url, requested: pageRequest.url.href, status, headers, contentType, carry: visit.carry },
      body,
      captures,
      settings: { origins: settings.origins, constants: settings.constants },
      cursor: visit.cursor,
      limit: visit.limit,
    });
    verdicts.push(verdict);
    return verdict;
  }

  try {
    const visited = await context.visit(pageRequest, {
      maxAgeMs: computeMaxAgeMs(endpointCall, settings.cacheSeconds),
      respectRobots: false,
      isSufficient: null,
      site: {
        tiers: excludeBrowsers(request, listTiersFor(endpoint, source, settings, visit.tiers)),
        withinMs,
        classify: async (page, general) => toClassification(await parse(page), general, page),
        isCacheable: (verdict) => settings.cacheSeconds !== 0 && isCacheable(verdict),
      },
    });
    // A part of a page that broke off is not classified by the site.
    return { visited, verdict: visited.verdict ?? (await parse(visited.page)) };
  } catch (error) {
    if (!(error instanceof ServiceError) || !RECOVERABLE_CODES.has(error.code)) throw error;
    throw new SourceVisitError(error, toFailure(verdicts.at(-1)));
  }
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

/** Returns the verdict if it is that of a failure, else null. */
function toFailure(verdict: SiteVerdict | undefined): SourceFailure['verdict'] {
  const isFailure =
    verdict !== undefined && verdict.kind !== 'record' && verdict.kind !== 'more' && verdict.kind !== 'consent';
  return isFailure ? verdict : null;
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

/** Combines the site's verdict and the general classification of a page. */
function toClassification(verdict: SiteVerdict, general: Classification, page: Page): Classification {
  return { ...chooseClassification(verdict, general, page), verdict };
}

function chooseClassification(verdict: SiteVerdict, general: Classification, page: Page): Classification {
  const { visibleChars } = general;
  const { kind } = verdict;
  if (kind === 'not_found') return { outcome: 'not_found', visibleChars, mayImprove: false };
  if (kind === 'rate_limited') return { outcome: 'rate_limited', visibleChars, mayImprove: true };
  if (kind !== 'blocked' && kind !== 'unusable') return { outcome: 'ok', visibleChars, mayImprove: false };
  // A general classification that detected a challenge or block is more specific.
  if (BLOCK_OUTCOMES.has(general.outcome)) return general;
  if (kind === 'blocked') return { outcome: 'blocked', visibleChars, mayImprove: true };
  if (verdict.isRefusal) return general;
  const mayImprove = general.mayImprove && isHtml(page);
  return { outcome: 'thin', reason: 'record_missing', visibleChars, mayImprove };
}

const BLOCK_OUTCOMES: ReadonlySet<Classification['outcome']> = new Set(['challenge', 'blocked']);
