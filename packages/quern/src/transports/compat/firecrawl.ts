import { isJsonObject } from '#extract/values/json-object.ts';
import type { ErrorCode, ServiceError } from '#kernel/errors.ts';
import { startBatch } from './firecrawl-batch.ts';
import { startCrawl } from './firecrawl-crawl.ts';
import { showExtract, startExtract } from './firecrawl-extract.ts';
import { cancelJob, listActive, showErrors, showJob, watchJob } from './firecrawl-jobs.ts';
import { mapSite } from './firecrawl-map.ts';
import { MONITOR_ROUTES } from './firecrawl-monitors.ts';
import { scrape } from './firecrawl-scrape.ts';
import { search } from './firecrawl-search.ts';
import { showConcurrency, showHistory, showQueue, showUsage } from './firecrawl-usage.ts';
import type { CompatInterface, CompatReply, CompatRequest, CompatRoute } from './interface.ts';

/** The routes that both versions have. */
function listShared(version: 1 | 2): readonly CompatRoute[] {
  const root = `/v${version}` as const;
  return [
    {
      route: `POST ${root}/scrape`,
      answer: async (request) => (isToolCall(request) ? refuse('tools') : scrape(request)),
    },
    { route: `GET ${root}/crawl/active`, answer: async (request) => listActive(request, 'crawl') },
    ...listJobRoutes(`${root}/crawl`, startCrawl),
    ...listJobRoutes(`${root}/batch/scrape`, startBatch),
    { route: `POST ${root}/search`, answer: async (request) => search(request, version) },
    { route: `POST ${root}/extract`, answer: async (request) => startExtract(request, `${root}/extract`) },
    { route: `GET ${root}/extract/{id}`, answer: showExtract },
    { route: `POST ${root}/map`, answer: async (request) => mapSite(request, version) },
    ...(['Credits', 'Tokens'] as const).flatMap((what): readonly CompatRoute[] => {
      const route = `GET ${root}/team/${what === 'Credits' ? 'credit' : 'token'}-usage` as const;
      return [
        { route, answer: async (request) => showUsage(request, what, version) },
        { route: `${route}/historical`, answer: async (request) => showHistory(request, what) },
      ];
    }),
    { route: `GET ${root}/team/queue-status`, answer: showQueue },
    { route: `GET ${root}/concurrency-check`, answer: showConcurrency },
  ];
}

type StartJob = (request: CompatRequest, path: string) => Promise<CompatReply>;

/** The routes of the jobs below a path. */
function listJobRoutes(path: `/${string}`, start: StartJob): readonly CompatRoute[] {
  return [
    { route: `POST ${path}`, answer: async (request) => start(request, path) },
    { route: `GET ${path}/{id}`, answer: async (request) => showJob(request, path) },
    { route: `DELETE ${path}/{id}`, answer: cancelJob },
    // The client of v1 asks with DELETE.
    { route: `ANY ${path}/{id}/errors`, answer: showErrors },
  ];
}

/** Paths of things that Quern does not have, with their names. */
const NOT_SERVED = [
  ['agent', 'the agent'],
  ['browser', 'remote browser sessions'],
  ['interact', 'remote browser sessions'],
  ['scrape/{id}/interact', 'a session on a scraped page'],
  ['tools', 'a directory of tools'],
  ['search/research', 'the research index'],
  ['search/{id}/feedback', 'feedback'],
  ['search/developer', 'the developer index'],
  ['feedback', 'feedback'],
  ['parse', 'the reading of uploaded files'],
  ['crawl/params-preview', 'the choice of crawl options by a prompt'],
  ['deep-research', 'deep research'],
  ['llmstxt', 'the writing of llms.txt'],
] as const;

function listNotServed(version: 1 | 2): readonly CompatRoute[] {
  return NOT_SERVED.flatMap(([path, what]): readonly CompatRoute[] => [
    { route: `ANY /v${version}/${path}`, answer: async () => refuse(what) },
    { route: `ANY /v${version}/${path}/{rest*}`, answer: async () => refuse(what) },
  ]);
}

/** The codes of Firecrawl for errors that mean the same; others are Quern's in capitals. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'BAD_REQUEST',
  timeout: 'SCRAPE_TIMEOUT',
  unsupported_content: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
  target_unreachable: 'SCRAPE_SITE_ERROR',
  internal_error: 'UNKNOWN_ERROR',
};

/** Statuses of Quern that its clients do not know, with the nearest one that they do. */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [410, 404],
  [422, 500],
  [504, 408],
]);

/** Writes an error as `{success: false, error, code, details}`, with a status that the clients understand. */
function describeFailure(error: ServiceError): CompatReply {
  const { code, message, status, details } = error;
  return {
    status: STATUSES.get(status) ?? status,
    json: {
      success: false,
      error: message,
      code: CODES[code] ?? code.toUpperCase(),
      ...(details.length === 0 ? {} : { details }),
    },
  };
}

/** Whether a scrape calls tools of a directory, and has no page. */
function isToolCall({ body }: CompatRequest): boolean {
  return isJsonObject(body) && Array.isArray(body['alexandria']);
}

/** The reply to a call of something that Quern does not have. The client of the research index reads `detail`. */
function refuse(what: string): CompatReply {
  const error = `Quern does not serve ${what}`;
  return { status: 501, json: { success: false, error, detail: error, code: 'NOT_IMPLEMENTED' } };
}

/** The interface of Firecrawl, versions 2 and 1: https://docs.firecrawl.dev/api-reference/introduction */
export const FIRECRAWL: CompatInterface = {
  routes: [...MONITOR_ROUTES, ...listNotServed(2), ...listNotServed(1), ...listShared(2), ...listShared(1)],
  watches: ([1, 2] as const).flatMap((version) => [
    { route: `GET /v${version}/crawl/{id}` as const, watch: watchJob },
    { route: `GET /v${version}/batch/scrape/{id}` as const, watch: watchJob },
  ]),
  describeFailure,
};
