import { bearing } from '#sites/framework/application.ts';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, list } from '#extract/values/raw.ts';

/** The queries of the web player that are asked, each by its name. */
export type Query =
  | 'getTrack'
  | 'getAlbum'
  | 'queryArtistOverview'
  | 'fetchPlaylist'
  | 'queryShowMetadataV2'
  | 'queryPodcastEpisodes'
  | 'searchDesktop';

export type GraphQuestion = {
  readonly query: Query;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly language: string;
};

/** The request of one query with a visitor's token. */
export function toGraphRequest(
  { query, variables, language }: GraphQuestion,
  token: string,
  site: SiteView,
): SiteRequest {
  const sha256Hash = site.constants[`hash_${query}`] ?? '';
  return {
    origin: 'graph',
    path: '/pathfinder/v1/query',
    query: {
      operationName: query,
      variables: JSON.stringify(variables),
      extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }),
    },
    headers: { ...bearing(token), 'app-platform': 'WebPlayer' },
    language,
  };
}

/** The answer to a query by the member that holds it, or what stands in its place. */
export function readGraph(body: string, member: string): { readonly found: unknown } | { readonly answer: SiteAnswer } {
  const answer = tryParse(body);
  const [error] = list(at(answer, 'errors')).flatMap((one) => line(at(one, 'message')) ?? []);
  const data = at(answer, 'data');
  if (data === undefined) return { answer: unusable(error ?? 'an answer of the web player') };
  const found = at(data, member);
  if (found === undefined && error !== undefined) return { answer: unusable(error) };
  if (found === undefined && !Object.hasOwn(Object(data), member)) return { answer: unusable(`no ${member}`) };
  const kind = line(at(found, '__typename'));
  if (found === undefined || kind === 'NotFound') return { answer: notFound('the site has no such thing') };
  return kind === 'GenericError' ? { answer: unusable('an error in the place of the record') } : { found };
}
