import { attemptFailureOf, failed } from '#access/failure.ts';
import type { Page } from '#access/page.ts';
import { ALLOW_ALL, FORBID_ALL, parseRobots, ROBOTS_AGENT, robotsOfAnswer } from './robots.ts';
import type { HostPace } from './host-paces.ts';
import type { Robots } from './robots.ts';
import { isAllowed } from './robots-rules.ts';
import { untilAborted } from '#kernel/deadline.ts';
import { pathAndQuery, toUrlParts } from '#extract/urls/address.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';

/** A robots.txt that was read counts so long (RFC 9309, 2.4: at most a day), one that did not answer so long. */
const READ_MS = 3600 * 1000;
const SILENT_MS = 30_000;
const MOST_ORIGINS = 10_000;
const VISIT_MS = 15_000;

type Known = { readonly at: number; readonly lastsMs: number; readonly robots: Promise<Robots> };

/** What sites allow, remembered in this process; rebuilt by asking again. */
export type RobotsGate = ReturnType<typeof buildRobotsGate>;

export function buildRobotsGate(parts: {
  /** Gets the file through the guard; throws `ServiceError`. */
  readonly visit: (url: URL, signal: AbortSignal) => Promise<Page>;
  readonly clock: Clock;
}) {
  const { visit, clock } = parts;
  const known = new Map<string, Known>();

  async function ask(origin: string): Promise<Robots> {
    const page = await visit(new URL('/robots.txt', origin), SYSTEM_CLOCK.deadline(VISIT_MS)).catch(ifLost);
    if (page === null) return ALLOW_ALL;
    const says = robotsOfAnswer(page.status, 0);
    if (says === 'read') return parseRobots(page.body, ROBOTS_AGENT);
    return says === 'allow_all' ? ALLOW_ALL : FORBID_ALL;
  }

  async function find(origin: string): Promise<Robots> {
    const now = clock.now();
    const found = known.get(origin);
    if (found !== undefined && now >= found.at && now - found.at < found.lastsMs) return found.robots;
    const robots = ask(origin);
    known.delete(origin);
    known.set(origin, { at: now, lastsMs: READ_MS, robots });
    for (const oldest of known.keys()) {
      if (known.size <= MOST_ORIGINS) break;
      known.delete(oldest);
    }
    const says = await robots.catch(() => FORBID_ALL);
    if (says === FORBID_ALL) known.set(origin, { at: now, lastsMs: SILENT_MS, robots });
    return robots;
  }

  async function of(origin: string, signal: AbortSignal): Promise<Robots> {
    return untilAborted(find(origin), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw failed('timeout', 'robots.txt did not come in time', { reason: 'robots', cause: error });
    });
  }

  return {
    /**
     * What the robots.txt of an origin says to Quern; one that answers with a failure forbids everything until it does
     * better. Throws the `ServiceError` of an origin that does not answer at all, and `timeout` when the signal fires.
     */
    of,

    /** Throws `target_blocked` for an address that Quern may not visit, else what `of` throws. */
    async demand(url: URL, signal: AbortSignal): Promise<void> {
      const rules = await of(url.origin, signal);
      if (rules === FORBID_ALL) throw new ServiceError('target_blocked', `${SILENT}: ${url.host}`, { retryable: true });
      if (allows(rules, url.href)) return;
      throw new ServiceError('target_blocked', `the robots.txt of ${url.host} forbids ${ROBOTS_AGENT} this address`);
    },
  };
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

const SILENT = 'a robots.txt that answers with a failure forbids everything until it does better';

/** Redirects that lead nowhere are an absent file (RFC 9309, 2.3.1.2). */
function ifLost(error: unknown): null {
  if (LOST.has(attemptFailureOf(error)?.facts.reason ?? '')) return null;
  throw error;
}

const LOST: ReadonlySet<string> = new Set(['redirect', 'redirects']);
