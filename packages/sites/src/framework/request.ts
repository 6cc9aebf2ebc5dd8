import { memberOf, tryParse } from '#extract/values/json.ts';
import { line } from '#extract/values/raw.ts';
import { readRetryAfter } from '#extract/values/retry-after.ts';
import type { CapturedResponse } from './captures.ts';

/** A request of one source: an origin by name, a path and its options. */
export type SiteRequest = {
  /** A name of the site's `origins`. */
  readonly origin: string;
  /** Begins with a slash, percent-encoded; may carry a query of its own. */
  readonly path: string;
  /** Added to the query in this order; null and undefined are left out, a list is one pair for each. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  /** Sent by POST; such a request goes by HTTP alone, straight or through a proxy. */
  readonly post?: { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> };
  /** BCP 47; the language that the page is asked for in, `en-US` unless given. */
  readonly language?: string;
  readonly device?: 'mobile';
  /** How often a browser loads more of the page, as `more` of the source says; at most 30 times. */
  readonly rounds?: number;
};

/** The body of a POST request, null for a GET request. */
export function postOf({ post }: SiteRequest): string | null {
  if (post === undefined) return null;
  return 'json' in post ? JSON.stringify(post.json) : String(new URLSearchParams(post.form));
}

type QueryValue = string | number | boolean | null | undefined;

/** The response to one request, as `classify` and `parse` see it; plain data. */
export type SourcePage = {
  /** After redirects. */
  readonly url: string;
  /** The URL that was asked for. */
  readonly requested: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Decoded text, at most 20 MB of bytes. */
  readonly body: string;
  /** Answers that the page loaded in a browser, as `captures` of the source names them, in their order. */
  readonly captures: readonly CapturedResponse[];
  /** The value that `more` passed on to this page; undefined on the first. */
  readonly carry: unknown;
};

/** The whole seconds that a `Retry-After` asks for, null where it names none. */
export function parseRetryAfterSeconds(headers: SourcePage['headers']): number | null {
  const waitMs = readRetryAfter(headers['retry-after'], Date.parse(headers['date'] ?? ''));
  return waitMs === null ? null : Math.ceil(waitMs / 1000);
}

/** A place on a site: what a URL of it comes to when it is asked for by origin. */
export type SiteLocation = { readonly origin: string; readonly path: string };

/** The facts about its site that a source may use. */
export type SiteContext = {
  /** The site's own token of the wanted page, null for the first. */
  readonly cursor: string | null;
  /** How many elements are wanted, null where the endpoint has no limit. */
  readonly limit: number | null;
  /** Rotating constants: the site's defaults with the operator's over them. */
  readonly constants: Readonly<Record<string, string>>;
  /** Where on the site a URL is, by the site's known hosts and the configured ones; null for any other host. */
  readonly locate: (url: string) => SiteLocation | null;
};

/** The same with what the operator keeps secret and the time, ms since 1970; only requests see it. */
export type Sending = SiteContext & { readonly credentials: Readonly<Record<string, string>>; readonly now: number };

/** Whether the operator gave an application of the site's documented interface. */
export function hasOAuthClient({ credentials }: Sending): boolean {
  return credentials['client_id'] !== undefined;
}

/** The request for a token of that application, as OAuth 2.0 has it for client credentials. */
export function buildTokenRequest({ credentials }: Sending, place: SiteLocation): SiteRequest {
  const { client_id: id = '', client_secret: secret = '' } = credentials;
  return {
    ...place,
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    post: { form: { grant_type: 'client_credentials' } },
  };
}

/** The token of an answer, null where it has none. */
export function parseAccessToken(page: SourcePage): string | null {
  return line(memberOf(tryParse(page.body), 'access_token'));
}

/** The header that a request shows its token by. */
export function buildBearerHeader(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
