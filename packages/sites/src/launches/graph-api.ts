import { rateLimited, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest } from '#sites/framework/request.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, integer, line, list } from '#extract/values/raw.ts';

/** A query to the documented interface, which knows everyone by a token. */
export function askApi(
  { credentials }: Pick<Sending, 'credentials'>,
  query: string,
  variables: JsonObject,
): SiteRequest {
  return {
    origin: 'api',
    path: '/v2/api/graphql',
    headers: { accept: 'application/json', authorization: `Bearer ${credentials['token'] ?? ''}` },
    post: { json: { query: query.replaceAll(/\s+/g, ' '), variables } },
  };
}

export function hasToken({ credentials }: Pick<Sending, 'credentials'>): boolean {
  return credentials['token'] !== undefined;
}

/** The answer where a query came to nothing: a limit of its rate, or an error; null where it came to something. */
export function queryRefusalOf(data: unknown): SiteAnswer | null {
  const [error] = list(at(data, 'errors'));
  if (error === undefined) return null;
  const wording = line(at(error, 'message')) ?? line(at(error, 'error_description')) ?? line(at(error, 'error')) ?? '';
  if (/rate.?limit|complexity/i.test(wording)) return rateLimited(integer(at(error, 'details', 'reset_in')));
  return unusable(`an answer to the query: ${wording.slice(0, 100)}`);
}
