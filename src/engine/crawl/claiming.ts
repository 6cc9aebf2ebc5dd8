import { z } from 'zod';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import type { AddressRows } from './address-rows.ts';
import type { CrawlRow, Crawling, RowsParts } from './crawl-row.ts';
import type { Appetite, Claim, Claimed } from './frontier.ts';
import type { Membership } from './members.ts';
import { isVisiting } from './suspects.ts';
import { buildTaking } from './taking.ts';
import type { Taken, Wanted } from './taking.ts';
import { isGivenUp } from './tally.ts';

const QUEUED_HOSTS = 'select host, queued from crawl_hosts where crawl = $1 and queued > 0 order by host limit 1000';

const ANY_DEPTH = 1_000_000_000;

const Queued = z.object({ host: z.string(), queued: z.number() });

/** Builds the claim of pages that wait, with their credits; throws `LeaseLost` or `Stopped` when the member may claim none. */
export function buildClaiming(
  { db, billing }: RowsParts,
  crawling: Crawling,
  rows: { readonly row: CrawlRow; readonly addresses: AddressRows; readonly membership: Membership },
): (appetite: Appetite) => Promise<Claimed> {
  const { row, addresses, membership } = rows;
  const { crawl } = row;
  const { byLevel, cheapest } = crawling;
  const { account, member } = membership;
  const taking = buildTaking(db.kind, crawl);
  /** The host of which pages were taken last: the next claim begins after it, so that none waits behind all others. */
  let lastHost = '';

  async function claim(tx: Statements, appetite: Appetite): Promise<Claimed> {
    const { max_pages: maxPages, ...counts } = await row.lock(tx);
    await membership.fence(tx);
    await row.demandOpen(tx);
    const { hasSuspects } = counts.tally;
    if (hasSuspects && (await isVisiting(tx, { crawl, member, what: 'suspects' }))) return { claims: [], held: null };
    const fitting = Math.min(appetite.most, maxPages - counts.stored - counts.active);
    const queued = readRows(Queued, await tx.query(QUEUED_HOSTS, [crawl]));
    if (queued.length === 0) return { claims: [], held: 'nothing' };
    const hosts = queued.filter(({ host }) => !isGivenUp(counts.tally, host));
    if (hosts.length === 0) return { claims: [], held: 'blocked' };
    const names = hosts.map(({ host }) => host);
    const depth = byLevel ? ((await taking.levelOf(tx, names)) ?? ANY_DEPTH) : ANY_DEPTH;
    if (fitting <= 0) return { claims: [], held: 'max_pages' };
    const affordable = await billing.holdUpTo(tx, account, {
      each: cheapest,
      most: fitting,
      ceiling: await row.ceiling(tx),
    });
    if (affordable.times === 0) return { claims: [], held: affordable.refused };
    const most = affordable.times;
    const turn = startingAfter(lastHost, hosts);
    const wanted = turn.flatMap(({ host, queued: there }): readonly Wanted[] => {
      const room = Math.min(most, appetite.mostOf(host, hosts.length), there);
      return room > 0 ? [[host, room]] : [];
    });
    const terms = { member, depth, most };
    let taken = await taking.take(tx, wanted, { ...terms, choice: hasSuspects ? 'unsuspected' : 'any' });
    lastHost = turn.findLast(({ host }) => taken.some((page) => page.host === host))?.host ?? lastHost;
    if (hasSuspects && taken.length === 0 && !(await isVisiting(tx, { crawl, member, what: 'any' }))) {
      const one = names.map((host): Wanted => [host, 1]);
      taken = await taking.take(tx, one, { ...terms, most: 1, choice: 'least suspected' });
    }
    await addresses.unqueue(
      tx,
      taken.map(({ host }) => host),
    );
    await billing.unhold(tx, account, (most - taken.length) * cheapest);
    await row.count(tx, { ...counts, active: counts.active + taken.length });
    return { claims: toClaims(taken), held: null };
  }

  return async (appetite) => row.together(async (tx) => claim(tx, appetite));
}

/** In the order of discovery, the nearest first. */
function toClaims(taken: readonly Taken[]): readonly Claim[] {
  return taken
    .toSorted((a, b) => a.depth - b.depth || a.seq - b.seq)
    .map(({ parent_url: parentUrl, ...page }) => ({ ...page, parentUrl }));
}

/** The hosts in the order of their names, from the first after the given one around to that. */
function startingAfter<T extends { readonly host: string }>(last: string, hosts: readonly T[]): readonly T[] {
  const at = hosts.findIndex(({ host }) => host > last);
  return [...hosts.slice(at), ...hosts.slice(0, at)];
}
