import { buildForSite } from '#features/sites/request-errors.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
import {
  BackendFailure,
  type FoundResult,
  type SearchBackend,
  type SearchQuery,
} from '#features/search/backend/backend.ts';
import { openBackendTurns } from '#features/search/backend/backend-turns.ts';
import { BackendBreaker } from '#features/search/backend/breaker.ts';
import { EngineRecord } from '#sites/engines/engine-record.ts';
import { shownUrlOf } from '#features/search/searching.ts';
import { PAGE, type SearchSettings } from '#features/search/settings.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { sendingOf } from '#features/sites/asked.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import { gatherPage } from '#features/sites/gathering.ts';
import { observed } from '#features/sites/observed.ts';
import { type SiteSettings, toUrl } from '#sites/framework/site.ts';
import { buildSiteWork, type SiteWorkParts } from '#features/sites/site-work.ts';
import type { SiteBook } from '#features/sites/settings.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toWebResults, type WebPage, type WebResult } from './web-page.ts';

/** What one page is asked by: the words for an API, and the call of the engine's own page. */
export type WebQuery = SearchQuery & { readonly place: string | null; readonly asked: EndpointCall };

/** A way to the results of the engine. */
export type WebWay = {
  readonly name: string;
  /** Throws `WayFailed` where another way may still serve, or the reason of the signal. */
  readonly page: (query: WebQuery, call: WorkCall) => Promise<WebPage>;
};

/** A way that did not serve, and the error of the call if none does. */
export class WayFailed extends Error {
  readonly failure: ServiceError;

  constructor(way: string, failure: ServiceError) {
    super(`${way}: ${failure.message}`, { cause: failure });
    this.failure = failure;
  }
}

export type WaysParts = Omit<PageWayParts, 'settings'> & {
  readonly backends: ReadonlyMap<string, SearchBackend>;
  readonly clock: Clock;
};

/** The ways of the settings, in their order. */
export function toWays({ websearch }: Pick<SearchSettings, 'websearch'>, parts: WaysParts): readonly WebWay[] {
  return websearch.flatMap((name) => {
    if (name === PAGE) return pageWay(PAGE, parts);
    const backend = parts.backends.get(name);
    const { endpoint, siteParts, clock } = parts;
    const addressOf = ({ asked }: WebQuery): string => askedAt(endpoint, asked, siteParts.book);
    return backend === undefined ? [] : apiWay(backend, { addressOf, clock });
  });
}

type PageWayParts = {
  readonly endpoint: ServedEndpoint;
  readonly siteParts: SiteWorkParts;
  /** What is settled for its site; what the operator's book says unless given. */
  readonly settings?: SiteSettings;
  readonly mayVisit: (url: string) => boolean;
};

/** An engine's own page up the ladder, by each of its sources. */
export function pageWay(name: string, { endpoint, siteParts, settings, mayVisit }: PageWayParts): WebWay {
  const book = settings === undefined ? siteParts.book : { of: () => settings };
  const siteWorkOf = buildSiteWork({ ...siteParts, book });
  return {
    name,
    async page({ asked, page }, call) {
      const sites = siteWorkOf(call);
      const read = async () => gatherPage(endpoint, asked, { ...call, sites }, null);
      try {
        const { record, url, tiers } = await observed(endpoint, sites, { read, mayEnd: page > 1 });
        const { results: given, features } = EngineRecord.parse(record);
        return { url, results: toWebResults(given, mayVisit).results, tier: tiers.at(-1) ?? 'http', features };
      } catch (error) {
        if (!(error instanceof ServiceError) || call.signal.aborted) throw error;
        throw new WayFailed(name, error);
      }
    },
  };
}

type ApiWayParts = {
  /** Where the engine itself shows what the API answers. */
  readonly addressOf: (query: WebQuery) => string;
  readonly clock: Clock;
};

/** Time of one call of an API. */
const MAX_MS = 15_000;

/** A backend of the operator that answers with an engine's results; what is paid for stands above the others. */
export function apiWay(backend: SearchBackend, { addressOf, clock }: ApiWayParts): WebWay {
  const breaker = new BackendBreaker(clock);
  const turns = openBackendTurns(clock);
  return {
    name: backend.name,
    async page(query, { account, signal }) {
      const asking = { tenant: account.tenant, query };
      if (breaker.restMs(account.tenant) > 0)
        throw failed(backend, new BackendFailure('error', 'failed before, and is left alone for a while'));
      const party = toParty(account);
      const leave = await turns.take(party, signal);
      const within = clock.deadline(MAX_MS, signal);
      try {
        const { organic, paid = [] } = await backend.search(query, { ...party, signal: within });
        breaker.succeed(account.tenant);
        const results = [
          ...paid.map((one) => toWebResult(one, true)),
          ...organic.map((one) => toWebResult(one, false)),
        ];
        return { url: addressOf(query), results, tier: 'http', features: null };
      } catch (error) {
        signal.throwIfAborted();
        const failure =
          error instanceof BackendFailure ? error : new BackendFailure('timeout', 'did not answer in time');
        breaker.fail(asking, failure);
        throw failed(backend, failure);
      } finally {
        leave();
      }
    },
  };
}

function failed({ name }: Pick<SearchBackend, 'name'>, failure: BackendFailure): WayFailed {
  return new WayFailed(name, new ServiceError('backend_unavailable', failure.message, { cause: failure }));
}

/** The address at which an engine is asked for a page first. */
export function askedAt(endpoint: ServedEndpoint, { input }: EndpointCall, book: SiteBook): string {
  const [source] = endpoint.sources;
  const settings = book.of(endpoint.site.name);
  const sending = sendingOf(endpoint, settings, { cursor: null, limit: null, now: 0 });
  if (source === undefined) return '';
  const request = source.request(input, sending);
  return buildForSite(() => toUrl(endpoint.site, settings, request)).href;
}

function toWebResult(found: FoundResult, isPaid: boolean): WebResult {
  const { title, description, url } = found;
  return { title, description, url, url_shown: shownUrlOf(found), is_paid: isPaid };
}
