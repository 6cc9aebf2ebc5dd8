import { InvariantError } from '#extract/invariant-error.ts';
import type { Served } from '#engine/call/operation.ts';
import { sumOf } from '#engine/credits/prices.ts';
import { toUnpaidPage } from '#engine/credits/unpaid-page.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { toPartial } from './partial.ts';
import { gatherPage } from './gathering.ts';
import {
  elementName,
  elementsOf,
  type ListCrawlCall,
  type ListStopReason,
  MAX_CRAWL_PAGES,
  type ServedListCrawl,
} from './list-crawl.ts';
import {
  holdPage,
  keepPage,
  type ListJob,
  type ListState,
  type ListStateParts,
  readListState,
} from './list-crawl-state.ts';
import { observed } from './observed.ts';
import type { SiteCall } from './site-work.ts';
import type { SourcedRecord } from './sourcing.ts';

type ListCrawling = {
  readonly parts: ListStateParts;
  readonly crawl: ServedListCrawl;
  readonly wanted: ListCrawlCall;
  readonly call: SiteCall;
};

/**
 * Reads the list of a site page by page until its end or its bound, as a job: each page is one transaction with its charge
 * and the place of the next, so that a crawl that is killed goes on where it was. Throws what the first page came to.
 */
export async function runListCrawl(crawling: ListCrawling): Promise<Served<JsonObject>> {
  const { parts, crawl, call } = crawling;
  const { jobId, account, admission, operation } = call;
  if (jobId === null) throw new InvariantError('a crawl of a list is a job');
  const { price } = crawl.operation;
  const job: ListJob = { jobId, operation, account, price, maxCredits: admission.maxCredits };
  let state = await readListState(parts, job);
  for (;;) {
    const reason = call.closing ?? stopAt(state, crawling.wanted);
    if (reason !== null && state !== null) return toAnswer(crawling, job, { state, reason, why: null });
    const shortage = await holdPage(parts, job, state);
    if (shortage !== null) {
      if (state === null) throw toUnpaidPage(shortage);
      return toAnswer(crawling, job, { state, reason: shortage, why: null });
    }
    let page: SourcedRecord;
    try {
      page = await readPage(crawling, state);
    } catch (error) {
      if (state === null || !isLasting(error)) throw error;
      return toAnswer(crawling, job, { state, reason: 'failed', why: error.message });
    }
    const next = toNext(crawling, state, page);
    await keepPage(parts, job, { ...next, before: state });
    ({ state } = next);
  }
}

/** Why no further page is read; null for the first, and while there are more. */
function stopAt(state: ListState | null, { options }: ListCrawlCall): ListStopReason | null {
  if (state === null) return null;
  if (state.ended !== null) return state.ended;
  if (state.results >= (options.max_results ?? Infinity)) return 'max_results';
  return state.pages >= (options.max_pages ?? MAX_CRAWL_PAGES) ? 'max_pages' : null;
}

async function readPage({ crawl, wanted, call }: ListCrawling, state: ListState | null): Promise<SourcedRecord> {
  const position = state === null ? null : { source: state.source, token: state.token, offset: 0 };
  return observed(crawl.endpoint, call.sites, {
    mayEnd: state !== null,
    read: async () => gatherPage(crawl.endpoint, wanted, call, position),
  });
}

/** A failure that another attempt would only repeat; what came before it is the answer. */
function isLasting(error: unknown): error is ServiceError {
  return error instanceof ServiceError && !error.retryable && !(error.cause instanceof LeaseLost);
}

/** The state before the first page, which names the source and the members beside the list. */
function toStart({ crawl }: ListCrawling, { source, record, url, at }: SourcedRecord): ListState {
  const { [crawl.operation.list]: _, ...head } = record;
  return { source, head, url, at, token: null, pages: 0, results: 0, names: [], tiers: {}, lacks: [], ended: null };
}

/** The state after a page, and its elements that are new. */
function toNext(crawling: ListCrawling, known: ListState | null, page: SourcedRecord) {
  const before = known ?? toStart(crawling, page);
  const { elements, names } = chooseNew(crawling, before, page);
  const tier = page.tiers.at(-1) ?? 'http';
  // A site that hands out the token it was given would never end.
  const isLast = page.next === null || page.next === before.token;
  const state: ListState = {
    ...before,
    token: page.next,
    pages: before.pages + 1,
    results: before.results + elements.length,
    names: [...before.names, ...names],
    tiers: { ...before.tiers, [tier]: (before.tiers[tier] ?? 0) + 1 },
    lacks: [...new Set([...before.lacks, ...page.lacks])],
    at: Math.min(before.at, page.at),
    ended: isLast ? 'exhausted' : null,
  };
  return { state, elements };
}

/** The elements of a page that no page before it had, as many as are still wanted. */
function chooseNew({ crawl, wanted }: ListCrawling, before: ListState, page: SourcedRecord) {
  const known = new Set(before.names);
  const elements: unknown[] = [];
  const names: string[] = [];
  for (const element of elementsOf(page.record, crawl.operation.list)) {
    if (before.results + elements.length === wanted.options.max_results) break;
    const name = elementName(element, crawl.by);
    if (name !== null && known.has(name)) continue;
    elements.push(element);
    if (name === null) continue;
    known.add(name);
    names.push(name);
  }
  return { elements, names };
}

type ListEnd = { readonly state: ListState; readonly reason: ListStopReason; readonly why: string | null };

/** The answer beside the elements, which the job holds already. */
function toAnswer({ crawl }: ListCrawling, { price }: ListJob, { state, reason, why }: ListEnd): Served<JsonObject> {
  const { endpoint, operation } = crawl;
  const usage = sumOf(price, state.tiers);
  const lacks = why === null ? state.lacks : [...state.lacks, `page ${state.pages + 1} of the list failed: ${why}`];
  return {
    tier: usage.tier,
    charge: { usage, paid: usage.credits },
    body: {
      provider: endpoint.site.name,
      ...state.head,
      [operation.list]: [],
      pages_fetched: state.pages,
      truncated: reason !== 'exhausted',
      exhausted: reason === 'exhausted',
      stop_reason: reason,
      source_url: state.url,
      fetched_at: toTimestamp(state.at),
      ...toPartial(lacks),
    },
  };
}
