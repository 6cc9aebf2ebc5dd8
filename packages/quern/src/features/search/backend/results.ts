import { decodeHTML } from 'entities';
import { parseDate } from '#extract/values/dates.ts';
import { parseJson } from '#extract/values/json.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { toDirectUrl, toWebUrl } from '#extract/values/web-urls.ts';
import {
  ResponseTooLarge,
  type EndpointRequest,
  type EndpointClient,
  type EndpointResponse,
} from '#llm/endpoint-client.ts';
import { BackendFailure, type SearchResult } from './backend.ts';

/** A result as received from an engine or API; texts may contain HTML tags. */
export type RawResult = {
  readonly title: string | null;
  readonly url: string | null;
  readonly description: string | null;
  readonly published?: string | null;
  readonly language?: string | null;
  readonly imageUrl?: string | null;
};

/** Valid results, and the number of dropped ones. */
export type ParsedResults = { readonly results: readonly SearchResult[]; readonly dropped: number };

const MAX_RESULTS = 100;
const MAX_TITLE_CHARS = 500;
const MAX_DESCRIPTION_CHARS = 2000;
const MAX_URL_CHARS = 4000;
const TAGS = /<\/?[a-z][^<>]*>/gi;

/** Parses raw results. Results without a title or with a URL that is invalid or may not be visited are dropped and counted. */
export function parseResults(raw: readonly RawResult[], mayVisit: (url: string) => boolean): ParsedResults {
  const results: SearchResult[] = [];
  let dropped = Math.max(0, raw.length - MAX_RESULTS);
  for (const one of raw.slice(0, MAX_RESULTS)) {
    const url = one.url === null || one.url.length > MAX_URL_CHARS ? null : toDirectUrl(one.url, one.url);
    const title = toPlainText(one.title ?? '').slice(0, MAX_TITLE_CHARS);
    if (url === null || title === '' || !mayVisit(url)) {
      dropped += 1;
      continue;
    }
    const moment = one.published ? parseDate(one.published, 'en-US') : null;
    results.push({
      title,
      url,
      description: toPlainText(one.description ?? '').slice(0, MAX_DESCRIPTION_CHARS),
      publishedAt: moment?.instant ?? moment?.day ?? null,
      language: one.language?.slice(0, 35) ?? null,
      imageUrl: one.imageUrl ? toWebUrl(one.imageUrl, url) : null,
      text: null,
    });
  }
  return { results, dropped };
}

/** Removes tags and decodes entities, which some APIs use in texts. */
function toPlainText(text: string): string {
  return collapseSpace(decodeHTML(text.replaceAll(TAGS, '')));
}

/** Sends a request to an API and parses the JSON response; throws `BackendFailure` for any other outcome. */
export async function fetchJson(wire: EndpointClient, request: EndpointRequest): Promise<unknown> {
  const answer = await wire.send(request).catch((error: unknown) => {
    request.signal.throwIfAborted();
    if (error instanceof ResponseTooLarge)
      throw new BackendFailure('error', 'sent too large a response', { cause: error });
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new BackendFailure('timeout', 'timed out');
    throw new BackendFailure('error', 'cannot be reached', { cause: error });
  });
  assertSuccess(answer);
  const value = parseJson(answer.text);
  if (value === undefined) throw new BackendFailure('error', 'sent invalid JSON');
  return value;
}

/** Throws `BackendFailure` unless the status is 200. */
function assertSuccess({ status, retryAfterSeconds: waitSeconds }: EndpointResponse): void {
  if (status === 200) return;
  if (status === 429) throw new BackendFailure('blocked', 'too many requests (429)', { why: 'limited', waitSeconds });
  if (status === 401 || status === 403) {
    throw new BackendFailure('blocked', `rejected its API key or this machine (${status})`, {
      why: 'limited',
      waitSeconds,
    });
  }
  if (isQueryError(status)) throw new BackendFailure('error', `rejected the query (${status})`, { why: 'query' });
  throw new BackendFailure('error', `returned status ${status}`);
}

/** Statuses that mean the query is invalid or too long. */
const QUERY_ERROR_STATUSES: ReadonlySet<number> = new Set([400, 413, 414, 422, 431]);

/** Whether a status is about the query and not about the backend. */
export function isQueryError(status: number): boolean {
  return QUERY_ERROR_STATUSES.has(status);
}
