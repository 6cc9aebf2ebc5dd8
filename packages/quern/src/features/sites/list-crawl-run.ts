import { z } from 'zod';
import type { WorkResult } from '#engine/call/operation.ts';
import type { Account, Billing } from '#engine/credits/billing.ts';
import { type Price, SERVED_TIERS, sumUsage } from '#engine/credits/prices.ts';
import { type CreditShortage, createUnpaidPageError } from '#engine/credits/tenant-credits.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Results } from '#engine/results/results.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { fetchListPage } from './list-pages.ts';
import {
  getElementName,
  getElements,
  LIST_STOP_REASONS,
  type ListStopReason,
  DEFAULT_MAX_PAGES,
  type ServedListCrawl,
} from './list-crawl.ts';
import { observeReading } from './health.ts';
import { toPartial } from './run-endpoint.ts';
import type { SiteCall } from './site-work.ts';
import type { SourcedRecord } from './try-source.ts';

type ListCrawlRun = {
  readonly parts: ListStateParts;
  readonly crawl: ServedListCrawl;
  readonly listCall: EndpointCall;
  readonly call: SiteCall;
};

/**
 * Reads the list of a site page by page until its end or limit, as a job. Each page is stored in one transaction with
 * its charge and the position of the next, so that a killed crawl continues where it stopped. Throws if the first page
 * fails.
 */
export async function runListCrawl(crawling: ListCrawlRun): Promise<WorkResult<JsonObject>> {
  const { parts, crawl, call } = crawling;
  const { jobId, account, admission, operation } = call;
  if (jobId === null) throw new InvariantError('a list crawl must be a job');
  const { price } = crawl.operation;
  const job: ListJob = { jobId, operation, account, price, maxCredits: admission.maxCredits };
  let state = await readListState(parts, job);
  for (;;) {
    const reason = call.closing ?? findStopReason(state, crawling.listCall);
    if (reason !== null && state !== null) return buildAnswer(crawling, job, { state, reason, why: null });
    const shortage = await reservePage(parts, job, state);
    if (shortage !== null) {
      if (state === null) throw createUnpaidPageError(shortage);
      return buildAnswer(crawling, job, { state, reason: shortage, why: null });
    }
    let page: SourcedRecord;
    try {
      page = await readPage(crawling, state);
    } catch (error) {
      if (state === null || !isPermanent(error)) throw error;
      return buildAnswer(crawling, job, { state, reason: 'failed', why: error.message });
    }
    const next = buildNextState(crawling, state, page);
    await storePage(parts, job, { ...next, before: state });
    ({ state } = next);
  }
}

/** Finds why no further page is read; null if reading continues. */
function findStopReason(state: ListState | null, { options }: EndpointCall): ListStopReason | null {
  if (state === null) return null;
  if (state.ended !== null) return state.ended;
  if (state.results >= (options.max_results ?? Infinity)) return 'max_results';
  return state.pages >= (options.max_pages ?? DEFAULT_MAX_PAGES) ? 'max_pages' : null;
}

async function readPage({ crawl, listCall, call }: ListCrawlRun, state: ListState | null): Promise<SourcedRecord> {
  const position = state === null ? null : { source: state.source, token: state.token, offset: 0 };
  return observeReading(crawl.endpoint, call.sites, {
    canBeEmpty: state !== null,
    read: async () => fetchListPage(crawl.endpoint, listCall, call, position),
  });
}

/** Whether another attempt would fail the same way. Then the pages read before are returned. */
function isPermanent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && !error.retryable && !(error.cause instanceof LeaseLost);
}

/** Builds the state before the first page, with its source and the fields other than the list. */
function buildStartState({ crawl }: ListCrawlRun, { source, record, url, at }: SourcedRecord): ListState {
  const { [crawl.list]: _, ...head } = record;
  return { source, head, url, at, token: null, pages: 0, results: 0, names: [], tiers: {}, lacks: [], ended: null };
}

