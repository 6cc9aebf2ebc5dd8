import { findAttemptFailure, buildFailure } from '#access/failure.ts';
import type { Page } from '#access/page.ts';
import { ALLOW_ALL, parseRobots, type Robots, ROBOTS_AGENT, interpretStatus, isAllowed } from './robots.ts';
import type { HostPace } from './host-pace.ts';
import { waitUnlessAborted } from '#kernel/deadline.ts';
import { getPathAndQuery, toUrlParts } from '#extract/urls/url-parts.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';

/** How long a robots.txt is cached (RFC 9309, 2.4: at most a day), and a failure to read it. */
const LIFETIME_MS = 3600 * 1000;
const FAILURE_LIFETIME_MS = 30_000;
const MAX_ORIGINS = 10_000;
const FETCH_TIMEOUT_MS = 15_000;
/** Delay before a failed robots.txt is requested once more. */
const RETRY_MS = 1000;

type CachedRobots = { readonly at: number; readonly lastsMs: number; readonly robots: Promise<Robots> };

type RobotsCacheParts = {
  /** Fetches the file. `insecureTls` accepts any certificate. Throws `ServiceError`. */
  readonly visit: (url: URL, signal: AbortSignal, insecureTls: boolean) => Promise<Page>;
  readonly clock: Clock;
};

/** The robots.txt of each origin, cached in this process. */
export class RobotsCache {
  readonly #parts: RobotsCacheParts;
  readonly #known = new Map<string, CachedRobots>();

  constructor(parts: RobotsCacheParts) {
    this.#parts = parts;
  }

  /**
   * Returns the rules of an origin's robots.txt for Quern. An unreadable robots.txt forbids everything: then it throws
   * an error with the reason, and `timeout` when the signal aborts. With `insecureTls` any certificate is accepted.
   */
  async getRules(origin: string, signal: AbortSignal, insecureTls = false): Promise<Robots> {
    return waitUnlessAborted(this.#find(origin, insecureTls), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw buildFailure('timeout', 'robots.txt was not received in time', { reason: 'robots', cause: error });
    });
  }

  /** Throws `target_blocked` if robots.txt forbids a URL, and the errors of `getRules`. */
  async assertAllowed(url: URL, signal: AbortSignal, insecureTls = false): Promise<void> {
    const rules = await this.getRules(url.origin, signal, insecureTls);
    if (isUrlAllowed(rules, url.href)) return;
    throw new ServiceError('target_blocked', `the robots.txt of ${url.host} forbids ${ROBOTS_AGENT} to fetch this URL`);
  }

  async #find(origin: string, insecureTls: boolean): Promise<Robots> {
    const now = this.#parts.clock.now();
    const key = insecureTls ? `unverified ${origin}` : origin;
    const cached = this.#known.get(key);
    if (cached !== undefined && now >= cached.at && now - cached.at < cached.lastsMs) return cached.robots;
    const robots = this.#ask(origin, insecureTls);
    this.#remember(key, { at: now, lastsMs: LIFETIME_MS, robots });
    try {
      return await robots;
    } catch (error) {
      this.#known.set(key, { at: this.#parts.clock.now(), lastsMs: FAILURE_LIFETIME_MS, robots });
      throw error;
    }
  }

  /** Fetches the file, and retries once after a temporary failure. */
  async #ask(origin: string, insecureTls: boolean): Promise<Robots> {
    try {
      return await this.#askOnce(origin, insecureTls);
    } catch (error) {
      if (findAttemptFailure(error)?.facts.isPermanent === true) throw error;
      await this.#parts.clock.sleep(RETRY_MS);
      return this.#askOnce(origin, insecureTls);
    }
  }

  async #askOnce(origin: string, insecureTls: boolean): Promise<Robots> {
    const { visit, clock } = this.#parts;
    const url = new URL('/robots.txt', origin);
    const page = await visit(url, clock.deadline(FETCH_TIMEOUT_MS), insecureTls).catch((error: unknown) =>
      ignoreRedirectLoop(error, url),
    );
    if (page === null) return ALLOW_ALL;
    const meaning = interpretStatus(page.status, 0);
    if (meaning === 'forbid_all') throw createUnreadableError(url, page);
    return meaning === 'read' ? parseRobots(page.body, ROBOTS_AGENT) : ALLOW_ALL;
  }

  #remember(key: string, known: CachedRobots): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_ORIGINS) break;
      this.#known.delete(oldest);
    }
  }
}

/** Builds a check of URLs against robots.txt. It also passes the crawl delay on to the pace of the host. */
export function buildRobotsCheck(
  robots: Pick<RobotsCache, 'getRules'>,
  paceOf: (host: string) => Pick<HostPace, 'setCrawlDelay'>,
  insecureTls = false,
): (url: URL, signal: AbortSignal) => Promise<boolean> {
  return async ({ origin, href }, signal) => {
    const rules = await robots.getRules(origin, signal, insecureTls);
    const address = toUrlParts(href);
    if (address === null) return false;
    paceOf(address.authority).setCrawlDelay(rules.crawlDelayMs);
    return isAllowed(rules, getPathAndQuery(address));
  };
}

/** Whether robots.txt rules allow a URL. */
export function isUrlAllowed(rules: Robots, url: string): boolean {
  const address = toUrlParts(url);
  return address !== null && isAllowed(rules, getPathAndQuery(address));
}

function createUnreadableError({ href }: URL, { status }: Page): ServiceError {
  const says = `${href} answered ${status}; the site is not visited until its robots.txt can be read`;
  return buildFailure('unreachable', says, { reason: 'robots', status });
}

/** Returns null for a redirect loop, which counts as a missing file (RFC 9309, 2.3.1.2). Rethrows any other error. */
function ignoreRedirectLoop(error: unknown, { href }: URL): null {
  if (REDIRECT_REASONS.has(findAttemptFailure(error)?.facts.reason ?? '')) return null;
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, cause, retryable } = error;
  throw new ServiceError(code, `${href} could not be read: ${message}`, { cause, retryable });
}

const REDIRECT_REASONS: ReadonlySet<string> = new Set(['redirect', 'redirects']);
