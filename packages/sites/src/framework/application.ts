import type { Sending, SitePlace, SiteRequest, SourcePage } from './request.ts';
import { memberOf, tryParse } from '#extract/values/json.ts';
import { line } from '#extract/values/raw.ts';

/** Whether the operator gave an application of the site's documented interface. */
export function hasApplication({ credentials }: Sending): boolean {
  return credentials['client_id'] !== undefined;
}

/** The request for a token of that application, as OAuth 2.0 has it for client credentials. */
export function tokenRequest({ credentials }: Sending, place: SitePlace): SiteRequest {
  const { client_id: id = '', client_secret: secret = '' } = credentials;
  return {
    ...place,
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    post: { form: { grant_type: 'client_credentials' } },
  };
}

/** The token of an answer, null where it has none. */
export function tokenIn(page: SourcePage): string | null {
  return line(memberOf(tryParse(page.body), 'access_token'));
}

/** The header that a request shows its token by. */
export function bearing(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
