import type { Copy } from '#engine/visits/page-cache.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { textOfResult, toTextRequest } from './page-text.ts';
import type { IndexText, SourcedText } from './put-pages.ts';
import { sourceOfCopy } from './sources.ts';

export type TextReaderParts = {
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<PageReading>;
  /** Told of a page that cannot be read and is passed over. */
  readonly report: (error: unknown) => void;
};

const HTML = 'text/html; charset=utf-8';
/** The answers of interfaces, which endpoints of sites and pages of scripts ask for, are nothing that people read. */
const DATA = /[/+](?:json|(?:java|ecma)script)\b/i;

/** Reads the texts of results and copies; what cannot be read is passed over. */
export class TextReader {
  readonly #parts: TextReaderParts;
  readonly #signal: AbortSignal;

  constructor(parts: TextReaderParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  async textsOfCopies(copies: readonly Copy[]): Promise<readonly SourcedText[]> {
    const texts: SourcedText[] = [];
    for (const { file, open } of copies) {
      const text = await this.#unlessBroken(async () => {
        const page = await open();
        return page === null || DATA.test(page.contentType) ? null : this.#textOf(toTextRequest(page));
      });
      if (text !== null) texts.push({ ...text, source: sourceOfCopy(file) });
    }
    return texts;
  }

  async textsOfResults(source: string, elements: readonly unknown[]): Promise<readonly SourcedText[]> {
    const texts: SourcedText[] = [];
    for (const element of elements) {
      const text = await this.#unlessBroken(async () => this.#textOfElement(element));
      if (text !== null) texts.push({ ...text, source });
    }
    return texts;
  }

  async #textOfElement(element: unknown): Promise<IndexText | null> {
    const found = textOfResult(element);
    if (found === null || found.html === null) return found?.page ?? null;
    const { page, html } = found;
    const body = new TextEncoder().encode(html);
    const read = await this.#textOf(toTextRequest({ body, contentType: HTML, url: page.url }));
    return read === null ? page : { ...page, body: read.body };
  }

  async #textOf(request: ReadRequest): Promise<IndexText | null> {
    const { url } = request;
    const { outputs, metadata } = await this.#parts.read(request, this.#signal);
    const { title, description, language, published_at: at, published_date: day } = metadata;
    const body = outputs.text ?? '';
    if (title === null && body === '') return null;
    return { url, title: title ?? '', description: description ?? '', body, language, publishedAt: at ?? day };
  }

  /** A page that is no page for a reader is nothing to tell of; what else fails is. */
  async #unlessBroken(read: () => Promise<IndexText | null>): Promise<IndexText | null> {
    try {
      return await read();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof ServiceError)) this.#parts.report(error);
      return null;
    }
  }
}
