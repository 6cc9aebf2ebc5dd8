import { z } from 'zod';
import type { FailedFate, PageClaim } from '#features/crawl/crawl-page.ts';
import { isBarren, type PatternDebts } from '#features/crawl/dedupe/barren-patterns.ts';
import type { Billing } from '#engine/credits/billing.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import {
  createPageTaker,
  compareTurns,
  DEATHS_MESSAGE,
  GIVEN_UP_AFTER_DEATHS,
  type HostDemand,
  type TakenPage,
  isVisiting,
} from './claim-statements.ts';
import { isHostGivenUp, isLoggedOut, SILENT_FATE } from './counters.ts';
import type { CrawlRow, FrontierOptions } from './crawl-row.ts';
import type { ClaimResult, PageDemand } from './frontier.ts';
import type { Membership } from './members.ts';
import type { UrlRows } from './url-rows.ts';

const QUEUED_HOSTS = 'select host, queued from crawl_hosts where crawl = $1 and queued > 0 order by host limit 1000';

const ANY_DEPTH = 1_000_000_000;

const QueuedHostRow = z.object({ host: z.string(), queued: z.number() });

type QueuedHost = z.output<typeof QueuedHostRow>;

type ClaimParts = {
  readonly db: Db;
  readonly billing: Billing;
  readonly row: CrawlRow;
  readonly urls: UrlRows;
  readonly membership: Membership;
};

/** Claims pages for one member. */
export class PageClaims {
  readonly #parts: ClaimParts;
  readonly #terms: Pick<FrontierOptions, 'byLevel' | 'minPageCredits' | 'recordsAll' | 'maxActive'>;
  readonly #statements: ReturnType<typeof createPageTaker>;
  /** Host at which pages were claimed last. The next claim starts after it, so that every host gets its turn. */
  #lastHost = '';

  constructor(
    parts: ClaimParts,
    terms: Pick<FrontierOptions, 'byLevel' | 'minPageCredits' | 'recordsAll' | 'maxActive'>,
  ) {
    this.#parts = parts;
    this.#terms = terms;
    this.#statements = createPageTaker(parts.db.kind, parts.row.crawl);
  }

  /** Claims queued pages with their credits. Throws `LeaseLost` or `Stopped` if the member must not claim any. */
  async claim(tx: Queryable, demand: PageDemand): Promise<ClaimResult> {
    const { billing, row, urls, membership } = this.#parts;
    const { minPageCredits, recordsAll, maxActive } = this.#terms;
    const { account } = membership;
    const { max_pages: maxPages, ...counts } = await row.lock(tx);
    await membership.fence(tx);
    await row.demandOpen(tx);
    const { hasSuspects, hasLate } = counts.counters;
    if (hasSuspects && (await this.#isVisiting(tx, 'suspects'))) return { claims: [], reason: null };
    const fitting = Math.min(demand.maxPages, maxPages - counts.stored - counts.active);
    const queued = readRows(QueuedHostRow, await tx.query(QUEUED_HOSTS, [row.crawl]));
    if (queued.length === 0) return { claims: [], reason: 'nothing' };
    const isSilent = (host: string): boolean => isHostGivenUp(counts.counters, host);
    const hosts = recordsAll ? queued : queued.filter(({ host }) => !isSilent(host));
    if (hosts.length === 0) return { claims: [], reason: 'blocked' };
    if (isLoggedOut(counts.counters)) return { claims: [], reason: 'login_required' };
    const depth = await this.#findDepth(tx, hosts);
    if (fitting <= 0) return { claims: [], reason: 'max_pages' };
    const free = Math.min(fitting, (maxActive ?? Infinity) - counts.active);
    if (free <= 0) return { claims: [], reason: null };
    const ceiling = await row.ceiling(tx);
    const { times, refused } = await billing.reserveShares(tx, account, {
      each: minPageCredits,
      most: free,
      ceiling,
    });
    if (times === 0) return { claims: [], reason: refused };
    const taken = await this.#take(tx, hosts, {
      demand,
      isSilent,
      depth,
      most: times,
      hasSuspects,
      hasLate,
    });
    await urls.unqueue(
      tx,
      taken.map(({ host }) => host),
    );
    await billing.releasePart(tx, account, (times - taken.length) * minPageCredits);
    await row.count(tx, { ...counts, active: counts.active + taken.length });
    const claims = toClaims(taken, counts.counters.debts);
    return {
      claims: claims.map(({ deaths, ...claim }) => (recordsAll ? giveUp(claim, { deaths, isSilent }) : claim)),
      reason: null,
    };
  }

