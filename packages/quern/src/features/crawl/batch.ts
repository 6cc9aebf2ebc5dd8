import { type BoundWork, bindWork } from '#engine/call/bound-operation.ts';
import type { ModelSession } from '#engine/call/model.ts';
import { addModelOutputs, PRICES, sumUsage } from '#engine/credits/prices.ts';
import { chooseChanges } from '#features/schema/changes-fields.ts';
import {
  admitBatch,
  type BatchInput,
  BatchResult,
  type BatchPages,
  fetchBatch,
  isLargeBatch,
  listInvalidUrls,
  sortBatchPages,
} from './batch-operation.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { ANSWER_FULL_WARNING } from './operation.ts';
import { toPageOptions } from './page-options.ts';
import { buildTrackedResult, type CrawlEnd, runCrawl } from './run/crawl-call.ts';
import { buildTracking, type CrawlParts } from './run/open-crawl.ts';

const price = PRICES.crawl;

/** Binds the fetch of many URLs, which is a crawl of these URLs that follows no links. */
export function bindBatch({
  crawling,
  readTarget,
}: {
  readonly crawling: CrawlParts;
  readonly readTarget: (url: string, member?: string) => URL;
}): BoundWork {
  return bindWork(fetchBatch, {
    admit: admitBatch,
    queue: isLargeBatch,
    async run(input, call) {
      const started = crawling.clock.monotonic();
      const urls = sortBatchPages(input, readTarget);
      const options = toCrawlOptions(input, urls, call.modelSession);
      const ended = await runCrawl(crawling, options, { ...call, role: 'owner', price });
      const durationMs = Math.round(crawling.clock.monotonic() - started);
      const tracking = buildTracking(crawling, options, call.account.tenant);
      return buildTrackedResult(tracking, ended, (end) => buildAnswer(input, urls, { end, durationMs }));
    },
    async help(input, call) {
      const options = toCrawlOptions(input, sortBatchPages(input, readTarget), call.modelSession);
      await runCrawl(crawling, options, { ...call, role: 'helper', price });
    },
  });
}

function toCrawlOptions(input: BatchInput, { seeds }: BatchPages, modelSession: ModelSession | null): CrawlOptions {
  const common = toPageOptions(input, modelSession);
  const changes = chooseChanges(input);
  const { max_concurrency: maxConcurrency } = input;
  return {
    seeds: seeds.map(({ url }) => url),
    discovers: false,
    sitemap: 'skip',
    maxPages: seeds.length,
    maxDepth: null,
    scope: 'host',
    include: [],
    exclude: [],
    store: 'all',
    hashRoutes: false,
    ignoresQuery: false,
    respectRobots: input.respect_robots,
    actionsLast: false,
    skipsActions: false,
    hasLogin: false,
    delayMs: input.delay_ms ?? null,
    maxPerPattern: seeds.length,
    dedupeContent: false,
    archive: false,
    recordsAll: true,
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(changes === null ? {} : { changes }),
    session: input.session ?? null,
    page: common,
    listed: seeds.map(({ url, index, page, variant }) => ({
      url,
      index,
      page: variant === '' ? common : toPageOptions(page, modelSession),
      variant,
    })),
  };
}

function buildAnswer(
  { urls }: BatchInput,
  sorted: BatchPages,
  { end, durationMs }: { readonly end: CrawlEnd; readonly durationMs: number },
) {
  const { progress, elements, isStored } = end;
  const usage = addModelOutputs(sumUsage(price, progress.tiers), price, progress.modelOutputs);
  // Every page may be stored before the loop asks for another one.
  const stopReason = progress.pending === 0 ? 'exhausted' : end.stopReason;
  return {
    tier: usage.tier,
    charge: { usage, paid: isStored ? usage.credits : 0 },
    body: {
      complete: progress.pending === 0,
      stop_reason: stopReason,
      results: BatchResult.array().parse(elements),
      invalid_urls: listInvalidUrls(sorted),
      stats: {
        requested: urls.length,
        invalid: sorted.invalid.length,
        duplicates: sorted.duplicates,
        fetched: progress.stored,
        failed: progress.failed,
        pending: progress.pending,
        duration_ms: durationMs,
      },
      warnings: stopReason === 'answer_full' ? [ANSWER_FULL_WARNING] : [],
    },
  };
}
