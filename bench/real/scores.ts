import { readMarkdownStructure, toMarkdownText, type Structure } from '../extraction/structure-scores.ts';
import { countOverlap, type WordScore, computeWordScore } from '../extraction/text-scores.ts';
import type { Page } from './comparison.ts';
import { toMarkdownDocument, MARKDOWN, type Source } from './sources.ts';

/** A code block; the language is empty if not specified. */
type Fence = { readonly language: string; readonly code: string };

/** The expected content of a page. */
export type PageTruth = {
  readonly title: string;
  readonly text: string;
  readonly structure: Structure;
  readonly fences: readonly Fence[];
};

/** Kinds of structure; the score of each is the share of the expected items that are present. */
export const KINDS = ['headings', 'items', 'rows', 'links'] as const;

/** The scores of one page. */
export type PageScore = WordScore & {
  readonly hasTitle: boolean;
  readonly published: string | null;
  readonly kept: Readonly<Record<(typeof KINDS)[number], KeptCount>>;
  readonly fences: KeptCount;
  readonly lostFences: readonly Fence[];
};

export type KeptCount = { readonly found: number; readonly all: number };

export function buildMarkdownTruth(source: Source, url: string): PageTruth {
  const markdown = toMarkdownDocument(source);
  return {
    title: source.title,
    text: toMarkdownText(markdown),
    structure: readMarkdownStructure(markdown, url),
    fences: listFences(markdown),
  };
}

export function scorePage(page: Page, truth: PageTruth): PageScore {
  const shown = readMarkdownStructure(page.markdown, page.final_url);
  const left = [...listFences(page.markdown)];
  const lostFences = truth.fences.filter((fence) => {
    const at = left.findIndex(({ code, language }) => code === fence.code && isSameLanguage(fence.language, language));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const countKept = (kind: (typeof KINDS)[number]): KeptCount => {
    const wanted = truth.structure[kind].filter((one) => kind !== 'links' || isExternalLink(one, page.final_url));
    return { found: countOverlap(wanted, shown[kind]), all: wanted.length };
  };
  return {
    ...computeWordScore(truth.text, toMarkdownText(page.markdown)),
    hasTitle: page.metadata.title === truth.title,
    published: page.metadata.published_date,
    kept: {
      headings: countKept('headings'),
      items: countKept('items'),
      rows: countKept('rows'),
      links: countKept('links'),
    },
    fences: { found: truth.fences.length - lostFences.length, all: truth.fences.length },
    lostFences,
  };
}

/** The blocks of code of a Markdown text. */
export function listFences(markdown: string): readonly Fence[] {
  return MARKDOWN.parse(markdown, {})
    .filter(({ type }) => type === 'fence' || type === 'code_block')
    .map(({ info, content }) => ({
      language: /^[^\s{,:]*/.exec(info.trim())?.[0].toLowerCase() ?? '',
      code: normalizeCode(content),
    }))
    .filter(({ code }) => code !== '');
}

/** Normalizes white space in code, because some generators replace tabs. */
function normalizeCode(code: string): string {
  return code
    .replaceAll('\u00a0', ' ')
    .replaceAll('\t', '  ')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** Language names that mean "no language". */
const NO_LANGUAGE = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'none']);

function isSameLanguage(stated: string, found: string): boolean {
  return stated === found || (NO_LANGUAGE.has(stated) && NO_LANGUAGE.has(found));
}

/** Whether a link is external; generators rewrite internal links. */
function isExternalLink(link: string, url: string): boolean {
  return /^https?:/.test(link) && !link.startsWith(new URL(url).origin);
}
