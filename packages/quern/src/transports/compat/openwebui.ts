import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { readPages } from './read-pages.ts';
import { searchWeb } from './search-web.ts';

const MAX_URLS = 25;
const MAX_RESULTS = 50;

const checkLoad = buildInputChecker({
  input: z.looseObject({ urls: z.array(z.string().min(1)).min(1).max(MAX_URLS) }),
});

const checkSearch = buildInputChecker({
  input: z.looseObject({
    query: z.string().trim().min(1),
    count: z.number().int().min(1).max(MAX_RESULTS).default(10),
  }),
});

/** Answers `POST /load`: the pages that could be read, in order. Open WebUI sends at most 20 URLs at once. */
async function load(request: CompatRequest): Promise<CompatReply> {
  const { input } = checkLoad(request.body);
  const { pages } = await readPages(request, input.urls, { output: ['markdown', 'metadata'] });
  return replyJson(
    pages.flatMap(({ url, page }) =>
      page === null
        ? []
        : [
            {
              page_content: page.markdown ?? '',
              metadata: {
                source: url,
                title: page.metadata.title ?? '',
                description: page.metadata.description ?? '',
                language: page.metadata.language ?? '',
              },
            },
          ],
    ),
  );
}

/** Answers `POST /search`. */
async function search(request: CompatRequest): Promise<CompatReply> {
  const { query, count } = checkSearch(request.body).input;
  const { web, news } = await searchWeb(request, { search: query, count });
  const results = [...web, ...news].slice(0, count);
  return replyJson(results.map(({ url, title, description }) => ({ link: url, title, snippet: description })));
}

/** The external web loader and the external search of Open WebUI: https://docs.openwebui.com/getting-started/env-configuration */
export const OPEN_WEBUI: CompatInterface = {
  routes: [
    { route: 'POST /load', answer: load },
    { route: 'POST /search', answer: search },
  ],
  describeFailure: ({ code, message, status }) => replyJson({ detail: message, code }, status),
};
