import { getMember, parseJsonValue } from '#extract/values/json.ts';
import { toLine } from '#extract/values/raw.ts';
import { parseRetryAfterMs } from '#extract/values/retry-after.ts';

/** A request of one source: an origin by name, a path and its options. */
export type SiteRequest = {
  /** A name of the site's `origins`. */
  readonly origin: string;
  /** Begins with a slash, percent-encoded; may include a query. */
  readonly path: string;
  /** Appended to the query in this order. Null and undefined are omitted; a list gives one pair per element. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  /** The body of a POST request. Such a request is sent by HTTP only, directly or through a proxy, never by a browser. */
  readonly post?: { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> };
  /** The requested language of the page, as a BCP 47 tag; by default `en-US`. */
  readonly language?: string;
  readonly device?: 'mobile';
  /** How many times a browser loads more of the page, in the way that the source's `browser.more` specifies; at most 30. */
  readonly rounds?: number;
};

/** Formats the body of a POST request; null for a GET request. */
export function formatPostBody({ post }: SiteRequest): string | null {
  if (post === undefined) return null;
  return 'json' in post ? JSON.stringify(post.json) : String(new URLSearchParams(post.form));
}

type QueryValue = string | number | boolean | null | undefined;

/** The response to one request, as `classify` and `parse` get it. Plain data. */
export type SourcePage = {
  /** The URL after redirects. */
  readonly url: string;
  /** The URL that was requested. */
  readonly requested: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Decoded text, at most 20 MB of bytes. */
  readonly body: string;
  /** Responses that the page loaded in a browser and that match the source's `captures`, in the order of their requests. */
  readonly captures: readonly CapturedResponse[];
  /** The value that the previous parser passed to `more`; undefined on the first page. */
  readonly carry: unknown;
};

/** Parses the `Retry-After` header to whole seconds, rounded up. Null if there is no such header or it is invalid. */
export function parseRetryAfterSeconds(headers: SourcePage['headers']): number | null {
  const waitMs = parseRetryAfterMs(headers['retry-after'], Date.parse(headers['date'] ?? ''));
  return waitMs === null ? null : Math.ceil(waitMs / 1000);
}

/** A URL of a site, as the name of its origin and the path with the query. */
export type SiteLocation = { readonly origin: string; readonly path: string };

/** Data that a parser may use besides the page and the input. */
export type SiteContext = {
  /** The site's own token of the requested page; null for the first. */
  readonly cursor: string | null;
  /** How many elements are requested; null if the endpoint has no limit. */
  readonly limit: number | null;
  /** Constants that the site changes from time to time. The operator's settings override the defaults. */
  readonly constants: Readonly<Record<string, string>>;
  /** Converts a URL to its origin and path. Null for a host that is neither declared by the site nor configured. */
  readonly locate: (url: string) => SiteLocation | null;
};

/** The same with the operator's credentials and the current time in ms since 1970. Only request builders get it. */
export type RequestContext = SiteContext & {
  readonly credentials: Readonly<Record<string, string>>;
  readonly now: number;
};

/** Whether the operator configured a client of the site's documented API. */
export function hasOAuthClient({ credentials }: RequestContext): boolean {
  return credentials['client_id'] !== undefined;
}

/** Builds the token request of the OAuth 2.0 client credentials grant. */
export function buildTokenRequest({ credentials }: RequestContext, place: SiteLocation): SiteRequest {
  const { client_id: id = '', client_secret: secret = '' } = credentials;
  return {
    ...place,
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    post: { form: { grant_type: 'client_credentials' } },
  };
}

/** Parses the access token from the response of the token endpoint; null if it has none. */
export function parseAccessToken(page: SourcePage): string | null {
  return toLine(getMember(parseJsonValue(page.body), 'access_token'));
}

/** Builds the header that sends an access token. */
export function buildBearerHeader(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** Selects responses that scripts of a page load in a browser, for the parser. The first matching rule gets a response. */
export type CaptureRule = {
  /** The name under which the parser finds the responses. */
  readonly name: string;
  /** The exact path of the response's URL, or a pattern for it. */
  readonly path: string | RegExp;
  /** A pattern for the content type; by default any. */
  readonly contentType?: RegExp;
  /** The name of the GraphQL operation in the body or query of the request. */
  readonly operation?: string | RegExp;
  /** Limits on the number of responses and their total size; at most 100 and 20 MB per page. The first responses are kept. */
  readonly max?: number;
  readonly maxBytes?: number;
};

/** A response that scripts of a page loaded, with the name of its rule. */
export type CapturedResponse = {
  readonly name: string;
  readonly url: string;
  readonly status: number;
  readonly text: string;
};
