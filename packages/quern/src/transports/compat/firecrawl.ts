import { startBatch } from './firecrawl-batch.ts';
import { startCrawl } from './firecrawl-crawl.ts';
import { describeFirecrawlFailure, refuseUnknown } from './firecrawl-errors.ts';
import { showExtract, startExtract } from './firecrawl-extract.ts';
import { cancelJob, listActive, showErrors, showJob } from './firecrawl-jobs.ts';
import { mapSite } from './firecrawl-map.ts';
import { MONITOR_ROUTES } from './firecrawl-monitors.ts';
import { scrape } from './firecrawl-scrape.ts';
import { search } from './firecrawl-search.ts';
import { showConcurrency, showHistory, showQueue, showUsage } from './firecrawl-usage.ts';
import { watchJob } from './firecrawl-watch.ts';
import type { CompatInterface, CompatRoute } from './interface.ts';

/** The routes that both versions have. */
function listShared(version: 1 | 2): readonly CompatRoute[] {
  const root = `/v${version}` as const;
  const crawl = `${root}/crawl` as const;
  const batch = `${root}/batch/scrape` as const;
  return [
    { route: `POST ${root}/scrape`, answer: scrape },
    { route: `POST ${crawl}`, answer: async (request) => startCrawl(request, crawl) },
    { route: `GET ${crawl}/active`, answer: async (request) => listActive(request, 'crawl') },
    { route: `GET ${crawl}/{id}`, answer: async (request) => showJob(request, crawl) },
    { route: `DELETE ${crawl}/{id}`, answer: cancelJob },
    { route: `GET ${crawl}/{id}/errors`, answer: showErrors },
    { route: `POST ${batch}`, answer: async (request) => startBatch(request, batch) },
    { route: `GET ${batch}/{id}`, answer: async (request) => showJob(request, batch) },
    { route: `DELETE ${batch}/{id}`, answer: cancelJob },
    { route: `GET ${batch}/{id}/errors`, answer: showErrors },
    { route: `POST ${root}/search`, answer: async (request) => search(request, version) },
    { route: `POST ${root}/extract`, answer: async (request) => startExtract(request, `${root}/extract`) },
    { route: `GET ${root}/extract/{id}`, answer: showExtract },
    { route: `POST ${root}/map`, answer: async (request) => mapSite(request, version) },
    { route: `GET ${root}/team/credit-usage`, answer: async (request) => showUsage(request, 'Credits', version) },
    { route: `GET ${root}/team/token-usage`, answer: async (request) => showUsage(request, 'Tokens', version) },
    { route: `GET ${root}/team/credit-usage/historical`, answer: async (request) => showHistory(request, 'Credits') },
    { route: `GET ${root}/team/token-usage/historical`, answer: async (request) => showHistory(request, 'Tokens') },
    { route: `GET ${root}/team/queue-status`, answer: showQueue },
    { route: `GET ${root}/concurrency-check`, answer: showConcurrency },
  ];
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** Paths of things that Quern does not have, with their names. */
const NOT_SERVED = [
  ['agent', 'the agent'],
  ['browser', 'remote browser sessions'],
  ['interact', 'remote browser sessions'],
  ['scrape/{id}/interact', 'a session on a scraped page'],
  ['tools', 'a directory of tools'],
  ['search/research', 'the research index'],
  ['search/developer', 'the developer index'],
  ['feedback', 'feedback'],
  ['parse', 'reading of uploaded files'],
  ['crawl/params-preview', 'the choice of crawl options by a prompt'],
  ['deep-research', 'deep research'],
  ['llmstxt', 'the writing of llms.txt'],
] as const;

function listNotServed(version: 1 | 2): readonly CompatRoute[] {
  return NOT_SERVED.flatMap(([path, what]) =>
    METHODS.flatMap((method): readonly CompatRoute[] => [
      { route: `${method} /v${version}/${path}`, answer: async () => refuseUnknown(what) },
      { route: `${method} /v${version}/${path}/{rest*}`, answer: async () => refuseUnknown(what) },
    ]),
  );
}

/** The interface of Firecrawl, versions 2 and 1: https://docs.firecrawl.dev/api-reference/introduction */
export const FIRECRAWL: CompatInterface = {
  routes: [...MONITOR_ROUTES, ...listNotServed(2), ...listNotServed(1), ...listShared(2), ...listShared(1)],
  watches: ([1, 2] as const).flatMap((version) => [
    { route: `GET /v${version}/crawl/{id}` as const, watch: watchJob },
    { route: `GET /v${version}/batch/scrape/{id}` as const, watch: watchJob },
  ]),
  describeFailure: describeFirecrawlFailure,
};
