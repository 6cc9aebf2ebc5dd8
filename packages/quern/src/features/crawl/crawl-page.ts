import type { ServedTier } from '#engine/credits/prices.ts';
import type { HostVisit, VisitTiming } from '#engine/politeness/host-pace.ts';
import type { TrackedPage } from '#features/changes/page-copies.ts';
import type { CallArtifacts } from '#engine/results/artifacts.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import type { SkipReason } from '#extract/urls/link-admission.ts';
import type { Simhash } from '#extract/urls/simhash.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { isTransientStatus } from '#kernel/transient-status.ts';

/** Where a URL was found first. */
export const URL_SOURCES = ['seed', 'sitemap', 'robots', 'feed', 'known', 'links'] as const;

export type UrlSource = (typeof URL_SOURCES)[number];

/** A URL that a crawl has found. */
export type FoundUrl = {
  readonly url: string;
  /** Identifies the page: two URLs with the same key are the same page. */
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  /** Why the URL is skipped, null if it is not. */
  readonly skip: SkipReason | null;
  readonly source: UrlSource;
  /** Title and date given by the link, sitemap or feed; null for none. */
  readonly title: string | null;
  readonly lastmod: string | null;
  /** Whether the URL is listed but not visited until `unpark` is called. */
  readonly isParked: boolean;
};

/** A known URL that is not skipped, visited or not. */
export type ListedUrl = Pick<FoundUrl, 'url' | 'depth' | 'source' | 'title' | 'lastmod'>;

/** A page that one process has claimed for a visit. */
export type PageClaim = {
  /** Sequence number of the page in its crawl, in order of discovery. */
  readonly seq: number;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly parentUrl: string | null;
  /**
   * Whether the page is skipped without a visit: only a duplicate links to it, and its URL pattern yields nothing new.
   */
  readonly isBarren: boolean;
  /** The fate of a page that is not visited; absent if it is visited or barren. */
  readonly unvisitedFate?: FailedFate;
  /** Earlier visits that the host refused temporarily. */
  readonly tries: number;
};

/** Result of visiting a claimed page: its fate, its links and its cost. */
export type PageEnd = {
  readonly claim: PageClaim;
  /** Credits reserved for the page. */
  readonly reservedCredits: number;
  readonly links: readonly FoundUrl[];
  /** Number of links that are not in `links`, by reason. */
  readonly skippedLinks: Readonly<Partial<Record<SkipReason, number>>>;
  /** Final URL of the seed, which defines the scope. Null for any other page. */
  readonly baseUrl: string | null;
  readonly fate: StoredFate | FailedFate | SkippedFate | DeferredFate;
  /** A link to a hash route that was not followed, null for none. */
  readonly hashRoute: string | null;
  /** HTTP exchanges of the visit, if the crawl has an archive. */
  readonly exchanges?: readonly Segment[];
};

export type StoredFate = {
  readonly kind: 'stored';
  /** The page as it appears in the result. Null if the result has no pages (map). */
  readonly element: ResultElement | null;
  /** Title stored with the URL, null for none. */
  readonly title: string | null;
  /** Key of the content, so that no other page with the same content is stored. Null if duplicates are stored. */
  readonly contentKey: string | null;
  /** Key of the redirect target, null if there was no redirect. */
  readonly finalKey: string | null;
  /** Hash for finding near-duplicates, null if the page has too little text. */
  readonly simhash: Simhash | null;
  readonly tier: ServedTier;
  readonly credits: number;
  /** Number of model outputs; their price is included in `credits`. */
  readonly modelOutputs: number;
  /** The page to compare with its last copy, if pages are compared. */
  readonly tracked?: TrackedPage;
  /** The file of its screenshot, which becomes readable with the page; null for none. */
  readonly file: Pick<CallArtifacts, 'add' | 'discard'> | null;
};

