import type { Sending, SiteRequest, SourcePage } from '#features/sites/request.ts';
import { memberOf, tryParse } from '#extract/values/json.ts';
import { line } from '#extract/values/raw.ts';

/** Whether the operator gave an application of the documented interface. */
export function hasApplication({ credentials }: Sending): boolean {
  return credentials['client_id'] !== undefined;
}

/** The request for a token of that application. */
export function tokenRequest({ credentials }: Sending): SiteRequest {
  const { client_id: id = '', client_secret: secret = '' } = credentials;
  return {
    origin: 'web',
    path: '/api/v1/access_token',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    post: { form: { grant_type: 'client_credentials' } },
  };
}

/** The token of an answer, null where it has none. */
export function tokenIn(page: SourcePage): string | null {
  return line(memberOf(tryParse(page.body), 'access_token'));
}

/** What a request with a token says of it. */
export function bearing(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
