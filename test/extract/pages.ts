import { readPage } from '#extract/read-page.ts';
import type { Reading, ReadRequest } from '#extract/reading.ts';

const ASKED: ReadRequest = {
  body: new Uint8Array(),
  contentType: 'text/html; charset=utf-8',
  url: 'https://example.com/docs/page.html?q=1',
  outputs: ['markdown'],
  onlyMainContent: true,
  includeSelectors: [],
  excludeSelectors: [],
  extract: null,
  maxChars: null,
  offsetChars: 0,
  passageChars: null,
};

/** Reads a body given as text; what is not said is markdown of the main content of an HTML page. */
export function read(source: string, asked: Partial<ReadRequest> = {}): Reading {
  return readPage({ ...ASKED, body: new TextEncoder().encode(source), ...asked });
}

/** The markdown of a whole HTML page without the newline at its end. */
export function markdownOf(source: string): string {
  return (read(source, { onlyMainContent: false }).outputs.markdown ?? '').trimEnd();
}

/** The text of a whole HTML page without the newline at its end. */
export function plainOf(source: string): string {
  return (read(source, { onlyMainContent: false, outputs: ['text'] }).outputs.text ?? '').trimEnd();
}
