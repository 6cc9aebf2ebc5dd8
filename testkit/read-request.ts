import type { ReadRequest } from '#extract/reading.ts';

/** Asks the reader for what a plain fetch does: the main content of an HTML page as markdown. */
export function toMarkdownRequest(body: ReadRequest['body'], url = 'https://mill.example/'): ReadRequest {
  return {
    body,
    contentType: 'text/html; charset=utf-8',
    url,
    outputs: ['markdown'],
    onlyMainContent: true,
    includeSelectors: [],
    excludeSelectors: [],
    extract: null,
    maxChars: null,
    offsetChars: 0,
    passageChars: null,
  };
}
