import { describeFirecrawlFailure, refuseUnknown } from './firecrawl-errors.ts';
import { scrape } from './firecrawl-scrape.ts';
import type { CompatInterface, CompatRoute } from './interface.ts';

/** Paths of Firecrawl for things that Quern does not have. */
const NOT_SERVED: readonly CompatRoute[] = (
  [
    ['POST /v2/agent', 'the agent'],
    ['GET /v2/agent', 'the agent'],
    ['GET /v2/agent/{rest*}', 'the agent'],
    ['DELETE /v2/agent/{rest*}', 'the agent'],
  ] as const
).map(([route, what]) => ({ route, answer: async () => refuseUnknown(what) }));

/** The interface of Firecrawl, versions 2 and 1: https://docs.firecrawl.dev/api-reference/introduction */
export const FIRECRAWL: CompatInterface = {
  routes: [{ route: 'POST /v2/scrape', answer: scrape }, { route: 'POST /v1/scrape', answer: scrape }, ...NOT_SERVED],
  describeFailure: describeFirecrawlFailure,
};
