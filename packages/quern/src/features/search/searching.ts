import { getDomain } from 'tldts';
import type { BackendCall, FoundResult, ResultKind, SearchQuery } from './backend/backend.ts';
import { type ChainAnswer, type EngineReport, HEDGE_MS, JOIN_MS, type SearchChain } from './backend/chain.ts';
import { fuse, type FusedResult } from './backend/fusion.ts';
import { RecentAnswers } from './backend/recent.ts';
import { INDEX } from './settings.ts';
import { type Clock, pause } from '#kernel/clock.ts';

/** The results of both kinds, and what became of each engine. */
export type SearchAnswer = {
  readonly organic: readonly FusedResult[];
  readonly news: readonly FusedResult[];
  readonly reports: readonly EngineReport[];
  readonly hasMore: boolean;
  readonly total: number | null;
};

export type SearchingParts = { readonly chain: SearchChain; readonly clock: Clock };

/** Searches by a chain, for both kinds of results at once, with answers of the last minutes where they may serve. */
export class Searching {
  readonly #chain: SearchChain;
  readonly #clock: Clock;
  readonly #recent: RecentAnswers<SearchAnswer>;

  constructor({ chain, clock }: SearchingParts) {
    this.#chain = chain;
    this.#clock = clock;
    this.#recent = new RecentAnswers(clock);
  }

  get chain(): SearchChain {
    return this.#chain;
  }

  /** Answers a query; `mayReuse` where an answer of the last minutes does. */
  async search(query: SearchQuery, call: BackendCall, mayReuse: boolean): Promise<SearchAnswer> {
    const { search, country, language, page } = query;
    // A tenant cannot tell by the time of an answer what others searched for.
    const key = JSON.stringify([search, country, language, page]);
    const { value } = await this.#recent.get(
      { tenant: call.tenant, key },
      {
        mayReuse,
        ask: async () => this.#ask(query, call),
        // What the tenant fetches meanwhile is to be found at once, and a failure is no answer.
        isKept: ({ organic, reports }) =>
          organic.length > 0 && !reports.some(({ name, status }) => name === INDEX && status === 'ok'),
      },
    );
    return value;
  }

  async #ask(query: SearchQuery, call: BackendCall): Promise<SearchAnswer> {
    const [organic, news] = await this.#askForBoth(query, call);
    const answers = organic.answers.map(({ answer }) => answer);
    return {
      organic: fuseKind(organic, 'organic'),
      news: fuseKind(news, 'news'),
      reports: joinReports(organic.reports, news.reports),
      hasMore: answers.some((answer) => answer.hasMore),
      total: answers.find(({ total }) => total !== null)?.total ?? null,
    };
  }

  /** News are asked for at the same time; who has results of the main kind does not wait for them longer than for a backend. */
  async #askForBoth(query: SearchQuery, call: BackendCall): Promise<readonly [ChainAnswer, ChainAnswer]> {
    const until = this.#clock.monotonic() + HEDGE_MS;
    const enough = new AbortController();
    const ended = new AbortController();
    const asking = this.#chain.search(query, 'news', call, enough.signal).finally(() => ended.abort());
    const leading = this.#chain.search(query, 'organic', call).then(async (organic) => {
      if (!hasAny(organic, 'organic')) return organic;
      await pause(this.#clock, Math.max(JOIN_MS, until - this.#clock.monotonic()), ended.signal);
      enough.abort();
      return organic;
    });
    return Promise.all([leading, asking]);
  }
}

function hasAny({ answers }: ChainAnswer, kind: ResultKind): boolean {
  return answers.some(({ answer }) => answer[kind].length > 0);
}

function fuseKind({ answers }: ChainAnswer, kind: ResultKind): readonly FusedResult[] {
  return fuse(answers.map(({ engine, answer }) => ({ engine, results: answer[kind] })));
}

/** One line an engine: what it came to for the main list, else for the other. */
function joinReports(organic: readonly EngineReport[], news: readonly EngineReport[]): readonly EngineReport[] {
  const names = new Set(organic.map(({ name }) => name));
  return [...organic, ...news.filter(({ name }) => !names.has(name))];
}

/** The name of the site of an address: its registrable domain, or its host where it has none. */
export function shownNameOf(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: false }) ?? hostname;
}

/** An address as engines show it: the host, and the parts of the path. */
export function shownUrlOf({ url }: Pick<FoundResult, 'url'>): string {
  const { host, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  return [host.replace(/^www\./, ''), ...parts].join(' › ').slice(0, 200);
}
