import { z } from 'zod';
import { isErrorPage } from '#access/classify/error-page.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { PRICES, type ServedTier } from '#engine/credits/prices.ts';
import { DEFAULT_READ_OPTIONS } from '#extract/reading.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { PAGE_FIELDS } from '#features/schema/page-fields.ts';
import { PAGE_OUTPUTS } from '#features/schema/page-outputs.ts';
import type { Clock } from '#kernel/clock.ts';
import { waitUnlessAborted } from '#kernel/deadline.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';

const CONTENT_OUTPUTS = ['markdown', 'text', 'html', 'links'] as const;

/** The parameter that adds the content of result pages to a search. */
export const SearchContent = z.strictObject({
  output: z.array(z.enum(CONTENT_OUTPUTS)).min(1).default(['markdown']).describe('Formats of each page'),
  pages: wholeNumber(1, 10).default(5).describe('How many results to read, best first; each costs what fetch costs'),
  max_chars: wholeNumber(200, 200_000).default(20_000).describe('Most characters of each text format of a page'),
  only_main_content: PAGE_FIELDS.only_main_content,
  respect_robots: z.boolean().default(false).describe('Obey robots.txt: a disallowed page has a content_error'),
});

type SearchContent = z.output<typeof SearchContent>;

/** The fields that `content` adds to a result: one of both for each page that was tried. */
export const CONTENT_FIELDS = {
  content: nameSchema(
    'SearchPageContent',
    z.object({
      final_url: z.string(),
      status_code: z.int(),
      markdown: PAGE_OUTPUTS.markdown,
      text: PAGE_OUTPUTS.text,
      html: PAGE_OUTPUTS.html,
      links: PAGE_OUTPUTS.links,
      truncated: z.boolean().describe('Whether max_chars cut a text'),
    }),
  )
    .optional()
    .describe('The page of the result, if content was requested and the page was read'),
  content_error: nameSchema('SearchPageError', z.object({ code: z.string(), message: z.string() }))
    .optional()
    .describe('Why the page was not read; such a page is free'),
} as const;

type ContentFields = {
  readonly content?: z.output<(typeof CONTENT_FIELDS)['content']>;
  readonly content_error?: { readonly code: ErrorCode; readonly message: string };
};

/** The fields of each result that was read, in the order of the results, and the number of charged pages by tier. */
export type PageContents = {
  readonly fields: readonly ContentFields[];
  readonly tiers: Readonly<Partial<Record<ServedTier, number>>>;
};

/** The most that one page costs: searches read pages without a proxy. */
export const MAX_PAGE_CREDITS = PRICES.fetch.base;
/** Pages that are fetched at the same time. */
const MAX_CONCURRENT = 5;
/** The part of the remaining time that is reserved for building and sending the response. */
const RESPONSE_SHARE = 0.1;

type ContentParts = { readonly readTarget: (url: string) => URL; readonly clock: Clock };

/**
 * Fetches and reads the pages of results, several at a time. A page that fails, or is not ready shortly before the call
 * ends, has a `content_error`. Throws if the call itself is aborted.
 */
export async function readContents(
  urls: readonly string[],
  content: SearchContent,
  call: Pick<WorkCall, 'visit' | 'read' | 'deadline' | 'signal'>,
  { readTarget, clock }: ContentParts,
): Promise<PageContents> {
  const { deadline, signal } = call;
  const leftMs = deadline.startedAt + deadline.timeoutMs - clock.monotonic();
  const timeoutMs = Math.max(1, Math.floor(leftMs * (1 - RESPONSE_SHARE)));
  const fault = new AbortController();
  const ending = clock.deadline(timeoutMs, AbortSignal.any([signal, fault.signal]));
  const fields: ContentFields[] = urls.map(() => ({}));
  const tiers: Partial<Record<ServedTier, number>> = {};
  const queue = urls.entries();

  async function readNext(): Promise<void> {
    for (const [at, url] of queue) {
      const read = await readInTime(async () => readContent(readTarget(url), content, { ...call, signal: ending }), {
        ending,
        signal,
      });
      if (read instanceof ServiceError) fields[at] = { content_error: { code: read.code, message: read.message } };
      else {
        fields[at] = { content: read.content };
        tiers[read.tier] = (tiers[read.tier] ?? 0) + 1;
      }
    }
  }

  try {
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, readNext));
    return { fields, tiers };
  } finally {
    // Stops the other pages if one of them failed because of a bug.
    fault.abort();
  }
}

/**
 * Runs the reading of one page until `ending` aborts. Returns the error of a page that failed or was too late. Throws if
 * `signal`, the end of the call, aborts.
 */
export async function readInTime<T>(
  work: () => Promise<T>,
  { ending, signal }: { readonly ending: AbortSignal; readonly signal: AbortSignal },
): Promise<T | ServiceError> {
  try {
    ending.throwIfAborted();
    return await waitUnlessAborted(work(), ending);
  } catch (error) {
    signal.throwIfAborted();
    if (ending.aborted) return new ServiceError('timeout', 'the page was not ready in time');
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

async function readContent(
  url: URL,
  { output, max_chars: maxChars, only_main_content: onlyMainContent, respect_robots: respectRobots }: SearchContent,
  { visit, read, signal }: Pick<WorkCall, 'visit' | 'read' | 'signal'>,
) {
  const { page, tier } = await visit(
    { url, headers: {}, cookies: [] },
    { maxAgeMs: 0, respectRobots, isSufficient: null, signal },
  );
  if (isErrorPage(page)) {
    throw new ServiceError('unusable_response', `the page is an error page or empty (status ${page.status})`);
  }
  const { body, contentType } = page;
  const { outputs, truncated } = await read({
    body,
    contentType,
    url: page.url,
    ...DEFAULT_READ_OPTIONS,
    outputs: output,
    onlyMainContent,
    maxChars,
  });
  const { markdown, text, html, links } = outputs;
  const given = {
    ...(markdown === undefined ? {} : { markdown }),
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    ...(links === undefined ? {} : { links }),
  };
  return { tier, content: { final_url: page.url, status_code: page.status, ...given, truncated } };
}
