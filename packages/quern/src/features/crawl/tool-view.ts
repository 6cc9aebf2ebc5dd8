import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { withJson } from '#features/schema/shown-page.ts';

/** The tool that crawls; it lists the pages, which are read one by one. */
export const CRAWL_TOOL: ToolView = {
  tool: {
    name: 'crawl',
    title: 'Crawl a site',
    task: 'many pages of a site',
    about:
      'Use this to get many pages of one site at once. It answers their titles, addresses and sizes; read_page then gives the text of each. A crawl that takes longer goes on as a job, which the tool job shows.',
    hints: READS_WEB,
  },
  members: {
    url: 'Where it starts',
    urls: 'A list of pages instead, without following links',
    max_pages: 'Default 25',
    max_depth: 'Links to follow from the start',
    include: 'Globs on paths, such as /docs/**; only these are followed',
    exclude: 'Globs of what to leave out',
    fetch: 'Options for each page, as fetch takes them, such as {"extract": {"price": "money"}}',
    output: 'Formats to keep of each page; default markdown',
    max_credits: 'Ceiling of the cost',
    session: 'As fetch takes it',
  },
  asJob: true,
  toInput(given) {
    const { fetch: options, output } = given;
    const extracts = isJsonObject(options) && options['extract'] !== undefined;
    return extracts ? { ...given, output: withJson(output, ['markdown']) } : given;
  },
};
