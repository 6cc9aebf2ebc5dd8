import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';

/** The tool that lists the URLs of a site. */
export const MAP_TOOL: ToolView = {
  tool: {
    name: 'map',
    title: 'List the URLs of a site',
    task: 'which pages a site has',
    about:
      'Use this to find which pages a site has before reading any, or to find the one about a topic with search. It reads sitemaps, feeds and links, and answers URLs.',
    hints: READS_WEB,
  },
  members: {
    url: 'Where it starts',
    search: 'Words to rank by',
    max_urls: 'Default 100',
    include: 'Globs on paths; only these',
    exclude: 'Globs of what to leave out',
    include_metadata: 'Add titles',
  },
  asJob: true,
};
