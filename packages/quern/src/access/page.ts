import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { WorkOwner } from '#kernel/fair-queue.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { CapturedResponse, CaptureRule } from '#sites/framework/request.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import type { Cookie, StoredCookie, WebSession } from './web-session.ts';

/** The access levels, cheapest first. */
export const TIERS = ['http', 'browser', 'proxy', 'proxy_browser'] as const;

export type Tier = (typeof TIERS)[number];

/** The tiers that run the scripts of a page. */
export const RENDERING_TIERS: ReadonlySet<Tier> = new Set(['browser', 'proxy_browser']);
/** The tiers that go through a proxy. */
export const PROXY_TIERS: ReadonlySet<Tier> = new Set(['proxy', 'proxy_browser']);

/** The outcomes of one attempt. */
export const OUTCOMES = [
  'ok',
  'thin',
  'js_required',
  'challenge',
  'blocked',
  'rate_limited',
  'auth_required',
  'geo_or_legal',
  'not_found',
  'http_error',
  'unreachable',
  'tls_error',
  'timeout',
  'proxy_error',
  'render_failed',
  'too_large',
  'unusable',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** One attempt of the ladder, as the response and the request log show it. */
export type Attempt = {
  readonly tier: Tier;
  readonly outcome: Outcome;
  readonly status_code?: number;
  readonly reason?: string;
  readonly duration_ms: number;
  /** Bytes received on the wire, without headers. */
  readonly bytes: number;
};

/**
 * Cookies that a host set after a browser passed its challenge, and the identifying headers of that browser. They are valid only
 * together, and only from the same IP address.
 */
export type ChallengeCookies = {
  readonly cookies: readonly StoredCookie[];
  /** User-Agent and client hints of the browser, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

export const SCREENSHOT_FORMATS = ['png', 'jpeg', 'webp'] as const;

/** Kinds of requests that a browser can leave out. */
export const BLOCK_KINDS = ['ads', 'images', 'fonts', 'media'] as const;

export type BlockKind = (typeof BLOCK_KINDS)[number];

export const DEVICES = ['desktop', 'mobile'] as const;

export type Device = (typeof DEVICES)[number];

/** Lengths in CSS pixels. */
type Size = { readonly width: number; readonly height: number };

/** A part of a page, from its top left corner. */
export type PageArea = Size & { readonly x: number; readonly y: number };

/** How a screenshot is made. */
export type ScreenshotOptions = {
  readonly fullPage: boolean;
  readonly format: (typeof SCREENSHOT_FORMATS)[number];
  /** 1 to 100, of JPEG and WebP; omitted for the default. */
  readonly quality?: number | undefined;
  /** The size of the visible part of the page; omitted for that of the device. */
  readonly viewport?: Size | undefined;
  /** The part of the page to show, from its top left corner; omitted for no clip. */
  readonly clip?: PageArea | undefined;
  /** The first visible element that this CSS selector matches is shown; omitted for the page. */
  readonly selector?: string | undefined;
};

/** Options for rendering a page; `device` and `locale` also apply to visits by HTTP. */
export type RenderOptions = {
  /** A CSS selector that must match before the page is captured; null for none. */
  readonly waitForSelector: string | null;
  /** Time to wait before the page is captured, ms. */
  readonly waitMs: number;
  /** Whether to scroll to the end of the page, for lazily loaded content. */
  readonly scroll: boolean;
  /** CSS selectors to click before, in this order; missing elements are skipped. */
  readonly click?: readonly string[];
  /** Loads more content after that, round by round. */
  readonly more?: LoadMore;
  readonly device: Device;
  /** User-Agent to use; null for that of the browser. */
  readonly userAgent: string | null;
  /** A BCP 47 tag: the language and number formats that the page sees. */
  readonly locale: string | null;
  readonly screenshot: ScreenshotOptions | null;
  readonly pdf: boolean;
  /** Kinds of requests that the page cannot make; omitted for none. */
  readonly block?: readonly BlockKind[];
};

/** Rounds of loading more content; they end when a round adds nothing, or when little time is left. */
export type LoadMore = {
  readonly rounds: number;
  /** A CSS selector to click in each round; if it is null or missing, the round scrolls to the end of the page. */
  readonly click: string | null;
};

export const SUBMIT_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A request with another method than GET. Only visits by HTTP support it. */
export type Submission = {
  readonly method: (typeof SUBMIT_METHODS)[number];
  /** Null for none. */
  readonly body: string | null;
  /** The content type of the body; null for none. */
  readonly contentType: string | null;
  /** Set if the target must get the request at most once; null if it may be repeated. */
  readonly once: SendOnce | null;
};

/** The state of a request that the target must get at most once. */
export type SendOnce = {
  /** Whether the request may have reached the target. */
  readonly isSent: () => boolean;
  /** Called before the request is written to a connection; an error prevents that. */
  readonly beforeSend: () => Promise<void>;
};

/** Whether a request may have reached its target, which must not get it again. */
export function isSpent({ submission }: Pick<PageRequest, 'submission'>): boolean {
  return submission?.once?.isSent() === true;
}

/** Runs a wait that the target did not cause while the time limit of the attempt is paused. */
export type RunUntimed = <T>(wait: () => Promise<T>) => Promise<T>;

/** Runs a wait without pausing anything, if there is no time limit. */
export const runTimed: RunUntimed = async (wait) => wait();

/**
 * The request of one page. `url` has been checked by the guard; headers and cookies of the caller are sent to its origin
 * only.
 */
export type PageRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** The named session of the caller, whose cookies and storage the visit uses and changes. */
  readonly session?: WebSession | undefined;
  /** Country (ISO 3166, lower case) of the proxy exit; absent for any. */
  readonly country?: string;
  /** Decides whether a redirect is followed; an error ends the visit. */
  readonly follows?: (to: URL, signal: AbortSignal) => Promise<boolean>;
  /** The tenant that the visit is for, for fair queueing; absent for the service itself. */
  readonly party?: WorkOwner;
  /** The page's share of the memory budget; small pages use none. */
  readonly share?: MemoryShare;
  /** Called when the main document in a browser has its response: status, and monotonic start of the visit in ms. */
  readonly onAnswer?: (status: number, since: number) => void;
  /** Records each exchange of the visit. */
  readonly recorder?: ExchangeRecorder;
  readonly browser?: RenderOptions;
  /** Absent for a GET. */
  readonly submission?: Submission;
  /** Whether certificates of the target are accepted unchecked. */
  readonly insecureTls?: boolean;
  /** Which responses that the page loads in a browser are captured. */
  readonly captures?: readonly CaptureRule[];
  /** The crawl job; its pages of one host may share a browser context. Absent for other visits. */
  readonly job?: string;
  /** Challenge cookies that a browser obtained from the host, for a visit without a browser. */
  readonly challengeCookies?: ChallengeCookies;
  /** Called with challenge cookies that a browser obtained from the host. */
  readonly storeChallengeCookies?: (earned: ChallengeCookies) => void;
  /** Remaining time of this visit, ms; absent if it has only a signal. */
  readonly leftMs?: () => number;
  /** Waits for a slot or memory while the time of this visit is paused; absent if it has no time limit. */
  readonly runUntimed?: RunUntimed;
  /** Whether no other tier follows, so that the first byte may take as long as the visit. */
  readonly isLastTier?: boolean;
  /** The outcome of the previous tier; after a block, the full browser is used and starts from scratch. */
  readonly previousOutcome?: Outcome;
  /** The page of a cheaper tier that lacks only content from scripts; a browser may start from it. */
  readonly arrived?: Page;
};

/** A file made from a page (screenshot, PDF) or downloaded by it. */
export type Artifact = {
  readonly kind: 'screenshot' | 'pdf' | 'download';
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of an image, pixels; null for other files. */
  readonly size: { readonly width: number; readonly height: number } | null;
};

/**
 * A page: decoded bytes or the rendered HTML, and its URL after redirects. For a redirect that was not followed: its status,
 * an empty body, and the URL it points to.
 */
export type Page = {
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly wireBytes: number;
  readonly warnings: readonly Warning[];
  readonly artifacts?: readonly Artifact[];
  /** Responses that the page loaded in a browser and that matched the capture rules. */
  readonly captures?: readonly CapturedResponse[];
  /** Set if a browser ran its scripts although the tier has no browser. */
  readonly rendered?: boolean;
  /** When a cached page was fetched, ms since 1970; absent for a page fetched now. */
  readonly fetchedAt?: number;
};

/** The outcome of a page, and the bot-protection vendor or cause if known. */
export type Classification = {
  readonly outcome: Outcome;
  readonly reason?: string;
  /** Visible characters; counting may stop early. */
  readonly visibleChars: number;
  /** Whether a browser may get more content: there are scripts, or the site may have blocked a visit without a browser. */
  readonly mayImprove: boolean;
  /** What the parser of a site endpoint made of the page; absent for other pages. */
  readonly verdict?: SiteVerdict | undefined;
};

export type ClassifiedPage = { readonly page: Page; readonly classification: Classification };

/** Fetches one page or throws a `ServiceError`; ends when the signal fires. */
export type Visit = (request: PageRequest, signal: AbortSignal) => Promise<Page>;

/** Fetches one page with a tier and classifies it; throws as `Visit` does. */
export type TierVisit = (request: PageRequest, signal: AbortSignal) => Promise<ClassifiedPage>;

/** Default render options: desktop, no waits, no screenshot. */
export const DEFAULT_RENDER_OPTIONS: RenderOptions = {
  waitForSelector: null,
  waitMs: 0,
  scroll: false,
  device: 'desktop',
  userAgent: null,
  locale: null,
  screenshot: null,
  pdf: false,
};