export type FailedFate = {
  readonly kind: 'failed';
  readonly statusCode: number | null;
  /**
   * One of the service's error codes, `target_error` for a status of 400 or above, or `removed` for a page that the
   * target no longer has and whose copy was deleted.
   */
  readonly code: ErrorCode | 'target_error' | 'removed';
  readonly message: string;
  /** Whether the same visit may succeed later. Absent if the target answered. */
  readonly retryable?: boolean;
  /** Whether the page may load at another time or with other options. */
  readonly isTemporary: boolean;
  /** The page as it appears in the result, if failed pages are part of it. */
  readonly element?: ResultElement;
  /** The page to compare with its last copy, if pages are compared and the target no longer has it. */
  readonly tracked?: TrackedPage;
};

export type SkippedFate = {
  readonly kind: 'skipped';
  readonly reason: SkipReason;
  /** The redirect target that `include` and `exclude` rejected. */
  readonly filteredUrl?: string;
};

/** The host refused the visit temporarily; the page is queued again. */
export type DeferredFate = { readonly kind: 'deferred' };

/** A failed page as it appears in the result. */
export type FailedPage = {
  readonly url: string;
  /** Status of the target's answer, absent if there was none. */
  readonly status_code?: number;
  readonly code: string;
  readonly message: string;
};

/** A page of a result, mostly serialized already: `members` pass from the parser thread to the store unchanged. */
export type ResultElement = {
  /** Fields written before those of the parser. */
  readonly head: Readonly<Record<string, unknown>>;
  /** The parser's fields as JSON without the outer braces, UTF-8. */
  readonly members: Uint8Array<ArrayBuffer>;
  readonly tail: Readonly<Record<string, unknown>>;
};

/** A visited page and how its host responded. */
export type VisitedPage = {
  readonly end: PageEnd;
  readonly timing: VisitTiming;
  /** Releases the memory accounted to the page, once it is committed or dropped. */
  readonly releaseMemory: () => void;
};

/**
 * Visits and reads one page. `hostVisit` is null if no request is sent. Throws only if the whole crawl cannot continue.
 */
export type VisitPage = (
  claim: PageClaim,
  signal: AbortSignal,
  place: Pick<HostVisit, 'releasePlace' | 'takePlace'> | null,
) => Promise<VisitedPage>;

/** Maximum length of a title in the list of a crawl's pages. */
const MAX_TITLE_CHARS = 300;

/** Truncates a title for the list of pages, and removes characters that not every database accepts. */
export function truncateTitle(title: string | null): string | null {
  return title === null ? null : title.slice(0, MAX_TITLE_CHARS).replaceAll('\0', '').toWellFormed();
}

/** A failed page as it appears in the result. */
export function toFailedPage(
  url: string,
  { statusCode, code, message }: Pick<FailedFate, 'statusCode' | 'message'> & { readonly code: string },
): FailedPage {
  return { url, ...(statusCode === null ? {} : { status_code: statusCode }), code, message };
}

/** The fate of a page that was answered with a status of 400 or above, or without a body. */
export function buildHttpFailure(status: number): FailedFate {
  const code = status === 404 || status === 410 ? 'not_found' : 'target_error';
  const message = `the target answered ${status}${status < 400 ? ' with an empty body' : ''}`;
  return { kind: 'failed', statusCode: status, code, message, isTemporary: isTransientStatus(status) };
}

/** The element of an ended page in the result; null if it has none. */
export function getElement({ fate }: Pick<PageEnd, 'fate'>): ResultElement | null {
  return 'element' in fate ? (fate.element ?? null) : null;
}

/** Formats a page of a result as one line of JSON Lines, in UTF-8 pieces. */
export function toJsonLine({ head, members, tail }: ResultElement): readonly Uint8Array[] {
  const before = `${JSON.stringify(head).slice(0, -1)},`;
  const after = `,${JSON.stringify(tail).slice(1)}\n`;
  return [Buffer.from(before), members, Buffer.from(after)];
}
