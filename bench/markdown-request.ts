import type { ReadRequest } from '#extract/reading.ts';

/** What a plain fetch asks of the reader: the main content of an HTML page as markdown. */
export function toMarkdownRequest(body: ReadRequest['body'], url = 'http://example.test/'): ReadRequest {
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
