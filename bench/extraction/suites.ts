import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { PageMetadata } from '#extract/reading.ts';
import type { Gold, Sample } from './corpus.ts';
import {
  computeFieldF1,
  type IsSameFact,
  isSameAuthors,
  isSameDay,
  isSimilar,
  computeCharacterF1,
  computeMean,
  computeSegmentF1,
  countSegments,
  computeShingleF1,
  computeShingles,
  computeWordF1,
} from './text-scores.ts';
import {
  compareStructure,
  listFrames,
  readHtmlStructure,
  toHtmlText,
  readMarkdownStructure,
  toMarkdownText,
  computeMeanStructure,
  type Structure,
} from './structure-scores.ts';

/** What was extracted from a page. */
export type PageReadout = {
  readonly sample: Sample;
  readonly text: string;
  readonly markdown: string;
  readonly metadata: PageMetadata;
};

/** Empty metadata. */
export const NO_METADATA: PageMetadata = {
  title: null,
  description: null,
  language: null,
  canonical_url: null,
  image: null,
  site_name: null,
  author: null,
  published_date: null,
  published_at: null,
  modified_at: null,
  charset: null,
  word_count: 0,
};

/** Named scores from 0 to 1. */
export type Scores = Readonly<Record<string, number>>;

const WCXB_TYPES = ['article', 'documentation', 'service', 'forum', 'product', 'listing', 'collection'] as const;

/** Names of the scores that measure only text. */
export const TEXT_FIGURES: readonly string[] = ['f1', ...WCXB_TYPES];

/** Computes the scores of a suite for the given pages. */
export function scoreSuite(suite: string, reads: readonly PageReadout[]): Scores {
  return reads.length === 0 ? {} : (SUITES[suite]?.(reads) ?? {});
}

const SUITES: Readonly<Record<string, (reads: readonly PageReadout[]) => Scores>> = {
  'zyte-articles': (reads) => ({ f1: computeSuiteShingleF1(reads) }),
  wcxb: (reads) => ({
    f1: computeMeanScore(reads, computePageF1),
    ...scoreByType(reads, WCXB_TYPES),
    ...scoreFacts(reads, ['title', 'author']),
  }),
  'trafi-segments': (reads) => ({
    f1: computeSegmentF1(reads.map(({ sample, text }) => countSegments(sample.gold.with, sample.gold.without, text))),
    ...scoreFacts(reads, ['author']),
  }),
  'magic-html': (reads) => scoreByType(reads, ['article', 'forum'], computePageCharacterF1),
  'readability-pages': (reads) => ({
    f1: computeSuiteShingleF1(reads),
    ...scoreStructure(reads),
    ...scoreFacts(reads, ['title', 'author']),
  }),
  'defuddle-fixtures': (reads) => ({ f1: computeMeanScore(reads, computePageF1), ...scoreStructure(reads) }),
  'webmainbench-sample': (reads) => ({ f1: computeMeanScore(reads, computePageCharacterF1) }),
  htmldate: (reads) => scoreFacts(reads, ['date']),
  'metascraper-meta': (reads) => scoreFacts(reads, ['title', 'author', 'date']),
  'postlight-meta': (reads) => scoreFacts(reads, ['title', 'author', 'date']),
};

/** The labelled main text of a page. */
export function getGoldText({ text, html, markdown }: Gold): string {
  if (typeof text === 'string') return text;
  return typeof html === 'string' ? toHtmlText(html) : toMarkdownText(markdown ?? '');
}

/** The score of one page by the measure of its suite. */
export function scorePage({ sample, text }: PageReadout): number {
  const { suite, gold } = sample;
  if (suite === 'trafi-segments') return computeSegmentF1([countSegments(gold.with, gold.without, text)]);
  if (suite === 'magic-html') return computeCharacterF1(getGoldText(gold), text);
  return computeWordF1(getGoldText(gold), text);
}

function computePageF1({ sample, text }: PageReadout): number {
  return computeWordF1(getGoldText(sample.gold), text);
}

function computePageCharacterF1({ sample, text }: PageReadout): number {
  return computeCharacterF1(getGoldText(sample.gold), text);
}

function computeSuiteShingleF1(reads: readonly PageReadout[]): number {
  return computeShingleF1(reads.map(({ sample, text }) => computeShingles(getGoldText(sample.gold), text)));
}

function computeMeanScore(reads: readonly PageReadout[], of: (read: PageReadout) => number): number {
  return computeMean(reads.map(of));
}

