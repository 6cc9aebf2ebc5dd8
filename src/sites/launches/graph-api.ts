import type { JsonObject } from '#kernel/json.ts';
import type { Sending, SiteRequest } from '#features/sites/request.ts';

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
