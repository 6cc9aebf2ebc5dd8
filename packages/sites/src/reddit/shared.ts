import { z } from 'zod';
import { requestMore, notInSource, type SiteAnswer, type SiteRecord } from '#sites/framework/answers.ts';
import {
  buildBearerHeader,
  hasOAuthClient,
  parseAccessToken,
  buildTokenRequest,
  type RequestContext,
  type SiteRequest,
  type SiteContext,
  type SourcePage,
} from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { getPath, toLine } from '#extract/values/raw.ts';
import { TOKEN_ENDPOINT } from './site.ts';

/** One request to the API: a path without its `.json` ending, and a query. */
type ApiQuery = { readonly path: string; readonly query?: SiteRequest['query'] };

/** A page of the site whose final address contains the id of the post. */
type RedirectPage = { readonly page: string };

/** One answer of the API, and the function that requests a further one. */
export type ApiCall<I> = {
  readonly body: string;
  /** The address of the answer, after redirects. */
  readonly url: string;
  readonly input: I;
  readonly site: SiteContext;
  /** The value that the previous answer passed to `ask`; undefined on the first. */
  readonly state: unknown;
  /** Sends a further request and passes `state` to its answer; `without` is the result if the request fails. */
  readonly ask: (target: ApiQuery, state: unknown, without?: object) => SiteAnswer;
};

type ApiReader<I, R> = {
  readonly first: (input: I, site: SiteContext) => ApiQuery | RedirectPage;
  readonly read: (call: ApiCall<I>) => R | SiteRecord<R> | SiteAnswer;
};

/** Two sources: the documented API with the operator's application, and public JSON without it, which the site often refuses. */
export function buildApiSources<I, R>({ first, read }: ApiReader<I, R>) {
  const oauth = {
    name: 'oauth',
    when: hasOAuthClient,
    request: (input: I, site: RequestContext): SiteRequest => {
      first(input, site);
      return buildTokenRequest(site, TOKEN_ENDPOINT);
    },
    parse: (page: SourcePage, input: I, site: SiteContext) => {
      const { carry } = page;
      const given = carry === undefined ? parseAccessToken(page) : null;
      const token = given ?? toLine(getPath(carry, 'token')) ?? '';
      const ask: ApiCall<I>['ask'] = ({ path, query = {} }, state, without) => {
        const request = { origin: 'oauth', path, query: { ...query, raw_json: 1 }, headers: buildBearerHeader(token) };
        return requestMore(request, { token, state }, without ?? null);
      };
      if (given === null) return read({ ...page, input, site, state: getPath(carry, 'state'), ask });
      const target = first(input, site);
      return 'page' in target ? notInSource('only the page source can follow a shared link') : ask(target, undefined);
    },
  };
  const json = {
    name: 'json',
    request: (input: I, site: RequestContext): SiteRequest => {
      const target = first(input, site);
      return 'page' in target ? { origin: 'web', path: target.page } : buildPublicRequest(target);
    },
    parse: (page: SourcePage, input: I, site: SiteContext) =>
      read({ ...page, input, site, state: getPath(page.carry, 'state'), ask: askWithoutToken }),
  };
  return { oauth, json };
}

function askWithoutToken(target: ApiQuery, state: unknown, without?: object): SiteAnswer {
  return requestMore(buildPublicRequest(target), { state }, without ?? null);
}

function buildPublicRequest({ path, query = {} }: ApiQuery): SiteRequest {
  return { origin: 'web', path: `${path}.json`, query: { ...query, raw_json: 1 } };
}

const RANKING_PERIODS = ['hour', 'day', 'week', 'month', 'year', 'all'] as const;

/** The period that a ranking covers. */
export const RankingPeriod = z
  .enum(RANKING_PERIODS)
  .optional()
  .describe('Period of the ranking; only for sort=top and sort=controversial');

/** The site's default number of elements in one page. */
export const PAGE_SIZE = 25;

type ListOrder = { readonly sort: string; readonly time?: (typeof RANKING_PERIODS)[number] | undefined };

/** Refuses a time for an order that has none. */
export function assertPeriodFitsSort({ sort, time }: ListOrder): void {
  if (time !== undefined && sort !== 'top' && sort !== 'controversial')
    refuseParameter('time', 'is only allowed with sort=top and sort=controversial');
}

/** Builds the query of a list page. JSON, old pages and feeds use the same parameters. */
export function buildListQuery({ time }: Pick<ListOrder, 'time'>, { cursor, limit }: SiteContext) {
  return { limit: limit ?? PAGE_SIZE, t: time, after: cursor };
}

type ListPart<T> = { readonly elements: readonly T[]; readonly next: string | null };

/** Cuts a page to the limit. The site adds pinned posts on top of it, and a list can continue after any element. */
export function limitList<T extends { readonly fullname: string }>(
  { limit }: SiteContext,
  { elements, next }: ListPart<T>,
): ListPart<T> {
  if (limit === null || elements.length <= limit) return { elements, next };
  const pageElements = elements.slice(0, limit);
  return { elements: pageElements, next: pageElements.at(-1)?.fullname ?? null };
}

/** Finds the cursor after a full feed. A feed does not say itself whether it continues. */
export function findFeedCursor(
  { limit }: SiteContext,
  elements: readonly { readonly fullname: string }[],
): string | null {
  return elements.length < (limit ?? PAGE_SIZE) ? null : (elements.at(-1)?.fullname ?? null);
}

/** Parses the `after` cursor of a link to the next page. */
export function parseNextCursor(href: string | null, base: string): string | null {
  const after = URL.parse(href ?? '', base)?.searchParams.get('after') ?? null;
  return after === null || after === '' || after.length > 200 ? null : after;
}
