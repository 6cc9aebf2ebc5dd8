import { readOffice } from '#extract/documents/office.ts';
import { readPdf } from '#extract/documents/pdf.ts';
import { detectSignature } from '#extract/html/signature.ts';
import type { PageSource } from './page-source.ts';

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
