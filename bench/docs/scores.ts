import MarkdownIt from 'markdown-it';
import { toMarkdownText } from '#bench/extraction/structure-scores.ts';
import { computeMean, computeWordScore } from '#bench/extraction/text-scores.ts';
import type { DocsPage } from './pages.ts';
import { removeSpaces, type Part, type Reference } from './reference.ts';

/** The scores of one page. */
export type PageScore = {
  readonly path: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Share of the elements of each kind that are present; null if the page has none. */
  readonly kept: Readonly<Record<Part, number | null>>;
  readonly strayTags: number;
  readonly published: string | null;
  readonly modified: string | null;
};

/** Pages with a lower recall are counted as lossy. */
const MIN_RECALL = 0.9;

export function scorePage({ path, markdown, metadata }: DocsPage, { text, parts }: Reference): PageScore {
  const shown = toMarkdownText(markdown);
  const bare = removeSpaces(shown);
  const computeKept = (part: Part): number | null => {
    const all = parts[part];
    return all.length === 0 ? null : all.filter((start) => bare.includes(start)).length / all.length;
  };
  return {
    path,
    ...computeWordScore(text, shown),
    kept: {
      terms: computeKept('terms'),
      code: computeKept('code'),
      headings: computeKept('headings'),
      cells: computeKept('cells'),
    },
    strayTags: countStrayTags(markdown),
    published: metadata.published_date,
    modified: metadata.modified_at,
  };
}

const reader = new MarkdownIt({ html: true });
const STRAY_TAG = /<\/?(?:code|div|span|p|font)\b/;

/** Counts HTML tags in Markdown that have a Markdown equivalent, except in code. */
function countStrayTags(markdown: string): number {
  const tokens = reader.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.filter(({ type, content }) => type.startsWith('html_') && STRAY_TAG.test(content)).length;
}

/** The scores of a set. */
export type SetScore = {
  readonly pages: number;
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  /** Shares of pages that lose over a tenth of their words, and that get a publication date although they have none. */
  readonly lossy: number;
  readonly dated: number;
  readonly kept: Readonly<Record<Part, number | null>>;
  /** Number of pages with HTML tags that have a Markdown equivalent. */
  readonly stray: number;
};

export function scoreSet(pages: readonly PageScore[]): SetScore {
  const averagePages = (of: (page: PageScore) => number): number => computeMean(pages.map(of));
  const computeKept = (part: Part): number | null => {
    const shares = pages.map(({ kept }) => kept[part]).filter((share) => share !== null);
    return shares.length === 0 ? null : computeMean(shares);
  };
  return {
    pages: pages.length,
    f1: averagePages(({ f1 }) => f1),
    precision: averagePages(({ precision }) => precision),
    recall: averagePages(({ recall }) => recall),
    lossy: averagePages(({ recall }) => Number(recall < MIN_RECALL)),
    dated: averagePages(({ published }) => Number(published !== null)),
    kept: {
      terms: computeKept('terms'),
      code: computeKept('code'),
      headings: computeKept('headings'),
      cells: computeKept('cells'),
    },
    stray: pages.filter(({ strayTags: tags }) => tags > 0).length,
  };
}

/** What each set must reach; figures of a set that differ are in {@link OTHERWISE}. */
type Floors = {
  readonly recall: number;
  readonly precision: number;
  readonly kept: number;
  /** Maximum shares of pages that lose over a tenth of their words, or wrongly get a date. */
  readonly lossy: number;
  readonly dated: number;
  /** Maximum number of pages with stray HTML tags. */
  readonly stray: number;
};

const FLOORS: Floors = { recall: 0.99, precision: 0.97, kept: 0.99, lossy: 0.005, dated: 0.005, stray: 0 };

/** Different floors for some sets. */
const FLOORS_BY_SET: Readonly<Record<string, Partial<Floors>>> = {
  haddock: { recall: 0.96, precision: 0.94, kept: 0.965, lossy: 0.06 },
  erlang: { lossy: 0.015 },
  qt: { lossy: 0.01 },
  postgresql: { kept: 0.98 },
  libreoffice: { kept: 0.975, lossy: 0.01 },
  freepascal: { precision: 0.955, kept: 0.945 },
  aptitude: { lossy: 0.016 },
};

/** Tolerance. */
const ROUNDING = 0.0005;

/** One line per score of a set that is worse than its floor. */
export function listFaults(name: string, score: SetScore): readonly string[] {
  const floors = { ...FLOORS, ...FLOORS_BY_SET[name] };
  const least = [
    ['recall', score.recall, floors.recall],
    ['precision', score.precision, floors.precision],
    ...Object.entries(score.kept).map(([part, share]) => [part, share ?? 1, floors.kept] as const),
  ] as const;
  const most = [
    ['lose over a tenth', score.lossy, floors.lossy],
    ['dated', score.dated, floors.dated],
    ['stray HTML', score.stray, floors.stray],
  ] as const;
  return [
    ...least.flatMap(([of, figure, floor]) =>
      figure >= floor - ROUNDING ? [] : [formatFault(name, of, { figure, floor })],
    ),
    ...most.flatMap(([of, figure, floor]) =>
      figure <= floor + ROUNDING ? [] : [formatFault(name, of, { figure, floor })],
    ),
  ];
}

function formatFault(
  name: string,
  of: string,
  { figure, floor }: { readonly figure: number; readonly floor: number },
): string {
  return `${name}: ${of} is ${figure.toFixed(3)}, worse than ${floor}`;
}
