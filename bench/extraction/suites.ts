import type { PageMetadata } from '#extract/reading.ts';
import type { Gold, Sample } from './corpus.ts';
import { fieldF1, type Same, sameAuthors, sameDay, similar } from './field-scores.ts';
import {
  compareStructure,
  framesOf,
  htmlStructure,
  htmlText,
  markdownStructure,
  markdownText,
  meanStructure,
  type Structure,
} from './structure-scores.ts';
import { characterF1, mean, segmentF1, segmentsOf, shingleF1, shinglesOf, wordF1 } from './text-scores.ts';

/** What was read of a page. */
export type Read = {
  readonly sample: Sample;
  readonly text: string;
  readonly markdown: string;
  readonly metadata: PageMetadata;
};

/** The facts of a page of which nothing is said. */
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

/** Named figures from 0 to 1. */
export type Scores = Readonly<Record<string, number>>;

const WCXB_TYPES = ['article', 'documentation', 'service', 'forum', 'product', 'listing', 'collection'] as const;

/** The figures that speak of the text alone. */
export const TEXT_FIGURES: readonly string[] = ['f1', ...WCXB_TYPES];

/** The figures of one suite, of the pages given. */
export function scoreSuite(suite: string, reads: readonly Read[]): Scores {
  return reads.length === 0 ? {} : (SUITES[suite]?.(reads) ?? {});
}

const SUITES: Readonly<Record<string, (reads: readonly Read[]) => Scores>> = {
  'zyte-articles': (reads) => ({ f1: shingles(reads) }),
  wcxb: (reads) => ({ f1: meanOf(reads, pageF1), ...byType(reads, WCXB_TYPES), ...facts(reads, ['title', 'author']) }),
  'trafi-segments': (reads) => ({
    f1: segmentF1(reads.map(({ sample, text }) => segmentsOf(sample.gold.with, sample.gold.without, text))),
    ...facts(reads, ['author']),
  }),
  'magic-html': (reads) => byType(reads, ['article', 'forum'], characters),
  'readability-pages': (reads) => ({
    f1: shingles(reads),
    ...structure(reads),
    ...facts(reads, ['title', 'author']),
  }),
  'defuddle-fixtures': (reads) => ({ f1: meanOf(reads, pageF1), ...structure(reads) }),
  'webmainbench-sample': (reads) => ({ f1: meanOf(reads, characters) }),
  htmldate: (reads) => facts(reads, ['date']),
  'metascraper-meta': (reads) => facts(reads, ['title', 'author', 'date']),
  'postlight-meta': (reads) => facts(reads, ['title', 'author', 'date']),
};

/** The main text of a page as its labels give it. */
export function goldText({ text, html, markdown }: Gold): string {
  if (typeof text === 'string') return text;
  return typeof html === 'string' ? htmlText(html) : markdownText(markdown ?? '');
}

/** How much of one page was read right, by the measure of its suite. */
export function pageScore({ sample, text }: Read): number {
  const { suite, gold } = sample;
  if (suite === 'trafi-segments') return segmentF1([segmentsOf(gold.with, gold.without, text)]);
  if (suite === 'magic-html') return characterF1(goldText(gold), text);
  return wordF1(goldText(gold), text);
}

function pageF1({ sample, text }: Read): number {
  return wordF1(goldText(sample.gold), text);
}

function characters({ sample, text }: Read): number {
  return characterF1(goldText(sample.gold), text);
}

function shingles(reads: readonly Read[]): number {
  return shingleF1(reads.map(({ sample, text }) => shinglesOf(goldText(sample.gold), text)));
}

function meanOf(reads: readonly Read[], of: (read: Read) => number): number {
  return mean(reads.map(of));
}

function byType(reads: readonly Read[], types: readonly string[], of = pageF1): Scores {
  const figures = types.map((type) => {
    const pages = reads.filter(({ sample }) => sample.type === type);
    return [type, pages.length === 0 ? null : meanOf(pages, of)] as const;
  });
  return Object.fromEntries(figures.flatMap(([type, figure]) => (figure === null ? [] : [[type, figure]])));
}

function goldStructure({ gold, url }: Sample): Structure {
  return typeof gold.html === 'string' ? htmlStructure(gold.html, url) : markdownStructure(gold.markdown ?? '', url);
}

/** The mean F1 of each kind of structure over the pages that have any of it; frames, which Markdown links to, are no links to compare. */
function structure(reads: readonly Read[]): Scores {
  return meanStructure(
    reads.map(({ sample, markdown }) => {
      const found = markdownStructure(markdown, sample.url);
      const frames = framesOf(new TextDecoder().decode(sample.body()), sample.url);
      const links = found.links.filter((link) => !frames.has(link.slice(0, link.indexOf(' '))));
      return compareStructure(goldStructure(sample), { ...found, links }, sample.gold.title ?? null);
    }),
  );
}

type Fact = {
  readonly gold: (gold: Gold) => string | null | undefined;
  readonly found: (metadata: PageMetadata) => string | null;
  readonly same: Same;
};

const FACTS: Readonly<Record<'title' | 'author' | 'date', Fact>> = {
  title: { gold: (gold) => gold.title, found: ({ title }) => title, same: similar },
  author: { gold: (gold) => gold.author ?? gold.byline, found: ({ author }) => author, same: sameAuthors },
  date: {
    gold: (gold) => gold.date ?? gold.date_published ?? gold.publishedTime,
    // The day as the page writes it counts, not the one that the instant has in UTC.
    found: (metadata) => metadata.published_date ?? metadata.published_at,
    same: sameDay,
  },
};

function facts(reads: readonly Read[], names: readonly (keyof typeof FACTS)[]): Scores {
  return Object.fromEntries(
    names.map((name) => {
      const { gold, found, same } = FACTS[name];
      const labelled = reads.filter(({ sample }) => gold(sample.gold) !== undefined);
      const pairs = labelled.map(({ sample, metadata }) => ({
        gold: gold(sample.gold) ?? null,
        found: found(metadata),
      }));
      return [name, fieldF1(pairs, same)];
    }),
  );
}
