import { csvToHtml } from './converters/csv-page.ts';
import { feedToHtml } from './converters/feed.ts';
import { type ConvertedPage, codeToHtml, formatJson, textToHtml } from './converters/text-page.ts';
import { readOffice } from './documents/office.ts';
import { readPdf } from './documents/pdf.ts';
import { decodeBody, hasNul } from './html/decode.ts';
import { detectSignature, type SniffedContent, sniffKind } from './html/sniff.ts';
import { ReadError, type ReadWarning } from './warnings.ts';
import type { ReadRequest } from './reading.ts';

/** A body converted to an HTML page, so that all kinds of content are read the same way. */
export type PageSource = {
  readonly sniffed: SniffedContent;
  readonly html: string;
  /** Whether `html` contains NUL. Omitted if unknown. */
  readonly hasNul?: boolean;
  /** The body as text. Empty for a document. */
  readonly text: string;
  readonly charset: string | null;
  readonly pageCount: number | null;
  readonly warnings: readonly ReadWarning[];
};

/**
 * Decodes a body and converts it to HTML. Throws `ReadError` with `unsupported_content` for a document and for binary
 * content.
 */
export function toPageSource({ body, contentType }: ReadRequest): PageSource {
  const sniffed = sniffKind(body, contentType);
  if (sniffed.kind === 'binary' || sniffed.kind === 'document') {
    throw new ReadError('unsupported_content', `unsupported content type: ${sniffed.mediaType}`);
  }
  const { text, charset, warnings } = decodeBody(body, contentType, sniffed.kind);
  const { html, cut } = toHtml(text, sniffed);
  const cuts: readonly ReadWarning[] = cut === null ? [] : [{ code: 'truncated', message: cut }];
  const source = { sniffed, html, text, charset, pageCount: null, warnings: [...warnings, ...cuts] };
  return html === text ? { ...source, hasNul: hasNul(body, text) } : source;
}

function toHtml(source: string, { kind, mediaType }: SniffedContent): ConvertedPage {
  if (kind === 'html') return toWholePage(source);
  if (kind === 'feed') return feedToHtml(source) ?? toWholePage(codeToHtml(source, 'xml'));
  if (kind === 'xml') return toWholePage(codeToHtml(source, 'xml'));
  if (kind === 'json') return toWholePage(codeToHtml(formatJson(source), 'json'));
  if (kind === 'csv') return csvToHtml(source, mediaType);
  return toWholePage(
    mediaType === 'text/plain' || mediaType === 'text/markdown'
      ? textToHtml(source)
      : codeToHtml(source, getCodeLanguage(mediaType)),
  );
}

function toWholePage(html: string): ConvertedPage {
  return { html, cut: null };
}

/** The language of code by its media type: `text/css` is css. */
function getCodeLanguage(mediaType: string): string {
  return (mediaType.split('/')[1] ?? '').replace(/^(?:x-|vnd\.)/, '');
}

/**
 * Converts a PDF or an Office file to the source that pages are read from. Only for bytes that `isDocument` accepts.
 * `mayGoOn` is called between pages: when it returns false, the remaining pages are left out with the warning
 * `truncated`. Throws `ReadError`: `unsupported_content` for a damaged, encrypted or other file, `content_too_large`
 * for one that unpacks to too much.
 */
export async function readDocument(body: Uint8Array<ArrayBuffer>, mayGoOn: () => boolean): Promise<PageSource> {
  const page = detectSignature(body) === 'pdf' ? await readPdf(body, mayGoOn) : await readOffice(body);
  const { html, mediaType, pageCount, warnings } = page;
  return { sniffed: { kind: 'document', mediaType }, html, text: '', charset: null, pageCount, warnings };
}
