import type { Rungs } from '#access/ladder.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import type { Account } from '#engine/billing.ts';
import type { Admission } from '#engine/operation.ts';
import { LeaseLost } from '#engine/job-leases.ts';
import { toUsage } from '#engine/prices.ts';
import type { Price } from '#engine/prices.ts';
import type { Clock } from '#kernel/clock.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import { crawlOn } from './crawler.ts';
import type { Finish, Role } from './crawler.ts';
import type { Pace, Paces } from './paces.ts';
import type { Frontier, Standing, Trouble } from './frontier.ts';
import { buildMemoryFrontier } from './memory.ts';
import type { CrawlOrder } from './order.ts';
import type { RobotsGate } from './robots-gate.ts';
import { joinRows } from './rows.ts';
import type { RowsParts } from './rows.ts';
import { buildDiscovery } from './discovery.ts';
import { buildVisitor } from './visitor.ts';

/** Why a crawl ended. */
export const STOP_REASONS = [
  'exhausted',
  'max_pages',
  'max_depth',
  'timeout',
  'max_credits',
  'credits_exhausted',
  'daily_cap',
  'robots',
] as const;

export type StopReason = (typeof STOP_REASONS)[number];

export type CrawlingParts = RowsParts & {
  readonly rungs: Rungs;
  readonly robots: RobotsGate;
  readonly paces: Paces;
  readonly readTarget: (url: string) => URL;
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<Reading>;
  readonly clock: Clock;
};

/** Who crawls, as a job or for a call that waits. */
export type CrawlCall = {
  readonly operation: string;
  readonly price: Price;
  readonly account: Account;
  readonly admission: Admission;
  /** The job whose work this is, null for a call that waits for its answer. */
  readonly jobId: string | null;
  readonly role: Role;
  /** Fires when the time is up, or the work must stop for another reason. */
  readonly signal: AbortSignal;
};

/** What a crawl came to; `elements` are those that are not kept elsewhere already. */
export type CrawlEnd = {
  readonly standing: Standing;
  readonly stopReason: StopReason;
  /** Whether a job holds the pages and their charges already. */
  readonly isStored: boolean;
  readonly elements: readonly Readonly<Record<string, unknown>>[];
  readonly errors: readonly Trouble[];
};

/** Visits of one crawl at once, whatever the hosts. */
const MOST_AT_ONCE = 64;
/** Failed pages that a result lists; all of them are counted. */
const MOST_ERRORS = 1000;

export type Crawling = ReturnType<typeof buildCrawling>;

export function buildCrawling(parts: CrawlingParts) {
  const { rungs, robots, paces, readTarget, read, billing, inTurn, clock } = parts;

  return {
    /** Crawls until there is nothing more to do; throws what the seed failed with when nothing came of it. */
    async run(order: CrawlOrder, call: CrawlCall): Promise<CrawlEnd> {
      const { price, account, admission, jobId, role, signal, operation } = call;
      // What was set aside to let the call in is what its first page sets aside.
      if (role === 'owner') await billing.release(account);
      const { maxCredits, tiers } = admission;
      const cheapest = toUsage(price, tiers[0] ?? 'http').credits;
      const bounds = { maxPages: order.maxPages, maxCredits, byLevel: order.maxDepth !== null, cheapest };
      const memory = jobId === null ? buildMemoryFrontier({ billing, inTurn, account, ...bounds }) : null;
      const rows = jobId === null ? null : await joinRows(parts, { jobId, operation, account, price, ...bounds });
      const frontier: Frontier | null = memory ?? rows;
      if (frontier === null) throw new Error('a crawl has a frontier');
      const known = new Map<string, Pace>();
      function paceOf(host: string): Pace {
        const pace = known.get(host) ?? paces.of(host, order.delayMs);
        known.set(host, pace);
        return pace;
      }
      const discovery = buildDiscovery(order, { salt: jobId ?? account.key, clock });
      const visit = buildVisitor({
        order,
        tiers,
        price,
        discovery,
        rungs,
        robots,
        setCrawlDelay: (host, ms) => paceOf(host).setCrawlDelay(ms),
        readTarget,
        read,
        raise: frontier.raise,
        proxiesInPlan: account.plan.starter_surfaces,
      });
      const seeds = discovery.seeds();
      if (role === 'owner') await frontier.seed(seeds);
      const { anchor } = await frontier.standing();
      if (anchor !== null) discovery.anchor(seeds[0]?.url ?? '', anchor);
      const finish = await crawlOn(
        {
          frontier,
          visit,
          paceOf,
          mostAtOnce: MOST_AT_ONCE,
          role,
        },
        signal,
      ).catch((error: unknown) => {
        if (error instanceof LeaseLost || !isTimeUp(signal)) throw error;
        return 'timeout' as const;
      });
      const standing = await frontier.standing();
      const errors = await frontier.troubles(MOST_ERRORS);
      if (role === 'owner') refuseEmpty(finish, standing, errors);
      return {
        standing,
        stopReason: toStopReason(finish, standing),
        isStored: memory === null,
        elements: memory?.elements ?? [],
        errors,
      };
    },
  };
}

/** A crawl that holds nothing because its seed failed, or because it was not paid for, ends as a fetch of it would. */
function refuseEmpty(finish: Finish | 'timeout', { stored, failed }: Standing, errors: readonly Trouble[]): void {
  if (stored > 0) return;
  if (finish === 'timeout') throw new ServiceError('timeout', 'no page came in time: use a larger timeout_ms');
  if (finish === 'credits_exhausted')
    throw new ServiceError('credits_exhausted', 'not one page can be paid for: a top-up or a higher plan lifts this');
  if (finish === 'daily_cap')
    throw new ServiceError(
      'daily_credit_cap_exceeded',
      'not one page more fits into the daily cap: the count starts again at 00:00 UTC',
    );
  const [first] = errors;
  if (failed !== 1 || first === undefined || first.status_code !== undefined || !isErrorCode(first.code)) return;
  throw new ServiceError(first.code, first.message);
}

function toStopReason(finish: Finish | 'timeout', { stored, skipped }: Standing): StopReason {
  if (finish !== 'nothing') return finish;
  if (stored === 0 && skipped.robots > 0) return 'robots';
  return skipped.depth > 0 ? 'max_depth' : 'exhausted';
}

function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
