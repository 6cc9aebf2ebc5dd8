import MarkdownIt from 'markdown-it';
import { markdownText } from '#bench/extraction/structure-scores.ts';
import { mean, wordScore } from '#bench/extraction/text-scores.ts';
import type { DocsPage } from './pages.ts';
import { bareText, type Part, type Reference } from './reference.ts';

/** What one page keeps of its reference. */
export type PageScore = {
  readonly path: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** The share of each kind of element that is kept; null for a page without any. */
  readonly kept: Readonly<Record<Part, number | null>>;
  readonly strayTags: number;
  readonly published: string | null;
  readonly modified: string | null;
};

/** A page that keeps less of its words than this loses what a reader misses. */
const MIN_RECALL = 0.9;

export function scorePage({ path, markdown, metadata }: DocsPage, { text, parts }: Reference): PageScore {
  const shown = markdownText(markdown);
  const bare = bareText(shown);
  const keptOf = (part: Part): number | null => {
    const all = parts[part];
    return all.length === 0 ? null : all.filter((start) => bare.includes(start)).length / all.length;
  };
  return {
    path,
    ...wordScore(text, shown),
    kept: { terms: keptOf('terms'), code: keptOf('code'), headings: keptOf('headings'), cells: keptOf('cells') },
    strayTags: strayTags(markdown),
    published: metadata.published_date,
    modified: metadata.modified_at,
  };
}

const reader = new MarkdownIt({ html: true });
const STRAY = /<\/?(?:code|div|span|p|font)\b/;

/** Tags in Markdown for which Markdown has signs of its own; those in code are text. */
function strayTags(markdown: string): number {
  const tokens = reader.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.filter(({ type, content }) => type.startsWith('html_') && STRAY.test(content)).length;
}

/** The figures of a set, as a row of the table has them. */
export type SetScore = {
  readonly pages: number;
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  /** Shares of pages: that lose over a tenth of their words, and that are said to be published some day. */
  readonly lossy: number;
  readonly dated: number;
  readonly kept: Readonly<Record<Part, number | null>>;
  /** Pages with tags for which Markdown has signs of its own. */
  readonly stray: number;
};

export function scoreSet(pages: readonly PageScore[]): SetScore {
  const meanOf = (of: (page: PageScore) => number): number => mean(pages.map(of));
  const keptOf = (part: Part): number | null => {
    const shares = pages.map(({ kept }) => kept[part]).filter((share) => share !== null);
    return shares.length === 0 ? null : mean(shares);
  };
  return {
    pages: pages.length,
    f1: meanOf(({ f1 }) => f1),
    precision: meanOf(({ precision }) => precision),
    recall: meanOf(({ recall }) => recall),
    lossy: meanOf(({ recall }) => Number(recall < MIN_RECALL)),
    dated: meanOf(({ published }) => Number(published !== null)),
    kept: { terms: keptOf('terms'), code: keptOf('code'), headings: keptOf('headings'), cells: keptOf('cells') },
    stray: pages.filter(({ strayTags: tags }) => tags > 0).length,
  };
}
