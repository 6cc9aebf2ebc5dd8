import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { readForm } from './body.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import {
  type FoundResults,
  type NewsResult,
  searchWeb,
  TIME_RANGES,
  toRangeStart,
  type WebResult,
} from './search-web.ts';

const MAX_PAGE = 100;

/** The parameters that have an effect; SearXNG takes an empty one as absent. */
const Parameters = z.looseObject({
  q: z.string({ error: 'No query' }).trim().min(1, 'No query'),
  categories: z.string().default('general'),
  language: z.string().default('all'),
  time_range: z.enum(TIME_RANGES).optional(),
  pageno: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a page number')
    .transform(Number)
    .refine((page) => page <= MAX_PAGE, `must be at most ${MAX_PAGE}`)
    .default(1),
});

const checkParameters = buildInputChecker({ input: Parameters });

const NOTHING: Pick<FoundResults, 'web' | 'news' | 'engines' | 'total'> = {
  web: [],
  news: [],
  engines: [],
  total: null,
};

/** Answers `/search`, also with its parameters in a form. */
async function search(request: CompatRequest): Promise<CompatReply> {
  const sent = readParameters(request);
  if (sent['format'] !== 'json') return replyJson({ error: 'Forbidden: only format=json is served' }, 403);
  const { input } = checkParameters(sent);
  const categories = input.categories.split(',').map((name) => name.trim().toLowerCase());
  const now = request.clock.now();
  const from = input.time_range === undefined ? 0 : toRangeStart(input.time_range, now);
  const wanted = categories.filter((name) => name === 'general' || name === 'news');
  const { web, news, engines, total } =
    wanted.length === 0
      ? NOTHING
      : await searchWeb(request, {
          search: input.q,
          options: () => ({ language: /^(?:all|auto)$/.test(input.language) ? undefined : input.language }),
          page: input.pageno,
          count: 1,
          period: { from, to: now },
        });
  const results = [
    ...(wanted.includes('general') ? web.map((result, at) => toResult(result, at, 'general')) : []),
    ...(wanted.includes('news') ? news.map((result, at) => toResult(result, at, 'news')) : []),
  ];
  return replyJson({
    query: input.q,
    number_of_results: total ?? 0,
    results: results.toSorted((one, other) => other.score - one.score),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: engines
      .filter(({ status }) => status === 'blocked' || status === 'error' || status === 'timeout')
      .map(({ name, status, reason }) => [name, reason ?? status]),
  });
}

/** Reads the parameters of the query, and of a form if one was posted. */
function readParameters({ query, body }: CompatRequest): Readonly<Record<string, string>> {
  return Object.fromEntries([...query, ...(readForm(body) ?? [])].filter(([, value]) => value !== ''));
}

/** The score falls with the position, so that clients that sort by it keep the order. */
function toResult(result: WebResult | NewsResult, place: number, category: string) {
  return {
    url: result.url,
    title: result.title,
    content: result.description,
    publishedDate: result.published_at,
    engine: result.engines[0] ?? '',
    engines: result.engines,
    positions: [place + 1],
    score: 1 / (place + 1),
    category,
    template: 'default.html',
    thumbnail: 'image_url' in result ? (result.image_url ?? undefined) : undefined,
  };
}

/** The JSON interface of SearXNG: https://docs.searxng.org/dev/search_api.html */
export const SEARXNG: CompatInterface = {
  routes: [
    { route: 'GET /search', answer: search },
    { route: 'POST /search', answer: search },
    { route: 'GET /', answer: search },
    { route: 'POST /', answer: search },
  ],
  describeFailure: ({ message, status }) => replyJson({ error: message }, status),
};
