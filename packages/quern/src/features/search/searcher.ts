import { getDomain } from 'tldts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import { TenantMap } from '#kernel/tenant-map.ts';
import type { BackendCall, ResultKind, SearchQuery, SearchResult } from './backend/backend.ts';
import { type ChainResults, type EngineReport, HEDGE_MS, JOIN_MS, type SearchChain } from './backend/chain.ts';
import { type FusedResult, fuseRankedLists } from './backend/fusion.ts';
import { OWN_INDEX } from './settings.ts';

/** Web and news results, merged over all engines, with a report per engine. */
export type SearchResults = {
  readonly organic: readonly FusedResult[];
  readonly news: readonly FusedResult[];
  readonly reports: readonly EngineReport[];
  readonly hasMore: boolean;
  readonly total: number | null;
};

export type SearcherParts = { readonly chain: SearchChain; readonly clock: Clock };

/** Searches web and news at once through the backend chain, and caches results for ten minutes per tenant. */
export class Searcher {
  readonly #chain: SearchChain;
  readonly #clock: Clock;
  readonly #recent: ResultCache<SearchResults>;

  constructor({ chain, clock }: SearcherParts) {
    this.#chain = chain;
    this.#clock = clock;
    this.#recent = new ResultCache(clock);
  }

  get chain(): SearchChain {
    return this.#chain;
  }

  /** Runs a query; `mayReuse` allows cached results. */
  async search(query: SearchQuery, call: BackendCall, mayReuse: boolean): Promise<SearchResults> {
    const { search, country, language, page } = query;
    // The cache is per tenant, so that response times do not reveal what other tenants searched for.
    const key = JSON.stringify([search, country, language, page]);
    const { value } = await this.#recent.get(
      { tenant: call.tenant, key },
      {
        mayReuse,
        load: async () => this.#searchAndMerge(query, call),
        // Not cached: empty results, and results of the own index, so that newly fetched pages are found at once.
        isCacheable: ({ organic, reports }) =>
          organic.length > 0 && !reports.some(({ name, status }) => name === OWN_INDEX && status === 'ok'),
      },
    );
    return value;
  }

  async #searchAndMerge(query: SearchQuery, call: BackendCall): Promise<SearchResults> {
    const [organic, news] = await this.#searchBoth(query, call);
    const answers = organic.answers.map(({ answer }) => answer);
    return {
      organic: fuseAnswers(organic, 'organic'),
      news: fuseAnswers(news, 'news'),
      reports: mergeReports(organic.reports, news.reports),
      hasMore: answers.some((answer) => answer.hasMore),
      total: answers.find(({ total }) => total !== null)?.total ?? null,
    };
  }

  /** Searches web and news in parallel. Once there are web results, news get only the time that a slow backend would get. */
  async #searchBoth(query: SearchQuery, call: BackendCall): Promise<readonly [ChainResults, ChainResults]> {
    const until = this.#clock.monotonic() + HEDGE_MS;
    const enough = new AbortController();
    const ended = new AbortController();
    const asking = this.#chain.search(query, 'news', call, enough.signal).finally(() => ended.abort());
    const leading = this.#chain.search(query, 'organic', call).then(async (organic) => {
      if (!hasResults(organic, 'organic')) return organic;
      await sleepUnlessAborted(this.#clock, Math.max(JOIN_MS, until - this.#clock.monotonic()), ended.signal);
      enough.abort();
      return organic;
    });
    return Promise.all([leading, asking]);
  }
}

function hasResults({ answers }: ChainResults, kind: ResultKind): boolean {
  return answers.some(({ answer }) => answer[kind].length > 0);
}

function fuseAnswers({ answers }: ChainResults, kind: ResultKind): readonly FusedResult[] {
  return fuseRankedLists(answers.map(({ engine, answer }) => ({ engine, results: answer[kind] })));
}

/** One report per engine: that of the web search if it has one, else that of the news search. */
function mergeReports(organic: readonly EngineReport[], news: readonly EngineReport[]): readonly EngineReport[] {
  const names = new Set(organic.map(({ name }) => name));
  return [...organic, ...news.filter(({ name }) => !names.has(name))];
}

/** The registrable domain of a URL, or its host if it has none. */
export function toSiteName(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: false }) ?? hostname;
}

/** Formats a URL as search engines display it: host › path › segments. */
export function formatDisplayUrl({ url }: Pick<SearchResult, 'url'>): string {
  const { host, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  return [host.replace(/^www\./, ''), ...parts].join(' › ').slice(0, 200);
}

const MAX_AGE_MS = 10 * 60_000;
const MAX_ENTRIES = 2000;

type CacheEntry<T> = { readonly at: number; readonly value: Promise<T> };

/** A tenant and a serialized query. */
type CacheKey = { readonly tenant: string; readonly key: string };

/** Caches results for ten minutes per tenant and key. Concurrent calls with the same key share one request. */
class ResultCache<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #entries = new TenantMap<CacheEntry<T>>(MAX_ENTRIES);

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Returns the cached value if `mayReuse`, else calls `load`. Failures and values that `isCacheable` rejects are not stored. */
  async get(
    { tenant, key }: CacheKey,
    {
      mayReuse,
      load,
      isCacheable,
    }: { readonly mayReuse: boolean; readonly load: () => Promise<T>; readonly isCacheable: (value: T) => boolean },
  ): Promise<{ readonly value: T; readonly isReused: boolean }> {
    const known = this.#entries.get(tenant, key);
    if (mayReuse && known !== undefined && this.#clock.monotonic() - known.at < MAX_AGE_MS) {
      const value = await known.value.catch(() => null);
      if (value !== null && isCacheable(value)) return { value, isReused: true };
    }
    const entry = { at: this.#clock.monotonic(), value: load() };
    this.#entries.set(tenant, key, entry);
    try {
      const value = await entry.value;
      if (!isCacheable(value)) this.#forget({ tenant, key }, entry);
      return { value, isReused: false };
    } catch (error) {
      this.#forget({ tenant, key }, entry);
      throw error;
    }
  }

  #forget({ tenant, key }: CacheKey, entry: CacheEntry<T>): void {
    if (this.#entries.get(tenant, key) === entry) this.#entries.delete(tenant, key);
  }
}
