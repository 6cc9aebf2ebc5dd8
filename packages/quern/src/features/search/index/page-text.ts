import { NO_OUTPUTS, type ReadRequest } from '#extract/reading.ts';
import { memberOf } from '#extract/values/json.ts';
import type { IndexText } from './put-pages.ts';

/** The page of a result as it is indexed: its text, or the HTML that its text is still to be read from. */
export type ResultText = { readonly page: IndexText; readonly html: string | null };

/** Each reads a line in time that grows with its length, since pages are hostile. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE = /(?<![\\`])(`{1,3})(?!`)([^`]+)\1(?!`)/g;
const IMAGES = /!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const LINKS = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const SIGNS = /^\s{0,3}(?:#{1,6} |>+ ?|[-*+:] |\|[-:| ]+\|$)/;
const TAGS = /(?<!\\)<\/?[a-z][^<>]*>/gi;
const BARS = /(?:^|(?<=\s))\|(?=\s|$)/g;
/** Signs of stress stand at the end of a word; those within one are part of it. */
const STRESS = /(?<![\p{L}\p{N}\\])[*_]{1,3}(?=\S)|(?<=[^\s\\])[*_]{1,3}(?![\p{L}\p{N}])/gu;
const ESCAPES = /\\([!-/:-@[-`{-~])/g;
/** Stands for code while the rest is read; no text holds it. */
const KEPT = /\0(\d+)\0/g;

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
  return { ...page, ...NO_OUTPUTS, outputs: ['text'], onlyMainContent: true };
}

/** Markdown without its signs and the targets of its links, so that only words are searched; code stays as it is. */
export function plainOf(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.replaceAll('\0', '').split('\n')) {
    const [, sign] = FENCE.exec(line) ?? [];
    if (fence === null && sign !== undefined) fence = sign;
    else if (fence !== null && sign?.startsWith(fence) === true) fence = null;
    else lines.push(fence === null ? plainLine(line) : line);
  }
  return lines.join('\n');
}

function plainLine(line: string): string {
  const code: string[] = [];
  return line
    .replaceAll(CODE, (_whole, _sign: string, text: string) => `\0${code.push(text) - 1}\0`)
    .replaceAll(IMAGES, '$1')
    .replaceAll(LINKS, '$1')
    .replace(SIGNS, '')
    .replaceAll(TAGS, ' ')
    .replaceAll(BARS, ' ')
    .replaceAll(STRESS, '')
    .replaceAll(ESCAPES, '$1')
    .replaceAll(KEPT, (_whole, at: string) => code[Number(at)] ?? '');
}

function stringOf(value: unknown, name: string): string | null {
  const found = memberOf(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}
