import type { ReadRequest } from '#extract/reading.ts';
import { memberOf } from '#extract/values/json.ts';
import type { IndexText } from './put-pages.ts';

/** The page of a result as it is indexed: its text, or the HTML that its text is still to be read from. */
export type ResultText = { readonly page: IndexText; readonly html: string | null };

const IMAGES = /!\[([^\]]*)\]\([^)]*\)/g;
const LINKS = /\[([^\]]*)\]\([^)]*\)/g;
const SIGNS = /^\s{0,3}(?:#{1,6} |>+ ?|[-*+:] |\|[-:| ]+\|$|```.*$)/gm;
const ESCAPES = /\\([!-/:-@[-`{-~])/g;
const BARS = /(?:^|\s)\|(?:\s|$)|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gm;

/** The text of a page in the result of a fetch or a crawl, null for one that says nothing or failed. */
export function textOfResult(element: unknown): ResultText | null {
  const url = stringOf(element, 'final_url') ?? stringOf(element, 'url');
  const status = memberOf(element, 'status_code');
  if (url === null || typeof status !== 'number' || status >= 400 || memberOf(element, 'soft_404') === true)
    return null;
  const metadata = memberOf(element, 'metadata');
  const markdown = stringOf(element, 'markdown');
  const text = stringOf(element, 'text') ?? (markdown === null ? null : plainOf(markdown));
  const html = text === null ? (stringOf(element, 'html') ?? stringOf(element, 'raw_html')) : null;
  const page = {
    url,
    title: stringOf(metadata, 'title') ?? '',
    description: stringOf(metadata, 'description') ?? '',
    body: text ?? '',
    language: stringOf(metadata, 'language'),
    publishedAt: stringOf(metadata, 'published_at') ?? stringOf(metadata, 'published_date'),
  };
  return page.title === '' && page.body === '' && html === null ? null : { page, html };
}

/** What is asked of a page for its text. */
export function toTextRequest(page: Pick<ReadRequest, 'body' | 'contentType' | 'url'>): ReadRequest {
  return {
    ...page,
    outputs: ['text'],
    onlyMainContent: true,
    includeSelectors: [],
    excludeSelectors: [],
    extract: null,
    maxChars: null,
    offsetChars: 0,
    passageChars: null,
  };
}

/** Markdown without its signs and the targets of its links, so that only words are searched. */
export function plainOf(markdown: string): string {
  return markdown
    .replaceAll(IMAGES, '$1')
    .replaceAll(LINKS, '$1')
    .replaceAll(SIGNS, '')
    .replaceAll(BARS, ' ')
    .replaceAll(ESCAPES, '$1');
}

function stringOf(value: unknown, name: string): string | null {
  const found = memberOf(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}
