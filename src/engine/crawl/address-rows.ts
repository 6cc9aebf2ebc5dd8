import { z } from 'zod';
import type { Db, Statements } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { BULK_STATEMENTS } from './bulk-statements.ts';
import type { Crawling } from './crawl-row.ts';
import { FOUND_IN } from './frontier.ts';
import type { End, Found, Layer, Listed, Trouble } from './frontier.ts';
import { toText } from './near.ts';
import { buildSpread } from './spread.ts';
import { bury } from './suspects.ts';
import type { Buried } from './suspects.ts';
import type { Added } from './tally.ts';
import { toTrouble } from './trouble.ts';

const NUMBER = 'update crawls set last_seq = last_seq + $2 where crawl = $1 returning last_seq';
const PUT_BACK = `update crawl_urls set state = 0, member = null
  where crawl = $1 and state = 1 and member = $2 returning host`;
const WAKE = `update crawl_urls set state = 0 where crawl = $1 and state = 5 and depth < $2 returning host`;
const PARENT = 'select url from crawl_urls where crawl = $1 and seq = $2';
const LISTED = `select url, depth, source, title, lastmod from crawl_urls
  where crawl = $1 and state in (0, 1, 2, 5) order by seq limit $2`;
const SURVEY = `select source, depth, count(*) as count, sum(case when state = 5 then 1 else 0 end) as resting
  from crawl_urls where crawl = $1 and state in (0, 1, 2, 5) group by source, depth`;
const TROUBLES = `select url, status_code, code, message from crawl_urls
  where crawl = $1 and state = $2 order by seq limit $3`;

/** Of a row of `crawl_urls`. */
const STATES = { waiting: 0, stored: 2, failed: 3, skipped: 4, resting: 5 } as const;
/** The number of whatever was only found too deep. */
const TOO_DEEP = 0;

const Key = z.object({ key: z.string() });
const LastSeq = z.object({ last_seq: z.number() });
const HostOf = z.object({ host: z.string() });
const Address = z.object({ url: z.string() });
const FailedRow = z.object({
  url: z.string(),
  status_code: z.number().nullable(),
  code: z.string(),
  message: z.string(),
});
const ListedRow = z.object({
  url: z.string(),
  depth: z.number(),
  source: z.enum(FOUND_IN),
  title: z.string().nullable(),
  lastmod: z.string().nullable(),
});
const LayerRow = ListedRow.pick({ source: true, depth: true }).extend({ count: z.number(), resting: z.number() });

type Numbered = Found & { readonly seq: number; readonly parent: number | null };

export type AddressRows = ReturnType<typeof buildAddressRows>;

