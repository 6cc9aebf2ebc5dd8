import { z } from 'zod';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { completeUrl } from '#kernel/web-address.ts';
import type { CompatRequest } from './interface.ts';
import { runToEnd } from './run-to-end.ts';

const Page = z.looseObject({
  url: z.string(),
  final_url: z.string(),
  status_code: z.number(),
  markdown: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  raw_html: z.string().optional(),
  links: z.array(z.looseObject({ url: z.string(), text: z.string(), internal: z.boolean() })).default([]),
  images: z.array(z.looseObject({ url: z.string(), alt: z.string().nullable() })).default([]),
  metadata: z.looseObject({
    title: z.string().nullish(),
    description: z.string().nullish(),
    language: z.string().nullish(),
    published_at: z.string().nullish(),
    published_date: z.string().nullish(),
  }),
});

/** A page of Quern, from a fetch or a crawl. */
export type Page = z.output<typeof Page>;

const PageFailure = z.looseObject({ url: z.string(), status_code: z.number().optional(), message: z.string() });

const PageList = z.looseObject({ pages: z.array(Page), errors: z.array(PageFailure).default([]) });

type PageList = z.output<typeof PageList>;

/** One URL of a list, as it was sent: its page, or why there is none. */
export type ReadPage = { readonly url: string } & (
  | { readonly page: Page }
  | { readonly page: null; readonly error: string; readonly statusCode: number | null }
);

/** The entries of a list in its order. `requestId` is null if no page was requested. */
export type ReadPages = {
  readonly pages: readonly ReadPage[];
  readonly creditsUsed: number;
  readonly requestId: unknown;
};

/** How the pages of a list are read: outputs and options of a crawl. */
export type PageWish = {
  readonly output: readonly string[];
  readonly fetch?: JsonObject;
  /** Null for the limit of the plan. */
  readonly timeoutMs: number | null;
};

/** Reads a page from the body of a fetch. */
export function parsePage(body: JsonObject): Page {
  return Page.parse(body);
}

/** Returns the pages of a crawl. */
export function parsePages(body: JsonObject): readonly Page[] {
  return PageList.parse(body).pages;
}

/**
 * Reads a list of URLs by one crawl that follows no links. The result has an entry for each URL, in order: a URL that is
 * malformed or not allowed does not fail the others. Throws `ServiceError` for what concerns the whole call.
 */
export async function readPages(request: CompatRequest, urls: readonly string[], wish: PageWish): Promise<ReadPages> {
  const refused = new Map<string, string>();
  let open = [...new Set(urls)];
  while (open.length > 0) {
    try {
      const { body, creditsUsed } = await runToEnd(request, 'crawl', toCrawlInput(open, wish));
      const list = PageList.parse(body);
      return { pages: urls.map((url) => findPage(url, list, refused)), creditsUsed, requestId: body['request_id'] };
    } catch (error) {
      const faults = readFaults(error);
      for (const { at, message } of faults) refused.set(open[at] ?? '', message);
      open = open.filter((url) => !refused.has(url));
    }
  }
  const none = { pages: [], errors: [] };
  return { pages: urls.map((url) => findPage(url, none, refused)), creditsUsed: 0, requestId: null };
}

function toCrawlInput(urls: readonly string[], { output, fetch = {}, timeoutMs }: PageWish): JsonObject {
  return {
    urls,
    output,
    fetch,
    dedupe_content: false,
    // As for a single page: the caller chose the URLs.
    respect_robots: false,
    ...(timeoutMs === null ? {} : { timeout_ms: timeoutMs }),
  };
}

/** Reads which URLs of a list made the call fail. Throws the error if it is not about single URLs. */
function readFaults(error: unknown): readonly { readonly at: number; readonly message: string }[] {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
  return (error.details.length > 0 ? error.details : [error.message]).map((fault) => {
    const [, at, message = ''] = /^urls\.(\d+): ([^]*)$/.exec(fault) ?? [];
    if (at === undefined) throw error;
    return { at: Number(at), message };
  });
}

function findPage(url: string, { pages, errors }: PageList, refused: ReadonlyMap<string, string>): ReadPage {
  const why = refused.get(url);
  if (why !== undefined) return { url, page: null, error: why, statusCode: null };
  const key = toKey(url);
  const page = pages.find((one) => toKey(one.url) === key);
  if (page !== undefined) return { url, page };
  const failure = errors.find((one) => toKey(one.url) === key);
  return {
    url,
    page: null,
    error: failure?.message ?? 'the time or the size of the call was used up before this page',
    statusCode: failure?.status_code ?? null,
  };
}

function toKey(url: string): string {
  const address = URL.parse(completeUrl(url));
  return address === null ? url : toCanonicalKey(address.href);
}
