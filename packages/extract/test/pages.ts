import { readPage } from '#extract/read-page.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';

const URL_READ = 'https://example.com/docs/page.html?q=1';

/** Reads a body given as text. Default: Markdown of the main content of an HTML page. */
export function read(source: string, asked: Partial<ReadRequest> = {}): PageReading {
  return readPage({ ...buildMarkdownRequest(new TextEncoder().encode(source), URL_READ), ...asked });
}

/** The Markdown of a whole HTML page without the final newline. */
export function renderMarkdown(source: string): string {
  return (read(source, { onlyMainContent: false }).outputs.markdown ?? '').trimEnd();
}

/** The text of a whole HTML page without the final newline. */
export function renderPlainText(source: string): string {
  return (read(source, { onlyMainContent: false, outputs: ['text'] }).outputs.text ?? '').trimEnd();
}

/** A unique sentence, so that no two are repeats. */
export function sentence(number: number): string {
  return `The harbour kept its records of year ${1800 + number}, and in that winter the clerk wrote them by hand, page after page, for the council.`;
}

/** Numbered paragraphs of two unique sentences each. */
export function paragraphs(from: number, to: number): string {
  return Array.from(
    { length: to - from },
    (_, at) => `<p>${sentence(from + at)} ${sentence(from + at + 500)}</p>`,
  ).join('');
}