/** The addresses that a crawl knows, and what became of them; each host has the count of those that wait. */
export function buildAddressRows(
  db: Db,
  { crawl, byLevel, mostPerPattern }: { readonly crawl: number } & Pick<Crawling, 'byLevel' | 'mostPerPattern'>,
) {
  const statements = BULK_STATEMENTS[db.kind];
  const withinSpread = buildSpread(mostPerPattern);

  /** Counts addresses that wait, each by its host. */
  async function queue(tx: Statements, hosts: readonly string[]): Promise<void> {
    await tx.query(statements.addHosts, [crawl, JSON.stringify(perHost(hosts))]);
  }

  /** Counts addresses that wait no more, each by its host. */
  async function unqueue(tx: Statements, hosts: readonly string[]): Promise<void> {
    if (hosts.length > 0) await tx.query(statements.lessHosts, [crawl, JSON.stringify(perHost(hosts))]);
  }

  /** Takes keys that nobody has; answers which. */
  async function addKeys(tx: Statements, keys: readonly Numbering[]): Promise<ReadonlySet<string>> {
    const rows = readRows(Key, await tx.query(statements.addKeys, [crawl, JSON.stringify(keys)]));
    return new Set(rows.map(({ key }) => key));
  }

  /** Takes keys that were known as too deep; answers which. */
  async function raise(tx: Statements, keys: readonly Numbering[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0 || !byLevel) return new Set();
    const rows = readRows(Key, await tx.query(statements.raise, [crawl, JSON.stringify(keys)]));
    return new Set(rows.map(({ key }) => key));
  }

  return {
    unqueue,

    /** Adds what is not known yet, in the order given; answers what was new. */
    async add(
      tx: Statements,
      found: readonly (Found & { readonly parent: number | null })[],
    ): Promise<readonly Added[]> {
      if (found.length === 0) return [];
      const last = readRow(LastSeq, await tx.query(NUMBER, [crawl, found.length]))?.last_seq ?? 0;
      const numbered = found.map((one, at) => ({ ...one, seq: last - found.length + 1 + at }));
      const fresh = await addKeys(
        tx,
        numbered.map(({ key, seq, skip }) => [key, skip === 'depth' ? TOO_DEEP : seq]),
      );
      const nearer = numbered.filter(({ key, skip }) => skip === null && !fresh.has(key));
      const raised = await raise(
        tx,
        nearer.map(({ key, seq }) => [key, seq]),
      );
      const added = withinSpread(numbered.filter(({ key }) => fresh.has(key) || raised.has(key))).map((one) => ({
        ...one,
        wasTooDeep: raised.has(one.key),
      }));
      const kept = added.filter(({ skip }) => skip === null);
      if (kept.length > 0) {
        await tx.query(statements.addUrls, [crawl, JSON.stringify(kept.map(toUrlCells))]);
        const queued = kept.filter(({ rests }) => !rests).map(({ host }) => host);
        await queue(tx, queued);
      }
      return added;
    },

    /** Takes keys for pages by their numbers; answers those that others have. */
    async takeKeys(tx: Statements, wanted: readonly Numbering[]): Promise<readonly string[]> {
      if (wanted.length === 0) return [];
      const got = await addKeys(tx, wanted);
      const raised = await raise(
        tx,
        wanted.filter(([key]) => !got.has(key)),
      );
      return wanted.map(([key]) => key).filter((key) => !got.has(key) && !raised.has(key));
    },

    /** Brings what waits as near as the shortest way that was met to it; what rested and need not any more waits. */
    async approach(tx: Statements, found: readonly (Found & { readonly parent: number })[]): Promise<void> {
      const nearest = new Map<string, (typeof found)[number]>();
      for (const one of found) if (one.depth < (nearest.get(one.key)?.depth ?? Infinity)) nearest.set(one.key, one);
      if (nearest.size === 0 || !byLevel) return;
      const ways = [...nearest.values()];
      const waking = ways.filter(({ rests }) => !rests);
      const hosts = hostsOf(await tx.query(statements.rouse, [crawl, toWayRows(waking)]));
      if (hosts.length > 0) await queue(tx, hosts);
      await tx.query(statements.approach, [crawl, toWayRows(ways)]);
    },

    /** Lets addresses that wait rest, and learns what is said of them. */
    async settle(tx: Statements, found: readonly Found[]): Promise<void> {
      if (found.length === 0) return;
      const rows = JSON.stringify(found.map(({ key, title, lastmod }) => [key, title, lastmod]));
      const hosts = hostsOf(await tx.query(statements.rest, [crawl, rows]));
      await unqueue(tx, hosts);
      await tx.query(statements.learn, [crawl, rows]);
    },

    /** Lets what rests above this depth wait; answers how many there were. */
    async wake(tx: Statements, depth: number): Promise<number> {
      const hosts = hostsOf(await tx.query(WAKE, [crawl, depth]));
      await queue(tx, hosts);
      return hosts.length;
    },

    /** Lets what a member has claimed wait again; answers how many there were. */
    async putBack(tx: Statements, member: number): Promise<number> {
      const hosts = hostsOf(await tx.query(PUT_BACK, [crawl, member]));
      if (hosts.length > 0) await queue(tx, hosts);
      return hosts.length;
    },

    /** Lets what a dead member has claimed wait again, but for pages that too many have died with. */
    async bury(tx: Statements, member: number): Promise<Buried> {
      const buried = await bury(tx, crawl, member);
      if (buried.hosts.length > 0) await queue(tx, buried.hosts);
      return buried;
    },

    /** Writes what became of pages that a member has claimed; answers how many of them were its own still. */
    async end(tx: Statements, member: number, ends: readonly End[]): Promise<number> {
      return (await tx.query(statements.end, [crawl, member, JSON.stringify(ends.map(toEndCells))])).length;
    },

    /** The address with this number. */
    async urlOf(tx: Statements, seq: number): Promise<string | null> {
      return readRow(Address, await tx.query(PARENT, [crawl, seq]))?.url ?? null;
    },

    async listed(most: number): Promise<readonly Listed[]> {
      return readRows(ListedRow, await db.query(LISTED, [crawl, most]));
    },

    async survey(): Promise<readonly Layer[]> {
      return readRows(LayerRow, await db.query(SURVEY, [crawl]));
    },

    async troubles(most: number): Promise<readonly Trouble[]> {
      const rows = readRows(FailedRow, await db.query(TROUBLES, [crawl, STATES.failed, most]));
      return rows.map(({ url, status_code: statusCode, code, message }) =>
        toTrouble(url, { statusCode, code, message }),
      );
    },
  };
}

/** A key, and the number of the page that it is to lead to. */
export type Numbering = readonly [key: string, seq: number];

function hostsOf(rows: Parameters<typeof readRows>[1]): readonly string[] {
  return readRows(HostOf, rows).map(({ host }) => host);
}

function toUrlCells({ seq, host, url, depth, parent, source, title, lastmod, rests }: Numbered) {
  return [seq, host, url, depth, parent, rests ? STATES.resting : STATES.waiting, source, title, lastmod];
}

function toWayRows(ways: readonly { readonly key: string; readonly depth: number; readonly parent: number }[]): string {
  return JSON.stringify(ways.map(({ key, depth, parent }) => [key, depth, parent]));
}

function toEndCells({ claim, fate }: End): readonly (string | number | null)[] {
  const cells = [claim.seq, STATES[fate.kind]] as const;
  if (fate.kind === 'failed') return [...cells, fate.statusCode, fate.code, fate.message, null, null];
  if (fate.kind === 'skipped') return [...cells, null, null, null, null, null];
  const { simhash, title } = fate;
  return [...cells, null, null, null, simhash === null ? null : toText(simhash), title];
}

function perHost(hosts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
