import type { Outcome, Page, Tier } from '#access/page.ts';
import type { Visited } from '#engine/visits/visit.ts';
import { PAGE_ERRORS } from '#engine/call/page-errors.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ParsedRecord, SiteVerdict } from '#sites/framework/answers.ts';
import { buildSending } from './asked.ts';
import { type SourceFailure, describeFailure } from './source-failures.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import type { SiteCall } from './site-work.ts';
import { listTiersFor, toClassification, buildPageRequest } from './visits.ts';

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
  const pageRequest = one.after === null ? plain : { ...plain, after: one.after };
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