function scoreByType(reads: readonly PageReadout[], types: readonly string[], of = computePageF1): Scores {
  const figures = types.map((type) => {
    const pages = reads.filter(({ sample }) => sample.type === type);
    return [type, pages.length === 0 ? null : computeMeanScore(pages, of)] as const;
  });
  return Object.fromEntries(figures.flatMap(([type, figure]) => (figure === null ? [] : [[type, figure]])));
}

function readGoldStructure({ gold, url }: Sample): Structure {
  return typeof gold.html === 'string'
    ? readHtmlStructure(gold.html, url)
    : readMarkdownStructure(gold.markdown ?? '', url);
}

/** Mean F1 per kind of structure over the pages that have it; links of frames are not compared. */
function scoreStructure(reads: readonly PageReadout[]): Scores {
  return computeMeanStructure(
    reads.map(({ sample, markdown }) => {
      const found = readMarkdownStructure(markdown, sample.url);
      const frames = listFrames(new TextDecoder().decode(sample.body()), sample.url);
      const links = found.links.filter((link) => !frames.has(link.slice(0, link.indexOf(' '))));
      return compareStructure(readGoldStructure(sample), { ...found, links }, sample.gold.title ?? null);
    }),
  );
}

type FactMeasure = {
  readonly gold: (gold: Gold) => string | null | undefined;
  readonly found: (metadata: PageMetadata) => string | null;
  readonly same: IsSameFact;
};

const FACT_MEASURES: Readonly<Record<'title' | 'author' | 'date', FactMeasure>> = {
  title: { gold: (gold) => gold.title, found: ({ title }) => title, same: isSimilar },
  author: { gold: (gold) => gold.author ?? gold.byline, found: ({ author }) => author, same: isSameAuthors },
  date: {
    gold: (gold) => gold.date ?? gold.date_published ?? gold.publishedTime,
    // Compare the date as written on the page, not the UTC date of the timestamp.
    found: (metadata) => metadata.published_date ?? metadata.published_at,
    same: isSameDay,
  },
};

function scoreFacts(reads: readonly PageReadout[], names: readonly (keyof typeof FACT_MEASURES)[]): Scores {
  return Object.fromEntries(
    names.map((name) => {
      const { gold, found, same } = FACT_MEASURES[name];
      const labelled = reads.filter(({ sample }) => gold(sample.gold) !== undefined);
      const pairs = labelled.map(({ sample, metadata }) => ({
        gold: gold(sample.gold) ?? null,
        found: found(metadata),
      }));
      return [name, computeFieldF1(pairs, same)];
    }),
  );
}

/** Scores by suite, column and name. */
type MeasuredScores = Readonly<Record<string, Readonly<Record<string, Scores>>>>;

const FLOORS_FILE = new URL('./floors.json', import.meta.url);
const Floors = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));
/** Tolerance for floating-point rounding. */
const ROUNDING = 0.0005;

/** One line per score below its floor. */
export function listBelowFloors(measured: MeasuredScores): readonly string[] {
  const floors = readFloors();
  return listEntries(measured).flatMap(({ path, figure }) => {
    const floor = floors[path[0]]?.[path[1]]?.[path[2]] ?? 0;
    return figure >= floor - ROUNDING ? [] : [`${path.join(' ')} is ${figure.toFixed(3)}, below its floor ${floor}`];
  });
}

/** Raises the floors that are exceeded; never lowers any. */
export function raiseFloors(measured: MeasuredScores): void {
  const floors = readFloors();
  for (const { path, figure } of listEntries(measured)) {
    const [suite, column, name] = path;
    const columns = (floors[suite] ??= {});
    const figures = (columns[column] ??= {});
    figures[name] = Math.max(figures[name] ?? 0, Math.floor(figure * 1000) / 1000);
  }
  writeFileSync(FLOORS_FILE, `${JSON.stringify(floors, null, 2)}\n`);
}

function readFloors(): z.infer<typeof Floors> {
  return Floors.parse(JSON.parse(readFileSync(FLOORS_FILE, 'utf8')));
}

function listEntries(measured: MeasuredScores): readonly { path: readonly [string, string, string]; figure: number }[] {
  return Object.entries(measured).flatMap(([suite, columns]) =>
    Object.entries(columns).flatMap(([column, figures]) =>
      Object.entries(figures).map(([name, figure]) => ({ path: [suite, column, name] as const, figure })),
    ),
  );
}
