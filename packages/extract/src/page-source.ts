import { ReadError } from '#extract/read-error.ts';
import type { ReadWarning } from '#extract/warnings.ts';
import { csvToHtml } from '#extract/converters/csv-page.ts';
import { feedToHtml } from '#extract/converters/feed.ts';
import type { ConvertedPage } from '#extract/converters/set-page.ts';
import { codeToHtml, formatJson, textToHtml } from '#extract/converters/text-page.ts';
import { decodeBody, hasNul } from '#extract/html/decode.ts';
import { type SniffedContent, sniffKind } from '#extract/html/sniff.ts';
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
