import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { KEY, fetchResult, submitCrawl, waitForJob } from '#bench/crawl-job.ts';
import { computeMean } from '#bench/extraction/text-scores.ts';
import { startService } from '#demo/service.ts';
import { buildSite, type SiteGenerator } from './build.ts';
import { type KeptCount, KINDS, buildMarkdownTruth, type PageScore, scorePage, type PageTruth } from './scores.ts';
import type { Source } from './sources.ts';
import { serveFolder } from './static-site.ts';

/** A crawled page with its score. */
export type ScoredPage = { readonly page: Page; readonly score: PageScore };

/** The result for one site. */
export type Comparison = {
  readonly crawled: CrawlOutput;
  readonly read: readonly ScoredPage[];
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  /** Pages that are not in the sources, except the start page. */
  readonly others: readonly string[];
  readonly figures: Figures;
};

export type Figures = {
  readonly recall: number;
  readonly precision: number;
  readonly fences: KeptCount;
  readonly kept: Readonly<Record<(typeof KINDS)[number], KeptCount>>;
  readonly titles: number;
  readonly dated: number;
  /** Number of pages rendered by a browser. */
  readonly rendered: number;
};

/** Limits for other pages of a site, such as the forms and histories of a wiki. */
const MAX_PAGES_PER_SOURCE = 12;
const MAX_EXTRA_PAGES = 100;

/** Starts a site, crawls it and compares the result; null if it cannot be installed. */
export async function compareSite(
  open: OpenSite,
  sources: readonly Source[],
  cache: string,
): Promise<Comparison | null> {
  const site = await open(sources, cache);
  if (site === null) return null;
  try {
    const most = site.sources.length * MAX_PAGES_PER_SOURCE + MAX_EXTRA_PAGES;
    return await comparePages(site, await crawlSite({ url: site.url, most }, cache));
  } finally {
    await site.close();
  }
}

async function comparePages(site: ServedSite, crawled: CrawlOutput): Promise<Comparison> {
  const bySlug = new Map<string, Page[]>();
  const others: string[] = [];
  for (const page of crawled.pages) {
    const source = site.sourceAt(page.final_url);
    if (source !== null) bySlug.set(source.slug, [...(bySlug.get(source.slug) ?? []), page]);
    else if (page.final_url !== site.url) others.push(page.final_url);
  }
  const read: ScoredPage[] = [];
  const missing: string[] = [];
  const twice: string[] = [];
  for (const source of site.sources) {
    const [page, second] = bySlug.get(source.slug) ?? [];
    const truth = page === undefined ? null : await site.truthOf(source, page.final_url);
    if (page === undefined || truth === null) missing.push(source.slug);
    else read.push({ page, score: scorePage(page, truth) });
    if (second !== undefined) twice.push(second.final_url);
  }
  return { crawled, read, missing, twice, others, figures: computeFigures(read, crawled) };
}

function computeFigures(read: readonly ScoredPage[], crawled: CrawlOutput): Figures {
  const scores = read.map(({ score }) => score);
  const sumUp = (of: (score: PageScore) => KeptCount): KeptCount => ({
    found: scores.reduce((sum, score) => sum + of(score).found, 0),
    all: scores.reduce((sum, score) => sum + of(score).all, 0),
  });
  return {
    recall: computeMean(scores.map(({ recall }) => recall)),
    precision: computeMean(scores.map(({ precision }) => precision)),
    fences: sumUp(({ fences }) => fences),
    kept: {
      headings: sumUp(({ kept }) => kept.headings),
      items: sumUp(({ kept }) => kept.items),
      rows: sumUp(({ kept }) => kept.rows),
      links: sumUp(({ kept }) => kept.links),
    },
    titles: scores.filter(({ hasTitle }) => hasTitle).length,
    dated: scores.filter(({ published }) => published !== null).length,
    rendered: crawled.pages.filter(({ tier }) => tier === 'browser').length,
  };
}

/** A running local site. */
export type ServedSite = {
  /** Start URL of the crawl. */
  readonly url: string;
  /** The sources of its pages. */
  readonly sources: readonly Source[];
  /** Finds the source of a URL; null for other pages. */
  readonly sourceAt: (url: string) => Source | null;
  /** Returns the expected content of a source's page; null if the site does not have it. */
  readonly truthOf: (source: Source, url: string) => Promise<PageTruth | null>;
  readonly close: () => Promise<void>;
};

/** Starts a site with the given sources, using a cache folder; returns null if it cannot be installed. */
export type OpenSite = (sources: readonly Source[], cache: string) => Promise<ServedSite | null>;

/** A site built by a static generator, whose pages have the slug of their source in any folder. */
export function buildGeneratedSite(name: string, generate: (sources: readonly Source[]) => SiteGenerator): OpenSite {
  return async (sources, cache) => {
    const folder = buildSite(name, generate(sources), cache);
    if (folder === null) return null;
    const { origin, close } = await serveFolder(folder);
    const known = new Map(sources.map((source) => [source.slug, source]));
    return {
      url: `${origin}/`,
      sources,
      sourceAt: (url) => known.get(getSlug(url)) ?? null,
      truthOf: async (source, url) => buildMarkdownTruth(source, url),
      close,
    };
  };
}

/** The last path segment of a URL, without extension. */
function getSlug(url: string): string {
  const parts = new URL(url).pathname.split('/').filter((part) => part !== '');
  return (parts.at(-1) ?? '').replace(/\.html$/, '');
}

const CRAWL_TIMEOUT_MS = 1_800_000;

const CrawledPage = z.object({
  final_url: z.string(),
  markdown: z.string(),
  metadata: z.object({ title: z.string().nullable(), published_date: z.string().nullable() }),
  tier: z.string(),
});
export type Page = z.output<typeof CrawledPage>;

/** A result without its pages. */
const ResultHead = z.object({
  complete: z.boolean(),
  stop_reason: z.string(),
  errors: z.array(z.object({ url: z.string(), code: z.string() }).loose()),
  skipped: z.record(z.string(), z.int()),
  stats: z.object({ discovered: z.int() }).loose(),
});

/** The result of crawling a site. */
type CrawlOutput = z.output<typeof ResultHead> & {
  readonly pages: readonly Page[];
  readonly seconds: number;
  readonly credits: number;
};

/** Start URL and maximum number of pages. */
type CrawlOrder = { readonly url: string; readonly most: number };

/** Crawls a site with a new service of its own, with the defaults of everything but the number of pages. */
async function crawlSite({ url, most }: CrawlOrder, cache: string): Promise<CrawlOutput> {
  const below = join(cache, 'services');
  mkdirSync(below, { recursive: true });
  const dataDir = mkdtempSync(join(below, 'data-'));
  const service = await startService({
    dataDir,
    settings: {
      QUERN_ALLOW_TARGETS: new URL(url).host,
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
  });
  try {
    const began = performance.now();
    const id = await submitCrawl(service, { url, max_pages: most });
    const { usage } = await waitForJob(service, id, CRAWL_TIMEOUT_MS);
    const seconds = (performance.now() - began) / 1000;
    const head = ResultHead.parse(await json(await fetchResult(service, id, 'json')));
    const pages: Page[] = [];
    for await (const line of createInterface({ input: await fetchResult(service, id, 'jsonl') })) {
      pages.push(CrawledPage.parse(JSON.parse(line)));
    }
    return { ...head, pages, seconds, credits: usage?.credits ?? 0 };
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
