import { attemptFailureOf, failed } from '#access/failure.ts';
import type { Page } from '#access/page.ts';
import { ALLOW_ALL, FORBID_ALL, parseRobots, ROBOTS_AGENT, robotsOfAnswer } from './robots.ts';
import type { HostPace } from './host-paces.ts';
import type { Robots } from './robots.ts';
import { isAllowed } from './robots-rules.ts';
import { untilAborted } from '#kernel/deadline.ts';
import { pathAndQuery, toUrlParts } from '#extract/urls/address.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';

/** How long a robots.txt is valid (RFC 9309, 2.4: at most a day), and a failure to read it. */
const READ_MS = 3600 * 1000;
const SILENT_MS = 30_000;
const MOST_ORIGINS = 10_000;
const VISIT_MS = 15_000;

type Known = { readonly at: number; readonly lastsMs: number; readonly robots: Promise<Robots> };

type RobotsGateParts = {
  /** Gets the file through the guard; throws `ServiceError`. */
  readonly visit: (url: URL, signal: AbortSignal) => Promise<Page>;
  readonly clock: Clock;
};

/** The robots.txt of each origin, cached in this process. */
export class RobotsGate {
  readonly #parts: RobotsGateParts;
  readonly #known = new Map<string, Known>();

  constructor(parts: RobotsGateParts) {
    this.#parts = parts;
  }

  /**
   * The rules of an origin's robots.txt for Quern; one that answers with a failure forbids everything until it answers
   * again. Throws the `ServiceError` of an origin that does not answer at all, and `timeout` when the signal fires.
   */
  async of(origin: string, signal: AbortSignal): Promise<Robots> {
    return untilAborted(this.#find(origin), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw failed('timeout', 'robots.txt did not come in time', { reason: 'robots', cause: error });
    });
  }

  /**
   * Throws `target_blocked` for an address that Quern may not visit, `target_unreachable` where robots.txt answers with
   * a failure, and the errors of `of`.
   */
  async demand(url: URL, signal: AbortSignal): Promise<void> {
    const rules = await this.of(url.origin, signal);
    if (rules === FORBID_ALL) throw new ServiceError('target_unreachable', `${SILENT}: ${url.host}`);
    if (allows(rules, url.href)) return;
    throw new ServiceError('target_blocked', `the robots.txt of ${url.host} forbids ${ROBOTS_AGENT} this address`);
  }

  async #find(origin: string): Promise<Robots> {
    const now = this.#parts.clock.now();
    const found = this.#known.get(origin);
    if (found !== undefined && now >= found.at && now - found.at < found.lastsMs) return found.robots;
    const robots = this.#ask(origin);
    this.#remember(origin, { at: now, lastsMs: READ_MS, robots });
    const rules = await robots.catch(() => FORBID_ALL);
    if (rules === FORBID_ALL) this.#known.set(origin, { at: now, lastsMs: SILENT_MS, robots });
    return robots;
  }

  async #ask(origin: string): Promise<Robots> {
    const { visit, clock } = this.#parts;
    const page = await visit(new URL('/robots.txt', origin), clock.deadline(VISIT_MS)).catch(ifLost);
    if (page === null) return ALLOW_ALL;
    const meaning = robotsOfAnswer(page.status, 0);
    if (meaning === 'read') return parseRobots(page.body, ROBOTS_AGENT);
    return meaning === 'allow_all' ? ALLOW_ALL : FORBID_ALL;
  }

  #remember(origin: string, known: Known): void {
    this.#known.delete(origin);
    this.#known.set(origin, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_ORIGINS) break;
      this.#known.delete(oldest);
    }
  }
}

/** Whether a crawl may visit an address; the crawl delay of its robots.txt goes to the pace of the host. */
export function buildRobotsCheck(
  robots: Pick<RobotsGate, 'of'>,
  paceOf: (host: string) => Pick<HostPace, 'setCrawlDelay'>,
): (url: URL, signal: AbortSignal) => Promise<boolean> {
  return async ({ origin, href }, signal) => {
    const rules = await robots.of(origin, signal);
    const address = toUrlParts(href);
    if (address === null) return false;
    paceOf(address.authority).setCrawlDelay(rules.crawlDelayMs);
    return isAllowed(rules, pathAndQuery(address));
  };
}

/** Whether the robots.txt of its origin lets Quern visit an address. */
export function allows(rules: Robots, url: string): boolean {
  const address = toUrlParts(url);
  return address !== null && isAllowed(rules, pathAndQuery(address));
}

const SILENT = 'a robots.txt that answers with a failure forbids everything until it answers again';

/** Treats redirects without an end as an absent file (RFC 9309, 2.3.1.2). */
function ifLost(error: unknown): null {
  if (LOST.has(attemptFailureOf(error)?.facts.reason ?? '')) return null;
  throw error;
}

const LOST: ReadonlySet<string> = new Set(['redirect', 'redirects']);
