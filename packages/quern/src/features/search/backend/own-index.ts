import { collapseSpace } from '#extract/values/space.ts';
import type { IndexedPage } from '#features/search/index/put-pages.ts';
import type { SearchIndex } from '#features/search/index/search-index.ts';
import type { IndexSources } from '#features/search/index/index-sources.ts';
import { OWN_INDEX } from '#features/search/settings.ts';
import {
  foldText,
  insertWordBreaks,
  parseWordQuery,
  removeWordBreaks,
  WORD_PATTERN,
} from '#features/passages/words.ts';
import type { SearchBackend } from './backend.ts';

export type OwnIndexParts = {
  readonly index: SearchIndex;
  readonly sources: Pick<IndexSources, 'listExisting'>;
};

const PAGE_SIZE = 10;
/** One result page, plus one result to know whether there is a next page. */
const READ_AT_ONCE = PAGE_SIZE + 1;
const MAX_PAGES = 20;

/** The backend that searches the pages that this instance fetched for the same tenant. */
export function buildOwnIndexBackend({ index, sources }: OwnIndexParts): SearchBackend {
  return {
    name: OWN_INDEX,
    kinds: ['organic'],
    maxPages: MAX_PAGES,
    async search({ search, language, page }, { tenant, signal }) {
      const wanted = page * PAGE_SIZE;
      const { ids, isWhole } = await index.find({ tenant, query: search, language }, signal);
      const found: IndexedPage[] = [];
      // Skip pages whose job or copy has been deleted, so that later ones take their place.
      for (let at = 0; at < ids.length && found.length <= wanted; at += READ_AT_ONCE) {
        const shown = await index.show(tenant, ids.slice(at, at + READ_AT_ONCE), signal);
        const existing = await sources.listExisting(shown.map(({ source }) => source));
        found.push(...shown.filter(({ source }) => existing.has(source)));
      }
      const words = parseWordQuery(search).required.flat();
      return {
        organic: found.slice(wanted - PAGE_SIZE, wanted).map((hit) => ({
          title: hit.title === '' ? hit.url : hit.title,
          url: hit.url,
          description: buildSnippet({ ...hit, body: removeTitle(hit) }, words),
          publishedAt: hit.publishedAt,
          language: hit.language,
          imageUrl: null,
          text: hit.body,
        })),
        news: [],
        dropped: 0,
        hasMore: found.length > wanted,
        total: isWhole ? ids.length : null,
      };
    },
  };
}

/** The text of a page without a first line that repeats the title. */
function removeTitle({ title, body }: IndexedPage): string {
  return title !== '' && body.startsWith(title) ? body.slice(title.length).trimStart() : body;
}

const MAX_SNIPPET_CHARS = 240;
/** Characters of the page that are searched for a passage. */
const MAX_SCANNED_CHARS = 50_000;
/** A character that belongs to a word. */
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}\p{Co}]/u;
/** A paragraph break without punctuation before it. */
const PARAGRAPH_BREAKS = /(?<=[\p{L}\p{N}\p{M})\]"'])[ \t]*\n\s*\n\s*/gu;

/** The passage with the most different query words; the description if no passage has any. */
export function buildSnippet(
  { body, description }: { readonly body: string; readonly description: string },
  words: readonly string[],
): string {
  const text = insertWordBreaks(body.slice(0, MAX_SCANNED_CHARS));
  const found = findWords(text, words);
  let best = { from: 0, distinct: 0 };
  let first = 0;
  for (const [last, { at }] of found.entries()) {
    while (at - (found[first]?.at ?? at) > MAX_SNIPPET_CHARS - 40) first += 1;
    const distinct = new Set(found.slice(first, last + 1).map(({ word }) => word)).size;
    if (distinct > best.distinct) best = { from: found[first]?.at ?? 0, distinct };
  }
  if (best.distinct === 0)
    return description === '' ? cutPassage(text, 0) : collapseSpace(description).slice(0, MAX_SNIPPET_CHARS);
  return cutPassage(text, best.from);
}

type WordPosition = { readonly word: string; readonly at: number };

/** Finds the query words in a text: verbatim, or else (ten times slower) in any form with other case or accents. */
function findWords(text: string, words: readonly string[]): readonly WordPosition[] {
  if (words.length === 0) return [];
  const written = new RegExp(`(?:${words.join('|')})(?![\\p{L}\\p{M}\\p{N}\\p{Co}])`, 'giu');
  const found: WordPosition[] = [];
  for (const { 0: word, index: at } of text.matchAll(written)) {
    if (!WORD_CHARACTER.test(text.slice(Math.max(0, at - 1), at))) found.push({ word: word.toLowerCase(), at });
  }
  if (found.length > 0) return found;
  const wanted = new Set(words);
  for (const match of text.matchAll(WORD_PATTERN)) {
    const word = foldText(match[0]);
    if (wanted.has(word)) found.push({ word, at: match.index });
  }
  return found;
}

/** A passage around an offset that starts at a sentence or word. */
function cutPassage(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 80), at);
  const sentence = Math.max(
    before.lastIndexOf('. '),
    before.lastIndexOf('\n'),
    before.lastIndexOf('? '),
    before.lastIndexOf('! '),
  );
  const start = at - before.length + (sentence >= 0 ? sentence + 1 : before.indexOf(' ') + 1);
  const from = at < 80 && sentence < 0 ? 0 : start;
  const piece = text.slice(from, from + MAX_SNIPPET_CHARS);
  const end = from + MAX_SNIPPET_CHARS >= text.length ? piece.length : piece.lastIndexOf(' ');
  const whole = removeWordBreaks(piece.slice(0, end > 0 ? end : piece.length)).trim();
  // Separate headings and code lines from the sentence that follows.
  const shown = collapseSpace(whole.replaceAll(PARAGRAPH_BREAKS, ' · '));
  return `${from > 0 && sentence < 0 ? '…' : ''}${shown}${from + MAX_SNIPPET_CHARS < text.length ? '…' : ''}`;
}
