import type { ServedTier } from '#engine/credits/prices.ts';
import type { HostVisit, VisitTiming } from '#engine/politeness/host-paces.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import type { SkipReason } from '#extract/urls/admission.ts';
import type { Simhash } from '#extract/urls/simhash.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { isPassingStatus } from '#kernel/passing-status.ts';

/** Where a URL was met first. */
export const URL_SOURCES = ['seed', 'sitemap', 'robots', 'feed', 'links'] as const;

export type UrlSource = (typeof URL_SOURCES)[number];

/** A URL that a crawl came across. */
export type FoundUrl = {
  readonly url: string;
  /** Identifies the page: two URLs with one key are one page. */
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  /** Why the URL is left out, null when it is not. */
  readonly skip: SkipReason | null;
  readonly source: UrlSource;
  /** Title and date as given where the URL was met, null for none. */
  readonly title: string | null;
  readonly lastmod: string | null;
  /** Whether the URL is listed but not visited until `unpark`. */
  readonly isParked: boolean;
};

/** A known URL that is not left out, visited or not. */
export type ListedUrl = Pick<FoundUrl, 'url' | 'depth' | 'source' | 'title' | 'lastmod'>;

/** A page that one process has claimed and visits now. */
export type PageClaim = {
  /** Number of the page in its crawl, in the order of discovery. */
  readonly seq: number;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly parentUrl: string | null;
  /** Whether it is left out unvisited: only a duplicate led to it, and pages of its pattern bring nothing new. */
  readonly isBarren: boolean;
  /** Visits before this one that the host refused for now. */
  readonly tries: number;
};

/** The end of a claimed page: its fate, its links and its cost. */
export type PageEnd = {
  readonly claim: PageClaim;
  /** Credits that were set aside for the page. */
  readonly reservedCredits: number;
  readonly links: readonly FoundUrl[];
  /** Number of links that yielded no URL, by reason. */
  readonly skippedLinks: Readonly<Partial<Record<SkipReason, number>>>;
  /** Final URL of the seed, which the scope is taken from; null for any other page. */
  readonly baseUrl: string | null;
  readonly fate: StoredFate | FailedFate | SkippedFate | DeferredFate;
  /** A link to a hash route that was not followed. */
  readonly hashRoute: string | null;
  /** HTTP exchanges of the visit, where an archive is kept. */
  readonly exchanges?: readonly Segment[];
};

export type StoredFate = {
  readonly kind: 'stored';
  /** The page as the result lists it; null where pages are not part of the result. */
  readonly element: ResultElement | null;
  /** Title to keep with the URL, null for none. */
  readonly title: string | null;
  /** Key of the content, so that no other page with it is stored; null where duplicates are kept. */
  readonly contentKey: string | null;
  /** Key of the redirect's target, null where the page was served from its own URL. */
  readonly finalKey: string | null;
  /** Hash that finds near-duplicates; null where the page has too little text. */
  readonly simhash: Simhash | null;
  readonly tier: ServedTier;
  readonly credits: number;
  /** Number of outputs by a model; their price is included in `credits`. */
  readonly modelOutputs: number;
};

export type FailedFate = {
  readonly kind: 'failed';
  readonly statusCode: number | null;
  /** A code of the service's own table, or `target_error` for an answer of 400 or above. */
  readonly code: ErrorCode | 'target_error';
  readonly message: string;
  /** Whether the same visit may succeed later; absent for an answer of the target. */
  readonly retryable?: boolean;
  /** Whether the page may come at another time or in another way. */
  readonly isTemporary: boolean;
};

export type SkippedFate = {
  readonly kind: 'skipped';
  readonly reason: SkipReason;
  /** The URL that `include` and `exclude` refused, where a redirect led there. */
  readonly filteredUrl?: string;
};

/** The host refused the visit for now: the page waits again. */
export type DeferredFate = { readonly kind: 'deferred' };

/** A failed page as the result lists it. */
export type FailedPage = {
  readonly url: string;
  /** Status of the target's answer, where there was one. */
  readonly status_code?: number;
  readonly code: string;
  readonly message: string;
};

/** A page of a result, mostly as JSON already: members pass from the parser thread to the store unchanged. */
export type ResultElement = {
  /** Members written before and after those of the parser. */
  readonly head: Readonly<Record<string, unknown>>;
  /** UTF-8, without braces. */
  readonly members: Uint8Array<ArrayBuffer>;
  readonly tail: Readonly<Record<string, unknown>>;
};

/** A visited page and how its host took the visit. */
export type VisitedPage = {
  readonly end: PageEnd;
  readonly timing: VisitTiming;
  /** Gives back the memory that the page is counted with, once it is committed or dropped. */
  readonly releaseMemory: () => void;
};

/**
 * Visits and reads one page, with its place at the host, null where nothing is asked of that; throws only when the whole crawl
 * cannot go on.
 */
export type VisitPage = (
  claim: PageClaim,
  signal: AbortSignal,
  place: Pick<HostVisit, 'answered' | 'resume'> | null,
) => Promise<VisitedPage>;

/** Characters of a title that the list of a crawl's pages has. */
const MAX_TITLE_CHARS = 300;

/** The start of the title of a page, for the list of pages; no store takes every character. */
export function truncateTitle(title: string | null): string | null {
  return title === null ? null : title.slice(0, MAX_TITLE_CHARS).replaceAll('\0', '').toWellFormed();
}

/** A failed page as the result lists it. */
export function toFailedPage(
  url: string,
  { statusCode, code, message }: Pick<FailedFate, 'statusCode' | 'message'> & { readonly code: string },
): FailedPage {
  return { url, ...(statusCode === null ? {} : { status_code: statusCode }), code, message };
}

/** The fate of a page whose answer has status 400 or above, or no body. */
export function buildHttpFailure(status: number): FailedFate {
  const code = status === 404 || status === 410 ? 'not_found' : 'target_error';
  const message = `the target answered ${status}${status < 400 ? ' with an empty body' : ''}`;
  return { kind: 'failed', statusCode: status, code, message, isTemporary: isPassingStatus(status) };
}

/** A page of a result as the pieces of one line of JSON Lines, UTF-8. */
export function toJsonLine({ head, members, tail }: ResultElement): readonly Uint8Array[] {
  const before = `${JSON.stringify(head).slice(0, -1)},`;
  const after = `,${JSON.stringify(tail).slice(1)}\n`;
  return [Buffer.from(before), members, Buffer.from(after)];
}
