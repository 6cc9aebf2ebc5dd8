import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import { FILES } from '#features/schema/page-files.ts';
import { toShownPage, withJson } from '#features/schema/shown-page.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** How old a page may be from which an answer is read on. */
const READ_ON_MS = 3_600_000;

/** The tool that reads a page; with `extract` it answers the fields alone unless other formats are named. */
export const FETCH_TOOL: ToolView = {
  tool: {
    name: 'fetch',
    title: 'Fetch a page',
    task: 'one page or document, or fields of it',
    about:
      'Use this to read one web page, PDF or Office document as Markdown, or to get named fields of it with extract. A page that needs a browser gets one. Long pages come in parts: call again with the offset that the answer names.',
    hints: READS_WEB,
  },
  members: {
    url: 'The page',
    output: 'What to answer; default markdown. links, images, tables, screenshot and others',
    extract:
      'Fields to get as JSON: {"price": "money", "title": {"selector": "h1", "type": "string"}}. Types: string, integer, number, boolean, money, date, datetime, url, html, each also as T[]; or a JSON Schema',
    only_main_content: 'false keeps navigation and footers too',
    proxy: 'stealth goes straight to the hardened browser, for sites that block',
    max_age_ms: 'Accept a cached page at most this old',
    session: 'Name of a session; a login by interact in it lasts',
  },
  facts: { url: 'string', title: 'string', status_code: 'integer' },
  toInput: (given) => (given['extract'] === undefined ? given : { ...given, output: withJson(given['output'], []) }),
  toReadOn: withoutFiles,
  toShown: toShownPage,
};

/** The same page from the cache, which has no files. */
function withoutFiles(input: JsonObject): JsonObject {
  const { output } = input;
  const files: readonly unknown[] = FILES;
  const rest = Array.isArray(output) ? output.filter((name) => !files.includes(name)) : output;
  return { max_age_ms: READ_ON_MS, ...input, ...(rest === undefined ? {} : { output: rest }) };
}
