import { z } from 'zod';
import type { Statements } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { AddressRows } from './address-rows.ts';
import type { CrawlRow, Crawling, RowsParts } from './crawl-row.ts';
import type { Appetite, Claim, Claimed } from './frontier.ts';
import type { Membership } from './members.ts';
import { isVisiting, LEAST_SUSPECT, UNSUSPECTED } from './suspects.ts';
import { isGivenUp } from './tally.ts';

const QUEUED_HOSTS = 'select host, queued from crawl_hosts where crawl = $1 and queued > 0 order by host limit 1000';
const LEVEL = 'select min(depth) as depth from crawl_urls where crawl = $1 and state = 0 and host = $2';
const ACTIVE_LEVEL = 'select min(depth) as depth from crawl_urls where crawl = $1 and state = 1';
const TAKE = `update crawl_urls set state = 1, member = $2 where crawl = $1 and seq in (
    select seq from crawl_urls where crawl = $1 and state = 0 and host = $3 and depth <= $4
    order by depth, seq limit $5)
  returning seq, url, host, depth, parent`;
const TAKE_UNSUSPECTED = TAKE.replace('depth <= $4', `depth <= $4${UNSUSPECTED}`);
const TAKE_SUSPECTED = TAKE.replace('order by ', `order by ${LEAST_SUSPECT}`);

const ANY_DEPTH = 1_000_000_000;

const Queued = z.object({ host: z.string(), queued: z.number() });
const Level = z.object({ depth: z.number().nullable() });
const Taken = z.object({
  seq: z.number(),
  url: z.string(),
  host: z.string(),
  depth: z.number(),
  parent: z.number().nullable(),
});

/** Builds the claim of pages that wait, with their credits; throws `LeaseLost` or `Stopped` when the member may claim none. */
export function buildClaiming(
  { billing }: RowsParts,
  crawling: Crawling,
  rows: { readonly row: CrawlRow; readonly addresses: AddressRows; readonly membership: Membership },
): (appetite: Appetite) => Promise<Claimed> {
  const { row, addresses, membership } = rows;
  const { crawl } = row;
  const { byLevel, cheapest } = crawling;
  const { account, member } = membership;
  /** The host of which pages were taken last: the next claim begins after it, so that none waits behind all others. */
  let lastHost = '';

  /** The depth of the pages whose turn it is. */
  async function levelOf(tx: Statements, hosts: readonly z.output<typeof Queued>[]): Promise<number> {
    if (!byLevel) return ANY_DEPTH;
    const levels = [await tx.query(ACTIVE_LEVEL, [crawl])];
    for (const { host } of hosts) levels.push(await tx.query(LEVEL, [crawl, host]));
    return Math.min(...levels.map((found) => readRow(Level, found)?.depth ?? ANY_DEPTH));
  }

  /** In the order of discovery, the nearest first. */
  async function toClaims(tx: Statements, taken: readonly z.output<typeof Taken>[]): Promise<readonly Claim[]> {
    const claims: Claim[] = [];
    for (const { parent, ...page } of taken.toSorted((a, b) => a.depth - b.depth || a.seq - b.seq)) {
      claims.push({ ...page, parentUrl: parent === null ? null : await addresses.urlOf(tx, parent) });
    }
    return claims;
  }

  async function claim(tx: Statements, appetite: Appetite): Promise<Claimed> {
    const { max_pages: maxPages, ...counts } = await row.lock(tx);
    await membership.fence(tx);
    await row.demandOpen(tx);
    const { hasSuspects } = counts.tally;
    if (hasSuspects && (await isVisiting(tx, { crawl, member, what: 'suspects' }))) return { claims: [], held: null };
    const most = Math.min(appetite.most, maxPages - counts.stored - counts.active);
    const queued = readRows(Queued, await tx.query(QUEUED_HOSTS, [crawl]));
    if (queued.length === 0) return { claims: [], held: 'nothing' };
    const hosts = queued.filter(({ host }) => !isGivenUp(counts.tally, host));
    if (hosts.length === 0) return { claims: [], held: 'blocked' };
    const depth = await levelOf(tx, hosts);
    if (most <= 0) return { claims: [], held: 'max_pages' };
    const affordable = await billing.holdUpTo(tx, account, { each: cheapest, most, ceiling: await row.ceiling(tx) });
    if (affordable.times === 0) return { claims: [], held: affordable.refused };
    const taken: z.output<typeof Taken>[] = [];
    async function take(statement: string, host: string, wanted: number): Promise<void> {
      const found = readRows(Taken, await tx.query(statement, [crawl, member, host, depth, wanted]));
      await addresses.unqueue(tx, host, found.length);
      taken.push(...found);
    }
    for (const { host, queued: there } of startingAfter(lastHost, hosts)) {
      const wanted = Math.min(affordable.times - taken.length, appetite.mostOf(host, hosts.length), there);
      if (wanted <= 0) continue;
      await take(hasSuspects ? TAKE_UNSUSPECTED : TAKE, host, wanted);
      lastHost = host;
    }
    if (hasSuspects && taken.length === 0 && !(await isVisiting(tx, { crawl, member, what: 'any' }))) {
      for (const { host } of hosts) if (taken.length === 0) await take(TAKE_SUSPECTED, host, 1);
    }
    await billing.unhold(tx, account, (affordable.times - taken.length) * cheapest);
    await row.count(tx, { ...counts, active: counts.active + taken.length });
    return { claims: await toClaims(tx, taken), held: null };
  }

  return async (appetite) => row.together(async (tx) => claim(tx, appetite));
}

/** The hosts in the order of their names, from the first after the given one around to that. */
function startingAfter<T extends { readonly host: string }>(last: string, hosts: readonly T[]): readonly T[] {
  const at = hosts.findIndex(({ host }) => host > last);
  return [...hosts.slice(at), ...hosts.slice(0, at)];
}
