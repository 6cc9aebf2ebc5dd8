import { QuernError } from 'quern-client';
import type { Quern } from 'quern-client';

/** A tool as models with function calling are told of it. */
export type Tool = {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
};

/** Characters of an answer, so that one page does not fill the context of the model. */
const MAX_CHARS = 6_000;
const MAX_URLS = 20;

const URL_PARAMETER = { type: 'string', description: 'http or https address' };

/** What an agent may do: read a page, part by part, and find pages of a site. */
export const TOOLS: readonly Tool[] = [
  {
    type: 'function',
    function: {
      name: 'read_page',
      description: 'Read a web page as Markdown. A long page is cut; call again with next_offset for more.',
      parameters: {
        type: 'object',
        properties: { url: URL_PARAMETER, offset: { type: 'integer', description: 'next_offset of the call before' } },
        required: ['url'],
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'find_pages',
      description: 'Find the pages of a site that fit some words best.',
      parameters: {
        type: 'object',
        properties: { url: URL_PARAMETER, words: { type: 'string' } },
        required: ['url', 'words'],
      },
    },
  },
];

/** Does what the model asks for; a failure is told in words, so that it can try another way. */
export async function callTool(quern: Quern, name: string, given: Readonly<Record<string, unknown>>): Promise<string> {
  const { url, offset, words } = given;
  try {
    if (name === 'read_page') return await readPage(quern, String(url), typeof offset === 'number' ? offset : 0);
    if (name === 'find_pages') return await findPages(quern, String(url), String(words));
    return `there is no tool ${name}`;
  } catch (error) {
    if (error instanceof QuernError) return `failed: ${error.message}`;
    throw error;
  }
}

async function readPage(quern: Quern, url: string, offset: number): Promise<string> {
  const page = await quern.fetch({ url, max_chars: MAX_CHARS, offset_chars: offset, max_age_ms: 600_000 });
  const { markdown, next_offset: next } = page;
  return JSON.stringify({ url: page.final_url, title: page.metadata.title, markdown, next_offset: next });
}

async function findPages(quern: Quern, url: string, search: string): Promise<string> {
  const { urls } = await quern.map({ url, search, max_urls: MAX_URLS, max_depth: 2, include_metadata: true });
  return JSON.stringify(urls.map(({ url: found, title }) => ({ url: found, title })));
}
