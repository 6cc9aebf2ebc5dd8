import type { ReadRequest } from '#extract/reading.ts';

/** Builds the read request of a plain fetch: the main content of an HTML page as Markdown. */
export function buildMarkdownRequest(body: ReadRequest['body'], url = 'https://mill.example/'): ReadRequest {
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
