import { CRAWL_FILES, type CrawlEnd, runCrawl } from '#features/crawl/run/crawl-call.ts';
import { readsAllFiles } from '#features/crawl/run/site-files.ts';
import type { CrawlParts } from '#features/crawl/run/open-crawl.ts';
import type { CrawlOrder } from './crawl-order.ts';
import type { Feature, Loop, Round } from '#engine/call/feature.ts';
import { passageFor } from '#engine/call/model-outputs.ts';
import type { ModelSession } from '#engine/call/model-session.ts';
import { PRICES, sumOf, withModel } from '#engine/credits/prices.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { ANSWER_FULL, crawl, CrawledPage, type CrawlInput, DEFAULT_PAGES } from './operation.ts';
import { NO_FILES, toReadOptions, toVisit } from '#features/schema/page-fields.ts';
import { hasLogin, leavesOutLinks, sparesActions, toWarnings } from './site-crawl-fields.ts';
import type { FilterPatterns } from './frontier/url-patterns.ts';

export type CrawlFeatureParts = {
  readonly crawling: CrawlParts;
  /** The egress guard's word on a URL of the caller. */
  readonly readTarget: (url: string) => URL;
  /** Forgets what ended crawls have left. */
  readonly tidy: Round;
  /** Helps with crawls of other processes. */
  readonly helping: Loop;
};

/** Goes through sites page by page. */
export function buildCrawl({ crawling, readTarget, tidy, helping }: CrawlFeatureParts): Feature {
  const price = PRICES.crawl;
  return {
    operations: [
      crawl.runs(
        async (input, call) => {
          const started = crawling.clock.monotonic();
          const end = await runCrawl(crawling, toOrder(input, call.modelSession), { ...call, role: 'owner', price });
          const start = readTarget(seedsOf(input)[0] ?? '');
          return toAnswer(start, input, { end, durationMs: Math.round(crawling.clock.monotonic() - started) });
        },
        async (input, call) => {
          await runCrawl(crawling, toOrder(input, call.modelSession), { ...call, role: 'helper', price });
        },
      ),
    ],
    rounds: [tidy],
    loops: [helping],
  };
}

function seedsOf({ urls, url = '' }: CrawlInput): readonly string[] {
  return urls ?? [url];
}

function toOrder(input: CrawlInput, modelSession: ModelSession | null): CrawlOrder {
  const { fetch: page } = input;
  const summary = input.output.includes('summary');
  return {
    seeds: seedsOf(input),
    discovers: input.urls === undefined,
    sitemap: input.sitemap,
    maxPages: input.urls?.length ?? input.max_pages ?? DEFAULT_PAGES,
    maxDepth: input.max_depth,
    scope: input.scope,
    include: input.include,
    exclude: input.exclude,
    store: input.store,
    hashRoutes: input.hash_routes,
    respectRobots: input.respect_robots,
    actionsLast: input.respect_robots,
    sparesActions: sparesActions(input),
    hasLogin: hasLogin(input),
    delayMs: input.delay_ms ?? null,
    mostPerPattern: input.max_per_pattern,
    dedupeContent: input.dedupe_content,
    archive: input.archive,
    summary,
    session: input.session ?? null,
    page: {
      outputs: OUTPUTS.filter((name) => input.output.includes(name)),
      ...toReadOptions(page),
      passageChars: passageFor(modelSession, { summary, extract: page.extract ?? null }),
      headers: page.headers,
      cookies: page.cookies,
      visit: toVisit(page, NO_FILES),
    },
  };
}

/** Whether no page in reach was left out that could come at another time or in another way. */
function missesNone({ progress, files }: CrawlEnd): boolean {
  const hasAll = progress.failedForNow === 0 && progress.skipped.login === 0;
  return hasAll && !leavesOutLinks(progress) && (files === null || readsAllFiles(files));
}

/** What the files of a site named. */
function toSources({ files }: CrawlEnd) {
  if (files === null) return {};
  return Object.fromEntries(
    CRAWL_FILES.map((source) => {
      const { named, read, refused, errors } = files[source];
      return [source, { found: named, read, refused, errors }];
    }),
  );
}

function toAnswer(
  start: URL,
  patterns: FilterPatterns,
  { end, durationMs }: { readonly end: CrawlEnd; readonly durationMs: number },
) {
  const { progress, stopReason, elements, errors, isStored } = end;
  const usage = withModel(sumOf(PRICES.crawl, progress.tiers), PRICES.crawl, progress.modelOutputs);
  const skipped = Object.values(progress.skipped).reduce((sum, n) => sum + n, 0);
  return {
    tier: usage.tier,
    charge: { usage, paid: isStored ? usage.credits : 0 },
    body: {
      url: start.href,
      complete: stopReason === 'exhausted' && missesNone(end),
      stop_reason: stopReason,
      pages: CrawledPage.array().parse(elements),
      errors,
      skipped: progress.skipped,
      sources: toSources(end),
      stats: {
        discovered: progress.discovered,
        fetched: progress.stored,
        failed: progress.failed,
        skipped,
        pending: progress.pending,
        duration_ms: durationMs,
      },
      warnings: [...toWarnings(end, patterns), ...(stopReason === 'answer_full' ? [ANSWER_FULL] : [])],
    },
  };
}
