import type { CapturedResponse, CaptureRule } from '#sites/framework/captures.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { Party } from '#kernel/turns.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Cookie, StoredCookie } from './cookie.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import type { WebSession } from './web-session.ts';

/** The access levels, cheapest first. */
export const TIERS = ['http', 'browser', 'proxy', 'proxy_browser'] as const;

export type Tier = (typeof TIERS)[number];

/** The tiers that run the scripts of a page. */
export const RENDERS: ReadonlySet<Tier> = new Set(['browser', 'proxy_browser']);
/** The tiers that go through a proxy. */
export const USES_PROXY: ReadonlySet<Tier> = new Set(['proxy', 'proxy_browser']);

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

/** One step of the ladder, as the answer and the request log show it. */
export type Attempt = {
  readonly tier: Tier;
  readonly outcome: Outcome;
  readonly status_code?: number;
  readonly reason?: string;
  readonly duration_ms: number;
  /** Bytes received on the wire, headers aside. */
  readonly bytes: number;
};

/**
 * The cookies that a host gave to a browser that ran its challenge, and the name the browser gave itself. The two count
 * only together, and only from the address at which they were earned.
 */
export type ChallengeCookies = {
  readonly cookies: readonly StoredCookie[];
  /** The headers by which the browser named itself, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

export const SCREENSHOT_FORMATS = ['png', 'jpeg', 'webp'] as const;

export const DEVICES = ['desktop', 'mobile'] as const;

export type Device = (typeof DEVICES)[number];

/** The options of rendering a page; `device` and `locale` hold for a visit by HTTP too. */
export type RenderOptions = {
  /** A CSS selector that must match before the page is taken. */
  readonly waitForSelector: string | null;
  /** Time to let pass before the page is taken, ms. */
  readonly waitMs: number;
  /** Whether to scroll to the end of the page, for content that loads only when it is seen. */
  readonly scroll: boolean;
  /** CSS selectors to click in this order before, each where it is there. */
  readonly click?: readonly string[];
  /** Loads more of the page after that, round by round. */
  readonly more?: LoadMore;
  readonly device: Device;
  /** The user agent of the browser; null for its own. */
  readonly userAgent: string | null;
  /** A BCP 47 tag: the language and number formats that the page sees. */
  readonly locale: string | null;
  readonly screenshot: { readonly fullPage: boolean; readonly format: (typeof SCREENSHOT_FORMATS)[number] } | null;
  readonly pdf: boolean;
};

/** Rounds of loading more: they end where one brings nothing new, and while there is time to take the page. */
export type LoadMore = {
  readonly rounds: number;
  /** A CSS selector that is clicked in each round, where it is there; else the round goes to the end of the page. */
  readonly click: string | null;
};

/** Does what is no fault of a target, outside of the time that the target has. */
export type RunUntimed = <T>(wait: () => Promise<T>) => Promise<T>;

/** The same where no time runs that could be stopped. */
export const runTimed: RunUntimed = async (wait) => wait();

/** The request of one page. `url` has passed `readTarget`; caller headers and cookies leave only to its own origin. */
export type PageRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** The named session of the caller, whose cookies and storage the visit uses and changes. */
  readonly session?: WebSession | undefined;
  /** The country (ISO 3166, lower case) from which a proxy is to ask; absent for any. */
  readonly country?: string;
  /** Asked before a redirect is followed, whether it is; what it throws ends the visit. */
  readonly follows?: (to: URL, signal: AbortSignal) => Promise<boolean>;
  /** The tenant that the visit is for, whose turn it is where tenants wait; absent for the service itself. */
  readonly party?: Party;
  /** The page's share of the memory of all open pages; small ones take nothing. */
  readonly share?: MemoryShare;
  /** Called once the main document of a browser has its answer, with the status and the monotonic start of the visit, ms. */
  readonly onAnswer?: (status: number, since: number) => void;
  /** Records each exchange of the visit. */
  readonly recorder?: ExchangeRecorder;
  readonly browser?: RenderOptions;
  /** A body to send by POST, with its type among `headers`; only visits by HTTP can. */
  readonly post?: string;
  /** Which of the answers that a page loads in a browser are to be kept. */
  readonly captures?: readonly CaptureRule[];
  /** The crawl job whose pages of one host a browser may show in one context, a few at a time; absent for none. */
  readonly job?: string;
  /** Challenge cookies that a browser earned at the host, for a visit without one. */
  readonly challengeCookies?: ChallengeCookies;
  /** Called with the challenge cookies that a browser earned at the host. */
  readonly storeChallengeCookies?: (earned: ChallengeCookies) => void;
  /** How much of the time of this visit is left, ms; absent where only its signal tells. */
  readonly leftMs?: () => number;
  /** Waits for a place or for memory of this machine, without using up the time of this visit; absent where it has none. */
  readonly runUntimed?: RunUntimed;
  /** Whether no other tier comes after this one, so that a first byte may take as long as the visit. */
  readonly isLastTier?: boolean;
  /** The outcome of a cheaper tier: after a block the full browser visits, with nothing of that visit. */
  readonly previousOutcome?: Outcome;
  /** The answer to a cheaper tier that only lacks the content of its scripts; a browser may start from it. */
  readonly arrived?: Page;
};

/** A file made of a page, or downloaded by one. */
export type Artifact = {
  readonly kind: 'screenshot' | 'pdf' | 'download';
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of an image, in pixels; null of what has none. */
  readonly size: { readonly width: number; readonly height: number } | null;
};

/**
 * A page: decoded bytes, or the HTML as a browser shows it, and its address after redirects. Of a
 * redirect that was not to be followed it has the status, no bytes, and where it leads.
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
  /** Answers that the page loaded in a browser, as the rules of `captures` kept them. */
  readonly captures?: readonly CapturedResponse[];
  /** Whether a browser ran its scripts, where the tier does not say so already. */
  readonly rendered?: boolean;
  /** When a page of the cache was fetched, ms since 1970; left out of one that was fetched now. */
  readonly fetchedAt?: number;
};

/** The outcome of a page, and the vendor or cause where one is known. */
export type Classification = {
  readonly outcome: Outcome;
  readonly reason?: string;
  /** Visible characters, as far as they were counted. */
  readonly visible: number;
  /** Whether a browser may bring more: there are scripts to run, or the site may have blocked a visit without a browser. */
  readonly mayGrow: boolean;
};

export type ClassifiedPage = { readonly page: Page; readonly classification: Classification };

/** Gets one page or throws a `ServiceError`; ends when the signal fires. */
export type Visit = (request: PageRequest, signal: AbortSignal) => Promise<Page>;

/** Gets one page by a tier and classifies it; throws as `Visit` does. */
export type TierVisit = (request: PageRequest, signal: AbortSignal) => Promise<ClassifiedPage>;
