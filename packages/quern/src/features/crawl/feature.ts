import { buildTrackedResult, CRAWL_FILE_SOURCES, type CrawlEnd, runCrawl } from '#features/crawl/run/crawl-call.ts';
import { hasReadAllFiles } from '#features/crawl/run/site-files.ts';
import { buildTracking, type CrawlParts } from '#features/crawl/run/open-crawl.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { bindBatch } from './batch.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { Feature, Loop, Round } from '#engine/call/feature.ts';
import type { ModelSession } from '#engine/call/model.ts';
import { PRICES, sumUsage, addModelOutputs } from '#engine/credits/prices.ts';
import { admitCrawl, ANSWER_FULL_WARNING, crawl, CrawledPage, type CrawlInput, isLargeCrawl } from './operation.ts';
import { chooseChanges } from '#features/schema/changes-fields.ts';
import { DEFAULT_MAX_PAGES, hasLogin, hasSkippedLinks, skipsActions, buildWarnings } from './site-crawl-fields.ts';
import { toPageOptions } from './page-options.ts';
import type { FilterPatterns } from './frontier/url-patterns.ts';

export type CrawlFeatureParts = {
  readonly crawling: CrawlParts;
  /** Checks a URL of the caller with the egress guard. Throws if it is not allowed. */
  readonly readTarget: (url: string, member?: string) => URL;
  /** Deletes the frontiers of ended crawls. */
  readonly retention: Round;
  /** Helps with crawls of other processes. */
  readonly helperLoop: Loop;
};

/** Builds the crawl operation. */
export function buildCrawlFeature({ crawling, readTarget, retention, helperLoop }: CrawlFeatureParts): Feature {
  const price = PRICES.crawl;
  return {
    operations: [
      bindWork(crawl, {
        admit: admitCrawl,
        queue: isLargeCrawl,
        async run(input, call) {
          const started = crawling.clock.monotonic();
          const options = toCrawlOptions(input, call.modelSession);
          const ended = await runCrawl(crawling, options, { ...call, role: 'owner', price });
          const start = readTarget(listSeeds(input)[0] ?? '');
          const durationMs = Math.round(crawling.clock.monotonic() - started);
          const tracking = buildTracking(crawling, options, call.account.tenant);
          return buildTrackedResult(tracking, ended, (end) => buildAnswer(start, input, { end, durationMs }));
        },
        async help(input, call) {
          await runCrawl(crawling, toCrawlOptions(input, call.modelSession), { ...call, role: 'helper', price });
        },
      }),
      bindBatch({ crawling, readTarget }),
    ],
    rounds: [retention],
    loops: [helperLoop],
  };
}

function listSeeds({ urls, url = '' }: CrawlInput): readonly string[] {
  return urls ?? [url];
}

function toCrawlOptions(input: CrawlInput, modelSession: ModelSession | null): CrawlOptions {
  const changes = chooseChanges({ output: input.output, changes: input.fetch.changes });
  return {
    seeds: listSeeds(input),
    discovers: input.urls === undefined,
    sitemap: input.sitemap,
    maxPages: input.urls?.length ?? input.max_pages ?? DEFAULT_MAX_PAGES,
    maxDepth: input.max_depth,
    scope: input.scope,
    include: input.include,
    exclude: input.exclude,
    store: input.store,
    hashRoutes: input.hash_routes,
    ignoresQuery: input.ignore_query,
    respectRobots: input.respect_robots,
    actionsLast: input.respect_robots,
    skipsActions: skipsActions(input),
    hasLogin: hasLogin(input),
    delayMs: input.delay_ms ?? null,
    maxPerPattern: input.max_per_pattern,
    dedupeContent: input.dedupe_content,
    archive: input.archive,
    ...(changes === null ? {} : { changes }),
    session: input.session ?? null,
    page: toPageOptions({ ...input.fetch, output: input.output, screenshot: input.screenshot }, modelSession),
  };
}

/** Whether no page in reach was missed that could load at another time or with other options. */
function isComplete({ progress, files }: CrawlEnd): boolean {
  const hasAll = progress.failedForNow === 0 && progress.skipped.login === 0;
  return hasAll && !hasSkippedLinks(progress) && (files === null || hasReadAllFiles(files));
}

/** Summarizes the files of a site for the answer. */
function summarizeSources({ files }: CrawlEnd) {
  if (files === null) return {};
  return Object.fromEntries(
    CRAWL_FILE_SOURCES.map((source) => {
      const { named, read, refused, errors } = files[source];
      return [source, { found: named, read, refused, errors }];
    }),
  );
}

function buildAnswer(
  start: URL,
  patterns: FilterPatterns,
  { end, durationMs }: { readonly end: CrawlEnd; readonly durationMs: number },
) {
  const { progress, stopReason, elements, errors, isStored } = end;
  const usage = addModelOutputs(sumUsage(PRICES.crawl, progress.tiers), PRICES.crawl, progress.modelOutputs);
  const skipped = Object.values(progress.skipped).reduce((sum, n) => sum + n, 0);
  return {
    tier: usage.tier,
    charge: { usage, paid: isStored ? usage.credits : 0 },
    body: {
      url: start.href,
      complete: stopReason === 'exhausted' && isComplete(end),
      stop_reason: stopReason,
      pages: CrawledPage.array().parse(elements),
      errors,
      skipped: progress.skipped,
      sources: summarizeSources(end),
      stats: {
        discovered: progress.discovered,
        fetched: progress.stored,
        failed: progress.failed,
        skipped,
        pending: progress.pending,
        duration_ms: durationMs,
      },
      warnings: [...buildWarnings(end, patterns), ...(stopReason === 'answer_full' ? [ANSWER_FULL_WARNING] : [])],
    },
  };
}