/** Builds the state after a page, and chooses its new elements. */
function buildNextState(crawling: ListCrawlRun, known: ListState | null, page: SourcedRecord) {
  const before = known ?? buildStartState(crawling, page);
  const { elements, names } = chooseNew(crawling, before, page);
  const tier = page.tiers.at(-1) ?? 'http';
  // A site that returns the same token again would never end.
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

/** Chooses the elements that no earlier page had, up to the requested number. */
function chooseNew({ crawl, listCall }: ListCrawlRun, before: ListState, page: SourcedRecord) {
  const known = new Set(before.names);
  const elements: unknown[] = [];
  const names: string[] = [];
  for (const element of getElements(page.record, crawl.list)) {
    if (before.results + elements.length === listCall.options.max_results) break;
    const name = getElementName(element, crawl.by);
    if (name !== null && known.has(name)) continue;
    elements.push(element);
    if (name === null) continue;
    known.add(name);
    names.push(name);
  }
  return { elements, names };
}

type ListEnd = { readonly state: ListState; readonly reason: ListStopReason; readonly why: string | null };

/** Builds the response without the elements, which are already stored. */
function buildAnswer(
  { crawl }: ListCrawlRun,
  { price }: ListJob,
  { state, reason, why }: ListEnd,
): WorkResult<JsonObject> {
  const { endpoint, list } = crawl;
  const usage = sumUsage(price, state.tiers);
  const lacks = why === null ? state.lacks : [...state.lacks, `page ${state.pages + 1} of the list failed: ${why}`];
  return {
    tier: usage.tier,
    charge: { usage, paid: usage.credits },
    body: {
      provider: endpoint.about.name,
      ...state.head,
      [list]: [],
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

const READ_STATE = 'select list_state from jobs where id = $1';
/** Resets the attempts, because there was progress. No effect if the job has ended or is being cancelled. */
const STORE_STATE = `update jobs set list_state = $2, discovered = $3, completed = $3, total = null, usage = $4, attempt = 1,
    version = version + 1
  where id = $1 and status = 'running' and cancel_requested = 0 and stop_reason is null returning id`;

const State = z.object({
  /** The source of the list. Its token means nothing to other sources. */
  source: z.string(),
  /** The site's token of the next page; null at the end. */
  token: z.string().nullable(),
  pages: z.int(),
  results: z.int(),
  /** The identifying values of the stored elements. */
  names: z.array(z.string()),
  tiers: z.partialRecord(z.enum(SERVED_TIERS), z.int()),
  /** The fields of the first page other than the list. */
  head: z.record(z.string(), z.unknown()),
  lacks: z.array(z.string()),
  url: z.string(),
  at: z.number(),
  /** Why it ended; null while it continues. */
  ended: z.enum(LIST_STOP_REASONS).nullable(),
});

/** The progress of a list crawl. */
type ListState = z.output<typeof State>;

const Row = z.object({ list_state: z.string().nullable() });

export type ListStateParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly billing: Billing;
  readonly results: Results;
};

/** The job of a list crawl, and the price of a page. */
type ListJob = {
  readonly jobId: string;
  readonly operation: string;
  readonly account: Account;
  readonly price: Price;
  readonly maxCredits: number | null;
};

/** Reads the stored progress; null before the first page. */
async function readListState({ db }: ListStateParts, { jobId }: ListJob): Promise<ListState | null> {
  const text = readRow(Row, await db.query(READ_STATE, [jobId]))?.list_state ?? null;
  return text === null ? null : State.parse(JSON.parse(text));
}

/** Reserves the credits of one page. Returns why it could not, or null. */
async function reservePage(
  { inTurn, billing }: ListStateParts,
  { jobId, account, price, maxCredits }: ListJob,
  state: ListState | null,
): Promise<CreditShortage | null> {
  const paid = state === null ? 0 : sumUsage(price, state.tiers).credits;
  const ceiling = maxCredits === null ? null : { credits: maxCredits - paid, key: account.key, parts: `list:${jobId}` };
  return inTurn(
    { tenant: account.tenant },
    async (tx) => {
      await account.fence?.(tx);
      // An attempt that died after this may have left a reservation.
      await billing.releasePart(tx, account);
      return (await billing.reserveShares(tx, account, { each: price.base, most: 1, ceiling })).refused;
    },
    { key: account.key },
  );
}

/** Computes the credits of the stored pages. */
function computePaidCredits(price: Price, state: ListState | null): number {
  return state === null ? 0 : sumUsage(price, state.tiers).credits;
}

/** A fetched page: the state before and after it, and its new elements. */
type StoredPage = {
  readonly before: ListState | null;
  readonly state: ListState;
  readonly elements: readonly unknown[];
};

/** Stores a page in one transaction: its elements, its charge, and the position of the next one. */
async function storePage(
  { inTurn, billing, results }: ListStateParts,
  { jobId, operation, account, price }: ListJob,
  { before, state, elements }: StoredPage,
): Promise<void> {
  const packed = elements.length === 0 ? [] : await results.pack(jobId, elements);
  const usage = sumUsage(price, state.tiers);
  try {
    await inTurn(
      { tenant: account.tenant },
      async (tx) => {
        await account.fence?.(tx);
        const updated = await tx.query(STORE_STATE, [
          jobId,
          JSON.stringify(state),
          state.results,
          JSON.stringify(usage),
        ]);
        if (updated.length === 0) throw new LeaseLost('the job has ended');
        if (packed.length > 0) await results.append(tx, jobId, packed);
        const key = `job:${jobId}:${state.pages}`;
        await billing.chargePart(tx, account, {
          key,
          operation,
          credits: usage.credits - computePaidCredits(price, before),
          freed: price.base,
        });
      },
      { key: account.key },
    );
  } catch (error) {
    await results.discard(packed, error);
    throw error;
  }
}
