import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import {
  type FoundPage,
  isPublishedWithin,
  searchWeb,
  TIME_RANGES,
  toRangeStart,
  type WebResults,
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

/** Values of `language` that name none. */
const ANY_LANGUAGE: ReadonlySet<string> = new Set(['all', 'auto']);

const NOTHING: Pick<WebResults, 'web' | 'news' | 'engines' | 'total'> = { web: [], news: [], engines: [], total: null };

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
          place: ANY_LANGUAGE.has(input.language) ? {} : { language: input.language },
          page: input.pageno,
          count: 1,
          accepts: (result) => isPublishedWithin(result, from, now),
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
  const form = body instanceof Uint8Array ? new URLSearchParams(Buffer.from(body).toString('utf8')) : [];
  return Object.fromEntries([...query, ...form].filter(([, value]) => value !== ''));
}

/** The score falls with the position, so that clients that sort by it keep the order. */
function toResult(
  { url, title, description, published_at: at, image_url: image, engines }: FoundPage,
  place: number,
  category: string,
) {
  return {
    url,
    title,
    content: description,
    publishedDate: at,
    engine: engines[0] ?? '',
    engines,
    positions: [place + 1],
    score: 1 / (place + 1),
    category,
    template: 'default.html',
    ...(image === null ? {} : { thumbnail: image }),
  };
}

function describeFailure({ message, status }: ServiceError): CompatReply {
  return replyJson({ error: message }, status);
}

/** The JSON interface of SearXNG: https://docs.searxng.org/dev/search_api.html */
export const SEARXNG: CompatInterface = {
  routes: [
    { route: 'GET /search', answer: search },
    { route: 'POST /search', answer: search },
    { route: 'GET /', answer: search },
    { route: 'POST /', answer: search },
  ],
  describeFailure,
};
