import type { TierVisit } from '#access/page.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { buildSending, buildPageRequest } from '#features/sites/source-request.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { NO_SETTINGS, type SiteSettings } from '#sites/framework/site.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { BackendFailure, type SearchBackend } from './backend.ts';
import { EngineRecord, ENGINE_FACTS, type EngineName } from '#sites/engines/shared.ts';
import { isQueryError, parseResults } from './results.ts';

/** What the backend needs to fetch and parse result pages: endpoint declarations, guarded HTTP visits, and parser threads. */
export type EnginePageParts = {
  readonly engines: Readonly<Record<EngineName, ServedEndpoint>>;
  readonly visit: TierVisit;
  readonly readTarget: (url: string) => URL;
  readonly readSource: (order: SourceReadRequest, signal: AbortSignal) => Promise<SiteVerdict>;
  readonly mayVisit: (url: string) => boolean;
};

/** Requests for one result page: some engines need a token from another page, or a consent form. */
const MAX_REQUESTS = 4;

/** A backend that reads the HTML result pages of an engine over plain HTTP; its sources are tried in order. */
export function buildEnginePageBackend(
  name: string,
  { engine, origin }: { readonly engine: EngineName; readonly origin: string | null },
  parts: EnginePageParts,
): SearchBackend {
  const endpoint = parts.engines[engine];
  const { kind, mostPages } = ENGINE_FACTS[engine];
  const origins =
    origin === null
      ? {}
      : Object.fromEntries(Object.keys(endpoint.site.origins).map((originName) => [originName, origin]));
  const settings: SiteSettings = { ...NO_SETTINGS, origins };
  return {
    name,
    kinds: [kind],
    maxPages: mostPages,
    async search({ search, country, language, page }, { signal }) {
      const { input } = endpoint.read({
        search,
        page,
        ...(country === null ? {} : { country }),
        ...(language === null ? {} : { language }),
      });
      const record = await readFromSources({ endpoint, settings, input, parts, signal });
      const raw = record.results
        .filter((result) => !result.is_paid)
        .map(({ image_url: imageUrl, ...result }) => ({ ...result, imageUrl }));
      const { results, dropped } = parseResults(raw, parts.mayVisit);
      const isNews = kind === 'news';
      return {
        organic: isNews ? [] : results,
        news: isNews ? results : [],
        dropped,
        hasMore: record.has_more === true && page < mostPages,
        total: null,
      };
    },
  };
}

type EnginePageContext = {
  readonly endpoint: ServedEndpoint;
  readonly settings: SiteSettings;
  readonly input: JsonObject;
  readonly parts: EnginePageParts;
  readonly signal: AbortSignal;
};

/** Tries the sources in order, unless the engine blocks this machine. */
async function readFromSources(reading: EnginePageContext): Promise<EngineRecord> {
  let failure = new BackendFailure('error', 'has no source');
  for (const source of reading.endpoint.sources) {
    try {
      return await readFromSource(source, reading);
    } catch (error) {
      if (!(error instanceof BackendFailure) || error.why !== 'other' || error.status === 'timeout') throw error;
      failure = error;
    }
  }
  throw failure;
}

async function readFromSource(source: UntypedSource, reading: EnginePageContext): Promise<EngineRecord> {
  const { endpoint, settings, input } = reading;
  const sending = buildSending(endpoint, settings, { cursor: null, limit: null, now: 0 });
  let request = source.request(input, sending);
  let carry: unknown = undefined;
  for (let sent = 0; sent < MAX_REQUESTS; sent += 1) {
    const verdict = await fetchVerdict(source, { request, carry }, reading);
    if (verdict.kind === 'record') return EngineRecord.parse(verdict.record);
    if (verdict.kind === 'more') ({ request, carry } = verdict);
    else if (verdict.kind === 'consent' && request.cookies === undefined)
      request = { ...request, cookies: verdict.cookies };
    else throw toBackendFailure(verdict);
  }
  throw new BackendFailure('error', 'needs too many requests');
}

type PageStep = { readonly request: ReturnType<UntypedSource['request']>; readonly carry: unknown };

async function fetchVerdict(
  source: UntypedSource,
  { request, carry }: PageStep,
  reading: EnginePageContext,
): Promise<SiteVerdict> {
  const { endpoint, settings, input, parts, signal } = reading;
  const pageRequest = buildPageRequest(endpoint, source, { request, settings });
  try {
    parts.readTarget(pageRequest.url.href);
    const { page, classification } = await parts.visit(pageRequest, signal);
    const { url, status, headers, contentType, body } = page;
    const verdict = await parts.readSource(
      {
        endpoint: endpoint.operation.id,
        source: source.name,
        input,
        page: { url, requested: pageRequest.url.href, status, headers, contentType, carry },
        body,
        captures: [],
        settings,
        cursor: null,
        limit: null,
      },
      signal,
    );
    if (verdict.kind === 'unusable' && classification.outcome === 'challenge') return CAPTCHA_VERDICT;
    return verdict;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'timeout') throw new BackendFailure('timeout', 'timed out', { cause: error });
    const isLarge = error.code === 'content_too_large';
    throw new BackendFailure('error', isLarge ? 'sent too large a response' : `cannot be reached: ${error.message}`, {
      cause: error,
    });
  }
}

const CAPTCHA_VERDICT = { kind: 'blocked', reason: 'captcha' } as const;

function toBackendFailure(verdict: Exclude<SiteVerdict, { readonly kind: 'record' | 'more' }>): BackendFailure {
  if (verdict.kind === 'rate_limited') {
    const waitSeconds = verdict.seconds;
    return new BackendFailure('blocked', 'too many requests (429)', { why: 'limited', waitSeconds });
  }
  if (verdict.kind === 'consent') return new BackendFailure('blocked', 'asked for consent twice', { why: 'limited' });
  if (verdict.kind === 'blocked') {
    const isCaptcha = verdict.reason === 'captcha';
    const message = isCaptcha ? 'requires a captcha' : `blocks this machine (${verdict.reason})`;
    return new BackendFailure('blocked', message, { why: isCaptcha ? 'captcha' : 'limited' });
  }
  if (verdict.kind === 'unusable' && verdict.isRefusal && / 40[13]$/.test(verdict.reason))
    return new BackendFailure('blocked', `blocks this machine: ${verdict.reason}`, { why: 'limited' });
  if (verdict.kind === 'unusable' && verdict.isRefusal && isQueryError(Number(verdict.reason.slice(-3))))
    return new BackendFailure('error', `rejected the query: ${verdict.reason}`, { why: 'query' });
  const isPage = verdict.kind === 'unusable' && !verdict.isRefusal;
  return new BackendFailure('error', isPage ? `sent an unusable page: ${verdict.reason}` : verdict.reason);
}
