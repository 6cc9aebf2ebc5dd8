import type { CachedCopy } from '#engine/visits/page-cache.ts';
import { DEFAULT_READ_OPTIONS, type PageReading, type ReadRequest } from '#extract/reading.ts';
import { getMember } from '#extract/values/json.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { IndexedPage, PageText } from './put-pages.ts';
import { toCopySource } from './index-sources.ts';

/** A page of a job result: with its text, or with HTML from which the text must be extracted. */
export type ResultText = { readonly page: PageText; readonly html: string | null };

/** Each of these patterns takes linear time, because pages may be hostile. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE = /(?<![\\`])(`{1,3})(?!`)([^`]+)\1(?!`)/g;
const IMAGES = /!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const LINKS = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const SIGNS = /^\s{0,3}(?:#{1,6} |>+ ?|[-*+:] |\|[-:| ]+\|$)/;
const TAGS = /(?<!\\)<\/?[a-z][^<>]*>/gi;
const BARS = /(?:^|(?<=\s))\|(?=\s|$)/g;
/** Emphasis marks at the edge of a word; those inside a word are part of it. */
const STRESS = /(?<![\p{L}\p{N}\\])[*_]{1,3}(?=\S)|(?<=[^\s\\])[*_]{1,3}(?![\p{L}\p{N}])/gu;
const ESCAPES = /\\([!-/:-@[-`{-~])/g;
/** Placeholder for inline code while the rest is stripped; no text contains it. */
const CODE_SLOTS = /\0(\d+)\0/g;

/** The text of a page in the result of a fetch or crawl; null if the page is empty or failed. */
export function readResultText(element: unknown): ResultText | null {
  const url = getString(element, 'final_url') ?? getString(element, 'url');
  const status = getMember(element, 'status_code');
  if (url === null || typeof status !== 'number' || status >= 400 || getMember(element, 'soft_404') === true)
    return null;
  const metadata = getMember(element, 'metadata');
  const markdown = getString(element, 'markdown');
  const text = getString(element, 'text') ?? (markdown === null ? null : stripMarkdown(markdown));
  const html = text === null ? (getString(element, 'html') ?? getString(element, 'raw_html')) : null;
  const page = {
    url,
    title: getString(metadata, 'title') ?? '',
    description: getString(metadata, 'description') ?? '',
    body: text ?? '',
    language: getString(metadata, 'language'),
    publishedAt: getString(metadata, 'published_at') ?? getString(metadata, 'published_date'),
  };
  return page.title === '' && page.body === '' && html === null ? null : { page, html };
}

/** The request that reads the main text of a page. */
export function buildTextRequest(page: Pick<ReadRequest, 'body' | 'contentType' | 'url'>): ReadRequest {
  return { ...page, ...DEFAULT_READ_OPTIONS, outputs: ['text'], onlyMainContent: true };
}

/** Removes Markdown syntax and link targets, so that only words are indexed. Code is kept unchanged. */
export function stripMarkdown(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.replaceAll('\0', '').split('\n')) {
    const [, sign] = FENCE.exec(line) ?? [];
    if (fence === null && sign !== undefined) fence = sign;
    else if (fence !== null && sign?.startsWith(fence) === true) fence = null;
    else lines.push(fence === null ? stripLine(line) : line);
  }
  return lines.join('\n');
}

function stripLine(line: string): string {
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
    .replaceAll(CODE_SLOTS, (_whole, at: string) => code[Number(at)] ?? '');
}

function getString(value: unknown, name: string): string | null {
  const found = getMember(value, name);
  return typeof found === 'string' && found !== '' ? found : null;
}

export type TextReaderParts = {
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<PageReading>;
  /** Called with the error of a page that is skipped. */
  readonly report: (error: unknown) => void;
};

const HTML_TYPE = 'text/html; charset=utf-8';
/** Content types of API responses and scripts, which are not meant for readers. */
const DATA_TYPE = /[/+](?:json|(?:java|ecma)script)\b/i;

/** Reads the texts of job results and cached copies; pages that cannot be read are skipped. */
export class TextReader {
  readonly #parts: TextReaderParts;
  readonly #signal: AbortSignal;

  constructor(parts: TextReaderParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  async readCopies(copies: readonly CachedCopy[]): Promise<readonly IndexedPage[]> {
    const texts: IndexedPage[] = [];
    for (const { file, open } of copies) {
      const text = await this.#skipOnError(async () => {
        const page = await open();
        return page === null || DATA_TYPE.test(page.contentType) ? null : this.#readText(buildTextRequest(page));
      });
      if (text !== null) texts.push({ ...text, source: toCopySource(file) });
    }
    return texts;
  }

  async readResults(source: string, elements: readonly unknown[]): Promise<readonly IndexedPage[]> {
    const texts: IndexedPage[] = [];
    for (const element of elements) {
      const text = await this.#skipOnError(async () => this.#readElement(element));
      if (text !== null) texts.push({ ...text, source });
    }
    return texts;
  }

  async #readElement(element: unknown): Promise<PageText | null> {
    const found = readResultText(element);
    if (found === null || found.html === null) return found?.page ?? null;
    const { page, html } = found;
    const body = new TextEncoder().encode(html);
    const read = await this.#readText(buildTextRequest({ body, contentType: HTML_TYPE, url: page.url }));
    return read === null ? page : { ...page, body: read.body };
  }

  async #readText(request: ReadRequest): Promise<PageText | null> {
    const { url } = request;
    const { outputs, metadata } = await this.#parts.read(request, this.#signal);
    const { title, description, language, published_at: at, published_date: day } = metadata;
    const body = outputs.text ?? '';
    if (title === null && body === '') return null;
    return { url, title: title ?? '', description: description ?? '', body, language, publishedAt: at ?? day };
  }

  /** Returns null on errors. Expected ones (`ServiceError`) are not reported. */
  async #skipOnError(read: () => Promise<PageText | null>): Promise<PageText | null> {
    try {
      return await read();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof ServiceError)) this.#parts.report(error);
      return null;
    }
  }
}