  /**
   * Takes pages host by host. Pages that were refused too often come last. Suspected pages are taken one at a time,
   * when this member visits no other page.
   */
  async #take(
    tx: Queryable,
    hosts: readonly QueuedHost[],
    { demand, isSilent, depth, most, hasSuspects, hasLate }: TakeOptions,
  ): Promise<readonly TakenPage[]> {
    const inTurn = rotateAfter(this.#lastHost, hosts);
    const wanted = inTurn.flatMap(({ host, queued }): readonly HostDemand[] => {
      // No request is sent to a silent host, so its pace does not matter.
      const inDemand = isSilent(host) ? most : demand.maxAtHost(host, hosts.length);
      const free = Math.min(most, inDemand, queued);
      return free > 0 ? [[host, free]] : [];
    });
    const terms = { member: this.#parts.membership.member, depth, most };
    const taken = hasSuspects
      ? await this.#statements.take(tx, wanted, { ...terms, choice: 'unsuspected' })
      : await this.#takeLateLast(tx, wanted, { ...terms, hasLate });
    this.#lastHost = inTurn.findLast(({ host }) => taken.some((page) => page.host === host))?.host ?? this.#lastHost;
    if (!hasSuspects || taken.length > 0 || (await this.#isVisiting(tx, 'any'))) return taken;
    const demands = hosts.map(({ host }): HostDemand => [host, 1]);
    return this.#statements.take(tx, demands, { ...terms, most: 1, choice: 'least suspected' });
  }

  async #takeLateLast(
    tx: Queryable,
    wanted: readonly HostDemand[],
    { hasLate, ...terms }: LateOptions,
  ): Promise<readonly TakenPage[]> {
    if (!hasLate) return this.#statements.take(tx, wanted, { ...terms, choice: 'any' });
    const first = await this.#statements.take(tx, wanted, { ...terms, choice: 'in turn' });
    const left = wanted.flatMap(([host, free]): readonly HostDemand[] => {
      const more = free - first.filter((page) => page.host === host).length;
      return more > 0 ? [[host, more]] : [];
    });
    const late = { ...terms, most: terms.most - first.length, choice: 'any' } as const;
    return [...first, ...(await this.#statements.take(tx, left, late))];
  }

  /** Greatest depth that claimed pages may have now. */
  async #findDepth(tx: Queryable, hosts: readonly QueuedHost[]): Promise<number> {
    if (!this.#terms.byLevel) return ANY_DEPTH;
    const names = hosts.map(({ host }) => host);
    return (await this.#statements.findLevel(tx, names)) ?? ANY_DEPTH;
  }

  async #isVisiting(tx: Queryable, what: 'suspects' | 'any'): Promise<boolean> {
    const { row, membership } = this.#parts;
    return isVisiting(tx, { crawl: row.crawl, member: membership.member, what });
  }
}

type TakeOptions = {
  readonly demand: PageDemand;
  /** Whether a host no longer answers, so that its pages are ended without a visit. */
  readonly isSilent: (host: string) => boolean;
  readonly depth: number;
  readonly most: number;
  readonly hasSuspects: boolean;
  readonly hasLate: boolean;
};

type LateOptions = Pick<TakeOptions, 'depth' | 'most' | 'hasLate'> & { readonly member: number };

const DEADLY_FATE: FailedFate = {
  kind: 'failed',
  statusCode: null,
  code: 'internal_error',
  message: DEATHS_MESSAGE,
  isTemporary: true,
};

type CountedClaim = PageClaim & { readonly deaths: number };

/** Gives up a page whose host no longer answers, or with which too many processes died. */
function giveUp(
  claim: PageClaim,
  { deaths, isSilent }: { readonly deaths: number; readonly isSilent: (host: string) => boolean },
): PageClaim {
  if (deaths >= GIVEN_UP_AFTER_DEATHS) return { ...claim, unvisitedFate: DEADLY_FATE };
  return isSilent(claim.host) ? { ...claim, unvisitedFate: SILENT_FATE } : claim;
}

function toClaims(taken: readonly TakenPage[], debts: PatternDebts): readonly CountedClaim[] {
  return taken.toSorted(compareTurns).map(({ parent_url: parentUrl, parent_code: code, ...page }) => {
    const isFromDuplicate = code === 'duplicate' || code === 'redirect';
    return { ...page, parentUrl, isBarren: isFromDuplicate && isBarren(page.url, debts) };
  });
}

/** Rotates hosts, which are sorted by name, to start after the given one. */
function rotateAfter<T extends { readonly host: string }>(last: string, hosts: readonly T[]): readonly T[] {
  const at = hosts.findIndex(({ host }) => host > last);
  return [...hosts.slice(at), ...hosts.slice(0, at)];
}
