import { z } from 'zod';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { completeUrl } from '#kernel/web-address.ts';
import { fetchBatch } from '#features/crawl/batch-operation.ts';
import { Metadata, PAGE_OUTPUTS } from '#features/schema/page-outputs.ts';
import type { CompatRequest } from './interface.ts';
import { runToEnd } from './run-to-end.ts';

/** A page of Quern, from a fetch or a crawl. */
export const Page = z.object({
  url: z.string(),
  final_url: z.string(),
  status_code: z.int(),
  ...PAGE_OUTPUTS,
  metadata: Metadata,
});

export type Page = z.output<typeof Page>;

/** The text of a page that was read for one output of text. */
export function getContent({ markdown, text, raw_html: html }: Page): string {
  return markdown ?? text ?? html ?? '';
}

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

/** How the pages of a list are read: parameters of a batch of fetches. */
export type PageWish = JsonObject & { readonly output: readonly string[]; readonly timeout_ms?: number | undefined };

/**
 * Reads a list of URLs as one batch. The result has an entry for each URL, in order: a URL that is malformed or not allowed
 * does not fail the others. Throws `ServiceError` for what concerns the whole call.
 */
export async function readPages(request: CompatRequest, urls: readonly string[], wish: PageWish): Promise<ReadPages> {
  try {
    const input = { urls, ignore_invalid_urls: true, ...wish };
    const { body, creditsUsed } = await runToEnd(request, 'fetch.batch', input);
    return { pages: listEntries(urls, fetchBatch.output.parse(body)), creditsUsed, requestId: body['request_id'] };
  } catch (error) {
    // A batch without any valid URL is refused.
    if (!(error instanceof ServiceError) || !INVALID_URL.test(error.message)) throw error;
    const why = { page: null, error: error.message.replace(INVALID_URL, ''), statusCode: null };
    return { pages: urls.map((url) => ({ url, ...why })), creditsUsed: 0, requestId: null };
  }
}

/** The place at the start of the message about a URL of a list. */
const INVALID_URL = /^urls\.\d+: /;

function listEntries(
  urls: readonly string[],
  { results, invalid_urls: invalid }: z.output<typeof fetchBatch.output>,
): readonly ReadPage[] {
  const found = new Map(results.map((one) => [toKey(one.url), one]));
  const refused = new Map(invalid.map(({ index, message }) => [index, message.replace(INVALID_URL, '')]));
  return urls.map((url, index) => {
    const result = found.get(toKey(url));
    if (result !== undefined && result.error === undefined) return { url, page: Page.parse(result) };
    const message = refused.get(index) ?? result?.error?.message;
    const error = message ?? 'the time or the size of the call was used up before this page';
    return { url, page: null, error, statusCode: result?.status_code ?? null };
  });
}

function toKey(url: string): string {
  const address = URL.parse(completeUrl(url));
  return address === null ? url : toCanonicalKey(address.href);
}
