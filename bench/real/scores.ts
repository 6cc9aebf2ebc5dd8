import { markdownStructure, markdownText, type Structure } from '../extraction/structure-scores.ts';
import { overlap, type WordScore, wordScore } from '../extraction/text-scores.ts';
import type { Page } from './crawling.ts';
import { documentOf, MARKDOWN, type Source } from './sources.ts';

/** A block of code; an empty language is one that nobody stated. */
type Fence = { readonly language: string; readonly code: string };

/** What a page says in truth. */
export type Truth = {
  readonly title: string;
  readonly text: string;
  readonly structure: Structure;
  readonly fences: readonly Fence[];
};

/** Kinds of structure that are counted, each by the share of the truth that is there. */
export const KINDS = ['headings', 'items', 'rows', 'links'] as const;

/** How one page was read. */
export type PageScore = WordScore & {
  readonly hasTitle: boolean;
  readonly published: string | null;
  readonly kept: Readonly<Record<(typeof KINDS)[number], Kept>>;
  readonly fences: Kept;
  readonly lostFences: readonly Fence[];
};

export type Kept = { readonly found: number; readonly all: number };

export function markdownTruth(source: Source, url: string): Truth {
  const markdown = documentOf(source);
  return {
    title: source.title,
    text: markdownText(markdown),
    structure: markdownStructure(markdown, url),
    fences: fencesOf(markdown),
  };
}

export function scorePage(page: Page, truth: Truth): PageScore {
  const shown = markdownStructure(page.markdown, page.final_url);
  const left = [...fencesOf(page.markdown)];
  const lostFences = truth.fences.filter((fence) => {
    const at = left.findIndex(({ code, language }) => code === fence.code && isSame(fence.language, language));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const keptOf = (kind: (typeof KINDS)[number]): Kept => {
    const wanted = truth.structure[kind].filter((one) => kind !== 'links' || isForeign(one, page.final_url));
    return { found: overlap(wanted, shown[kind]), all: wanted.length };
  };
  return {
    ...wordScore(truth.text, markdownText(page.markdown)),
    hasTitle: page.metadata.title === truth.title,
    published: page.metadata.published_date,
    kept: { headings: keptOf('headings'), items: keptOf('items'), rows: keptOf('rows'), links: keptOf('links') },
    fences: { found: truth.fences.length - lostFences.length, all: truth.fences.length },
    lostFences,
  };
}

/** The blocks of code of a Markdown text. */
export function fencesOf(markdown: string): readonly Fence[] {
  return MARKDOWN.parse(markdown, {})
    .filter(({ type }) => type === 'fence' || type === 'code_block')
    .map(({ info, content }) => ({
      language: /^[^\s{,:]*/.exec(info.trim())?.[0].toLowerCase() ?? '',
      code: plainCode(content),
    }))
    .filter(({ code }) => code !== '');
}

/** Code as it looks: some generators write tabs as spaces. */
function plainCode(code: string): string {
  return code
    .replaceAll('\u00a0', ' ')
    .replaceAll('\t', '  ')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** Names that say that code is of no language: generators write one of them where none is stated. */
const NONE = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'none']);

function isSame(stated: string, found: string): boolean {
  return stated === found || (NONE.has(stated) && NONE.has(found));
}

/** Whether a link leads elsewhere: those inside of a site are written anew by its generator. */
function isForeign(link: string, url: string): boolean {
  return /^https?:/.test(link) && !link.startsWith(new URL(url).origin);
}
