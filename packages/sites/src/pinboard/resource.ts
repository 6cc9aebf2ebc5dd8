import { blocked, notFound, rateLimited, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, integer, line } from '#extract/values/raw.ts';

/** What the site's own pages ask of its interface. */
type ResourceCall = {
  readonly name: string;
  /** The path of the page that asks. */
  readonly page: string;
  /** The code of that page. */
  readonly handler: string;
  readonly options: Readonly<Record<string, unknown>>;
};

/** A request of the site's interface, as its pages send it. */
export function askResource(
  { name, page, handler, options }: ResourceCall,
  { now }: Pick<Sending, 'now'>,
): SiteRequest {
  return {
    origin: 'web',
    path: `/resource/${name}Resource/get/`,
    query: { source_url: page, data: JSON.stringify({ options, context: {} }) },
    headers: {
      accept: 'application/json, text/javascript, */*, q=0.01',
      'x-requested-with': 'XMLHttpRequest',
      'x-pinterest-appstate': 'active',
      'x-pinterest-pws-handler': handler,
    },
    cookies: { csrftoken: now.toString(16).padStart(32, '0') },
  };
}

/** What the interface answers: its data, the site's own token of what follows, and what was asked as it says. */
type ResourceAnswer = { readonly data: unknown; readonly next: string | null; readonly asked: unknown };

/** The data of an answer of the interface, or what it says in its place. */
export function readResource(body: string): ResourceAnswer | { readonly refusal: SiteAnswer } {
  const raw = tryParse(body);
  const response = at(raw, 'resource_response');
  const status = integer(at(response, 'error', 'http_status')) ?? integer(at(response, 'http_status')) ?? 200;
  if (status === 404) return { refusal: notFound('there is no such page') };
  if (status === 429) return { refusal: rateLimited() };
  if (status === 401 || status === 403) return { refusal: blocked('authorization') };
  const data = at(response, 'data');
  if (status >= 400 || data === undefined) return { refusal: unusable('data of the interface') };
  const bookmark = line(at(raw, 'resource', 'options', 'bookmarks', 0)) ?? line(at(response, 'bookmark'));
  return { data, next: isEnd(bookmark) ? null : bookmark, asked: at(raw, 'resource', 'options') };
}

/** The last token is a word, or base64 of what begins with none. */
function isEnd(bookmark: string | null): boolean {
  return bookmark === null || bookmark === '-end-' || bookmark.startsWith('Y2JOb25lO');
}
