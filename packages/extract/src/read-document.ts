import { readOffice } from '#extract/documents/office.ts';
import { readPdf } from '#extract/documents/pdf.ts';
import { detectSignature } from '#extract/html/signature.ts';
import type { PageSource } from './page-source.ts';

/**
 * Makes a PDF or a document of Office the source that pages are read from. `mayGoOn` is asked between pages: what is left
 * when it says no is left out with the warning `truncated`. Throws `unsupported_content` for what is damaged, locked or
 * another archive, and `content_too_large` for one that unpacks to too much. Only for what `isDocument` knows.
 */
export async function readDocument(body: Uint8Array<ArrayBuffer>, mayGoOn: () => boolean): Promise<PageSource> {
  const page = detectSignature(body) === 'pdf' ? await readPdf(body, mayGoOn) : await readOffice(body);
  const { html, mediaType, pageCount, warnings } = page;
  return { sniffed: { kind: 'document', mediaType }, html, text: '', charset: null, pageCount, warnings };
}
