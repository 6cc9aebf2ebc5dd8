import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { decodeUrlPart } from '#extract/values/web-urls.ts';

/** Longer descriptions are cut. */
const MAX_DESCRIPTION_CHARS = 300;
const FIRST_SECTION = 'Pages';

const Text = z.string().nullish();
const Page = z.object({
  url: z.string(),
  markdown: Text,
  metadata: z.object({ title: Text, description: Text, site_name: Text }).nullish(),
});
type Page = z.output<typeof Page>;

/**
 * Writes `llms.txt` (https://llmstxt.org): the title and description of the first page, then a link to each page below the
 * first segment of its path.
 */
export async function* writeLlmsText(list: () => AsyncIterable<JsonObject>): AsyncGenerator<string, void> {
  const sections = new Map<string, string[]>();
  let head: string | null = null;
  for await (const page of listPages(list())) {
    head ??= formatHead(page);
    const name = getSection(page.url);
    const lines = sections.get(name) ?? [];
    sections.set(name, lines);
    const description = shorten(page.metadata?.description);
    lines.push(`- [${escapeLink(getTitle(page))}](<${page.url}>)${description === '' ? '' : `: ${description}`}\n`);
  }
  yield head ?? '# No pages\n';
  for (const [name, lines] of sections) {
    yield `\n## ${name}\n\n`;
    yield* lines;
  }
}

/** Writes `llms-full.txt`: the Markdown of each page after its title and address. */
export async function* writeFullText(list: () => AsyncIterable<JsonObject>): AsyncGenerator<string, void> {
  for await (const page of listPages(list())) {
    if (typeof page.markdown === 'string')
      yield `# ${getTitle(page)}\n\nSource: ${page.url}\n\n${page.markdown.trimEnd()}\n\n---\n\n`;
  }
}

/** Lists the pages that were read: those with a text or metadata. */
async function* listPages(list: AsyncIterable<JsonObject>): AsyncGenerator<Page, void> {
  for await (const element of list) {
    const page = Page.safeParse(element);
    if (page.success && (page.data.markdown ?? page.data.metadata ?? null) !== null) yield page.data;
  }
}

function formatHead(page: Page): string {
  const description = shorten(page.metadata?.description);
  const name = collapse(page.metadata?.site_name ?? '');
  return `# ${name === '' ? getTitle(page) : name}\n${description === '' ? '' : `\n> ${description}\n`}`;
}

function getTitle({ url, metadata }: Page): string {
  const title = collapse(metadata?.title ?? '');
  return title === '' ? url : title;
}

function getSection(text: string): string {
  const segments = (URL.parse(text)?.pathname ?? '/').split('/').slice(1);
  const [first = ''] = segments;
  return segments.length < 2 || first === '' ? FIRST_SECTION : collapse(decodeUrlPart(first));
}

function shorten(text: string | null | undefined): string {
  const line = collapse(text ?? '');
  return line.length <= MAX_DESCRIPTION_CHARS ? line : `${line.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed()}…`;
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function escapeLink(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`);
}
