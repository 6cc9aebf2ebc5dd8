import { mean } from '../extraction/text-scores.ts';
import { type Crawled, crawlSite, type Page } from './crawling.ts';
import { type Kept, KINDS, type PageScore, scorePage } from './scores.ts';
import type { OpenedSite, Site } from './site.ts';
import type { Source } from './sources.ts';

/** A page of the lab, how it was read, and what it was read from. */
export type ReadPage = { readonly page: Page; readonly score: PageScore };

/** How a site was crawled and read. */
export type Comparison = {
  readonly crawled: Crawled;
  readonly read: readonly ReadPage[];
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  /** Pages that are none of the sources; the start is not one of them. */
  readonly others: readonly string[];
  readonly figures: Figures;
};

export type Figures = {
  readonly recall: number;
  readonly precision: number;
  readonly fences: Kept;
  readonly kept: Readonly<Record<(typeof KINDS)[number], Kept>>;
  readonly titles: number;
  readonly dated: number;
  /** Pages that a browser rendered. */
  readonly rendered: number;
};

/** What a site may have besides its pages: forms and histories of a wiki. */
const MAX_A_SOURCE = 12;
const MAX_BESIDES = 100;

/** Opens a site, crawls it, and compares what came; null where it cannot be installed. */
export async function compareSite(open: Site, sources: readonly Source[], cache: string): Promise<Comparison | null> {
  const site = await open(sources, cache);
  if (site === null) return null;
  try {
    const most = site.sources.length * MAX_A_SOURCE + MAX_BESIDES;
    return await compare(site, await crawlSite({ url: site.url, most }, cache));
  } finally {
    await site.close();
  }
}

async function compare(site: OpenedSite, crawled: Crawled): Promise<Comparison> {
  const bySlug = new Map<string, Page[]>();
  const others: string[] = [];
  for (const page of crawled.pages) {
    const source = site.sourceAt(page.final_url);
    if (source !== null) bySlug.set(source.slug, [...(bySlug.get(source.slug) ?? []), page]);
    else if (page.final_url !== site.url) others.push(page.final_url);
  }
  const read: ReadPage[] = [];
  const missing: string[] = [];
  const twice: string[] = [];
  for (const source of site.sources) {
    const [page, second] = bySlug.get(source.slug) ?? [];
    const truth = page === undefined ? null : await site.truthOf(source, page.final_url);
    if (page === undefined || truth === null) missing.push(source.slug);
    else read.push({ page, score: scorePage(page, truth) });
    if (second !== undefined) twice.push(second.final_url);
  }
  return { crawled, read, missing, twice, others, figures: figuresOf(read, crawled) };
}

function figuresOf(read: readonly ReadPage[], crawled: Crawled): Figures {
  const scores = read.map(({ score }) => score);
  const sumOf = (of: (score: PageScore) => Kept): Kept => ({
    found: scores.reduce((sum, score) => sum + of(score).found, 0),
    all: scores.reduce((sum, score) => sum + of(score).all, 0),
  });
  return {
    recall: mean(scores.map(({ recall }) => recall)),
    precision: mean(scores.map(({ precision }) => precision)),
    fences: sumOf(({ fences }) => fences),
    kept: {
      headings: sumOf(({ kept }) => kept.headings),
      items: sumOf(({ kept }) => kept.items),
      rows: sumOf(({ kept }) => kept.rows),
      links: sumOf(({ kept }) => kept.links),
    },
    titles: scores.filter(({ hasTitle }) => hasTitle).length,
    dated: scores.filter(({ published }) => published !== null).length,
    rendered: crawled.pages.filter(({ tier }) => tier === 'browser').length,
  };
}
