import { z } from 'zod';
import type { Account, Billing } from '#engine/billing.ts';
import { sumOf } from '#engine/prices.ts';
import type { Price } from '#engine/prices.ts';
import { LeaseLost, Stopped } from '#engine/job-leases.ts';
import type { Results } from '#engine/results.ts';
import type { Segment } from '#engine/result-segments.ts';
import type { Clock } from '#kernel/clock.ts';
import { release } from '#kernel/memory.ts';
import type { Db, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Archiving } from './archiving.ts';
import { BULK_STATEMENTS } from './bulk-statements.ts';
import { FOUND_IN } from './frontier.ts';
import type { Appetite, Claim, Claimed, End, Found, Frontier, Standing } from './frontier.ts';
import { toLine } from './element-line.ts';
import { buildNear, fromText, toText } from './near.ts';
import { buildKnown, onlyUnknown, shortWays, withoutTwins } from './known.ts';
import { toTrouble } from './trouble.ts';
import { buildSpread } from './spread.ts';
import { addTo, EMPTY_TALLY, isGivenUp, Tally, toStanding } from './tally.ts';

/*
 * The frontier of a crawl as rows. Whatever a page brings is one transaction with its charge: its result, the addresses
 * that it links to, and the counts. Who works on a crawl is a member of it under a lease, and a page that is claimed
 * carries the member's number: when the lease is over, others take the page, and the member's commits find nothing.
 */

const OPEN = `insert into crawls (crawl, job_id, max_pages, tally) values ($1, $2, $3, $4)
  on conflict (job_id) do nothing`;
const FIND = 'select * from crawls where job_id = $1';
/** A job that somebody works on; a commit on it may come while the next owner is still to claim it. */
const IS_OPEN = `select cancel_requested from jobs where id = $1 and status in ('running', 'queued')`;
/** Holds the row until the commit: the claims and commits of one crawl come one after the other. */
const LOCK = 'update crawls set active = active where crawl = $1 returning *';
const COUNT = 'update crawls set stored = $2, active = $3, tally = $4 where crawl = $1';
const NUMBER = 'update crawls set last_seq = last_seq + $2 where crawl = $1 returning last_seq';
const JOIN = 'insert into crawl_members (crawl, member, holder_id, lease_until) values ($1, $2, $3, $4)';
const BEAT = `update crawl_members set lease_until = $3
  where crawl = $1 and member = $2 and lease_until >= $4 returning member`;
const DEAD = 'delete from crawl_members where crawl = $1 and (lease_until < $2 or holder_id = $3) returning member';
const ANY_DEAD = 'select member from crawl_members where crawl = $1 and lease_until < $2 limit 1';
const LEAVE = 'delete from crawl_members where crawl = $1 and member = $2 returning member';
const PUT_BACK = `update crawl_urls set state = 0, member = null
  where crawl = $1 and state = 1 and member = $2 returning host`;
const QUEUED_HOSTS = 'select host, queued from crawl_hosts where crawl = $1 and queued > 0 order by host limit 1000';
const LESS_QUEUED = 'update crawl_hosts set queued = queued - $3 where crawl = $1 and host = $2';
const LEVEL = 'select min(depth) as depth from crawl_urls where crawl = $1 and state = 0 and host = $2';
const ACTIVE_LEVEL = 'select min(depth) as depth from crawl_urls where crawl = $1 and state = 1';
const TAKE = `update crawl_urls set state = 1, member = $2 where crawl = $1 and seq in (
    select seq from crawl_urls where crawl = $1 and state = 0 and host = $3 and depth <= $4
    order by depth, seq limit $5)
  returning seq, url, host, depth, parent`;
const HASHES = `select seq, simhash from crawl_urls where crawl = $1 and seq > $2 and state = 2 order by seq limit $3`;
const PARENT = 'select url from crawl_urls where crawl = $1 and seq = $2';
const PROGRESS = `update jobs set discovered = $2, completed = $3, failed = $4, total = null, usage = $5, pending = $6,
    attempt = case when status = 'running' then 1 else 0 end, version = version + 1
  where id = $1 and status in ('running', 'queued') returning id`;

const WAKE = `update crawl_urls set state = 0 where crawl = $1 and state = 5 and depth < $2 returning host`;
const LISTED = `select url, depth, source, title, lastmod from crawl_urls
  where crawl = $1 and state in (0, 1, 2, 5) order by seq limit $2`;
const SURVEY = `select source, depth, count(*) as count, sum(case when state = 5 then 1 else 0 end) as resting
  from crawl_urls where crawl = $1 and state in (0, 1, 2, 5) group by source, depth`;
const TROUBLES = `select url, status_code, code, message from crawl_urls
  where crawl = $1 and state = $2 order by seq limit $3`;

const LEASE_MS = 30_000;
/** Rows that are read at once when a crawl is joined. */
const RECALLED = 10_000;
const ANY_DEPTH = 1_000_000_000;
const LARGEST_NUMBER = 2 ** 48;

/** Of a row of `crawl_urls`. */
const STATES = { waiting: 0, stored: 2, failed: 3, skipped: 4, resting: 5 } as const;
/** The number of the first seed, and that of whatever was only found too deep. */
const SEED = 1;
const TOO_DEEP = 0;

const Crawl = z.object({
  crawl: z.number(),
  max_pages: z.number(),
  last_seq: z.number(),
  stored: z.number(),
  active: z.number(),
  tally: z.string().transform((text) => Tally.parse(JSON.parse(text))),
});
const Job = z.object({ cancel_requested: z.number() });
const Member = z.object({ member: z.number() });
const HostOf = z.object({ host: z.string() });
const Queued = z.object({ host: z.string(), queued: z.number() });
const Level = z.object({ depth: z.number().nullable() });
const Taken = z.object({
  seq: z.number(),
  url: z.string(),
  host: z.string(),
  depth: z.number(),
  parent: z.number().nullable(),
});
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
const Hashed = z.object({ seq: z.number(), simhash: z.string().nullable() });
const Parent = z.object({ url: z.string() });
const Key = z.object({ key: z.string() });
const LastSeq = z.object({ last_seq: z.number() });

export type RowsParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly billing: Billing;
  readonly results: Results;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The id of this process; whatever it held in an earlier life is free when it joins. */
  readonly holder: string;
};

/** Whose crawl it is, and what bounds it. */
export type Crawling = {
  readonly jobId: string;
  readonly operation: string;
  readonly account: Account;
  readonly maxPages: number;
  readonly maxCredits: number | null;
  /** Whether a depth is ended before the next begins, so that each page has its least depth. */
  readonly byLevel: boolean;
  readonly price: Price;
  /** What is exchanged with the site, null where nobody keeps it. */
  readonly archive: Archiving | null;
  /** Credits of the cheapest outcome that a page can have. */
  readonly cheapest: number;
};

/** Keys that another process took meanwhile: the batch must be made anew without what needed them. */
class Overtaken extends Error {
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super('others were faster');
    this.keys = keys;
  }
}

/** Joins a crawl as one of its members; opens it when it is new. */
export async function joinRows(parts: RowsParts, crawling: Crawling): Promise<Frontier> {
  const { db, inTurn, billing, results, clock, random, holder } = parts;
  const { jobId, account, archive } = crawling;
  const member = toNumber(random());
  await db.query(OPEN, [toNumber(random()), jobId, crawling.maxPages, JSON.stringify(EMPTY_TALLY)]);
  const { crawl } = Crawl.parse((await db.query(FIND, [jobId]))[0]);
  const accountOf = (whose: number): Account => ({ ...account, key: `crawl:${jobId}:${whose}` });
  const own = accountOf(member);
  const statements = BULK_STATEMENTS[db.kind];
  const known = buildKnown();
  const withinSpread = buildSpread();
  const near = buildNear(async (seq) => readRow(Parent, await db.query(PARENT, [crawl, seq]))?.url ?? null);

  async function together<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    return inTurn(`tenant ${account.tenant}`, work, { key: `crawl ${crawl}` });
  }

  async function lock(tx: Statements) {
    const row = readRow(Crawl, await tx.query(LOCK, [crawl]));
    if (row === null) throw new LeaseLost('the crawl is gone');
    return row;
  }

  async function fence(tx: Statements): Promise<void> {
    const now = clock.now();
    const alive = await tx.query(BEAT, [crawl, member, now + LEASE_MS, now]);
    if (alive.length === 0) throw new LeaseLost('the crawl goes on without this member');
  }

  /** Adds what is not known yet, in the order given; answers what was new. */
  async function add(tx: Statements, found: readonly (Found & { readonly parent: number | null })[]) {
    if (found.length === 0) return [];
    const last = readRow(LastSeq, await tx.query(NUMBER, [crawl, found.length]))?.last_seq ?? 0;
    const numbered = found.map((one, at) => ({ ...one, seq: last - found.length + 1 + at }));
    const keys = JSON.stringify(numbered.map(({ key, seq, skip }) => [key, skip === 'depth' ? TOO_DEEP : seq]));
    const fresh = new Set(readRows(Key, await tx.query(statements.addKeys, [crawl, keys])).map(({ key }) => key));
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
      await tx.query(statements.addHosts, [crawl, JSON.stringify(perHost(queued))]);
    }
    return added;
  }

  /** Takes keys that were known as too deep; answers which. */
  async function raise(tx: Statements, keys: readonly (readonly [string, number])[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0 || !crawling.byLevel) return new Set();
    const rows = readRows(Key, await tx.query(statements.raise, [crawl, JSON.stringify(keys)]));
    return new Set(rows.map(({ key }) => key));
  }

  /** Brings what waits as near as the shortest way that was met to it; what rested and need not any more waits. */
  async function approach(tx: Statements, found: readonly (Found & { readonly parent: number })[]): Promise<void> {
    const nearest = new Map<string, (typeof found)[number]>();
    for (const one of found) if (one.depth < (nearest.get(one.key)?.depth ?? Infinity)) nearest.set(one.key, one);
    if (nearest.size === 0 || !crawling.byLevel) return;
    const cells = [...nearest.values()].map(({ key, depth, parent, rests }) => [key, depth, parent, rests ? 1 : 0]);
    const rows = JSON.stringify(cells);
    const hosts = readRows(HostOf, await tx.query(statements.rouse, [crawl, rows])).map(({ host }) => host);
    if (hosts.length > 0) await tx.query(statements.addHosts, [crawl, JSON.stringify(perHost(hosts))]);
    await tx.query(statements.approach, [crawl, rows]);
  }

  /** Lets addresses that wait rest, and learns what is said of them. */
  async function settle(tx: Statements, found: readonly Found[]): Promise<void> {
    if (found.length === 0) return;
    const rows = JSON.stringify(found.map(({ key, title, lastmod }) => [key, title, lastmod]));
    const hosts = readRows(HostOf, await tx.query(statements.rest, [crawl, rows]));
    for (const [host, n] of perHost(hosts.map(({ host: one }) => one))) await tx.query(LESS_QUEUED, [crawl, host, n]);
    await tx.query(statements.learn, [crawl, rows]);
  }

  async function putBack(tx: Statements, whose: number): Promise<number> {
    const hosts = readRows(HostOf, await tx.query(PUT_BACK, [crawl, whose])).map(({ host }) => host);
    if (hosts.length > 0) await tx.query(statements.addHosts, [crawl, JSON.stringify(perHost(hosts))]);
    return hosts.length;
  }

  /** The depth of the pages whose turn it is. */
  async function levelOf(tx: Statements, hosts: readonly z.output<typeof Queued>[]): Promise<number> {
    if (!crawling.byLevel) return ANY_DEPTH;
    const levels = [await tx.query(ACTIVE_LEVEL, [crawl])];
    for (const { host } of hosts) levels.push(await tx.query(LEVEL, [crawl, host]));
    return Math.min(...levels.map((rows) => readRow(Level, rows)?.depth ?? ANY_DEPTH));
  }

  /** Gives the pages of dead members, and of earlier lives of `whose`, back to the queue. */
  async function bury(tx: Statements, whose: string | null): Promise<void> {
    const row = await lock(tx);
    let back = 0;
    const dead = readRows(Member, await tx.query(DEAD, [crawl, clock.now(), whose]));
    for (const one of dead) {
      back += await putBack(tx, one.member);
      await billing.unhold(tx, accountOf(one.member));
    }
    if (back > 0) await tx.query(COUNT, [crawl, row.stored, row.active - back, JSON.stringify(row.tally)]);
  }

  /** What was stored before, by whomever, so that a resumed crawl flags as an undisturbed one. */
  async function recall(): Promise<void> {
    for (let after = 0, rows = null; rows === null || rows.length > 0;) {
      rows = readRows(Hashed, await db.query(HASHES, [crawl, after, RECALLED]));
      for (const { seq, simhash } of rows) {
        if (simhash !== null) near.add(fromText(simhash), seq);
        after = seq;
      }
    }
  }

  await recall();
  await together(async (tx) => {
    await bury(tx, holder);
    await tx.query(JOIN, [crawl, member, holder, clock.now() + LEASE_MS]);
  });
  return {
    isKnown: known.hasFound,

    async seed(found: readonly Found[]): Promise<void> {
      await together(async (tx) => {
        const row = await lock(tx);
        if (row.last_seq > 0) return;
        const added = await add(
          tx,
          found.map((one) => ({ ...one, parent: null })),
        );
        await tx.query(COUNT, [crawl, row.stored, row.active, JSON.stringify(addTo(row.tally, [], added))]);
      });
    },

    async add(found: readonly Found[]): Promise<Standing> {
      const unknown = onlyUnknown(found, known);
      const kept = await exchangesOf([]);
      const standing = await together(async (tx) => {
        const row = await lock(tx);
        await fence(tx);
        await settle(
          tx,
          found.filter(({ rests, skip }) => rests && skip === null),
        );
        const added = await add(
          tx,
          unknown.map((one) => ({ ...one, parent: SEED })),
        );
        const tally = addTo(row.tally, [], added);
        await tx.query(COUNT, [crawl, row.stored, row.active, JSON.stringify(tally)]);
        await progress(tx, tally, row.stored);
        await results.appendArchive(tx, jobId, kept);
        return toStanding(tally, row);
      });
      for (const one of unknown) known.addFound(one);
      return standing;
    },

    async wake(depth: number): Promise<number> {
      return together(async (tx) => {
        await lock(tx);
        await fence(tx);
        const hosts = readRows(HostOf, await tx.query(WAKE, [crawl, depth])).map(({ host }) => host);
        await tx.query(statements.addHosts, [crawl, JSON.stringify(perHost(hosts))]);
        return hosts.length;
      });
    },

    listed: async (most: number) => readRows(ListedRow, await db.query(LISTED, [crawl, most])),
    survey: async () => readRows(LayerRow, await db.query(SURVEY, [crawl])),

    async claim(appetite: Appetite): Promise<Claimed> {
      return together(async (tx) => {
        const row = await lock(tx);
        await fence(tx);
        const job = readRow(Job, await tx.query(IS_OPEN, [jobId]));
        if (job === null) throw new LeaseLost('the job has ended');
        if (job.cancel_requested === 1) throw new Stopped('cancelled');
        const slots = row.max_pages - row.stored - row.active;
        const most = Math.min(appetite.most, slots);
        const queued = readRows(Queued, await tx.query(QUEUED_HOSTS, [crawl]));
        if (queued.length === 0) return { claims: [], held: 'nothing' };
        const hosts = queued.filter(({ host }) => !isGivenUp(row.tally, host));
        if (hosts.length === 0) return { claims: [], held: 'blocked' };
        const depth = await levelOf(tx, hosts);
        if (most <= 0) return { claims: [], held: 'max_pages' };
        const within = mostWithin(crawling, row.tally.credits, row.active);
        if (within <= 0) return { claims: [], held: 'max_credits' };
        const affordable = await billing.holdUpTo(tx, own, {
          each: crawling.cheapest,
          most: Math.min(most, within),
        });
        if (affordable.times === 0) return { claims: [], held: affordable.refused };
        const taken: z.output<typeof Taken>[] = [];
        for (const { host, queued: there } of hosts) {
          const wanted = Math.min(affordable.times - taken.length, appetite.mostOf(host), there);
          if (wanted <= 0) continue;
          const rows = readRows(Taken, await tx.query(TAKE, [crawl, member, host, depth, wanted]));
          await tx.query(LESS_QUEUED, [crawl, host, rows.length]);
          taken.push(...rows);
        }
        await billing.unhold(tx, own, (affordable.times - taken.length) * crawling.cheapest);
        await tx.query(COUNT, [crawl, row.stored, row.active + taken.length, JSON.stringify(row.tally)]);
        const claims: Claim[] = [];
        for (const { parent, ...claim } of taken.toSorted((a, b) => a.depth - b.depth || a.seq - b.seq)) {
          const parentUrl = parent === null ? null : readRow(Parent, await tx.query(PARENT, [crawl, parent]));
          claims.push({ ...claim, parentUrl: parentUrl?.url ?? null });
        }
        return { claims, held: null };
      });
    },

    /** The batch is packed outside of the transaction; what others were faster with is taken out and it is made anew. */
    async commit(ends: readonly End[]): Promise<Standing> {
      const kept = await exchangesOf(ends);
      for (let left = withoutTwins(ends, known); ; left = withoutTwins(left, known)) {
        const batch = await near.flag(left);
        const elements = batch
          .map(({ fate }) => (fate.kind === 'stored' ? fate.element : null))
          .filter((element) => element !== null);
        const packed = await results.packLines(jobId, elements.map(toLine));
        try {
          const { standing, keys, found } = await together(async (tx) => store(tx, batch, { packed, kept }));
          for (const key of keys) known.add(key);
          for (const one of found) known.addFound(one);
          near.remember(batch);
          for (const { members } of elements) release(members);
          return standing;
        } catch (error) {
          await results.discard(error instanceof Overtaken ? packed : [...packed, ...kept], error);
          if (!(error instanceof Overtaken)) throw error;
          for (const key of error.keys) known.add(key);
        }
      }
    },

    async raise(credits: number): Promise<boolean> {
      return together(async (tx) => {
        await fence(tx);
        return (await billing.holdUpTo(tx, own, { each: credits, most: 1 })).times === 1;
      });
    },

    async standing(): Promise<Standing> {
      const row = Crawl.parse((await db.query(FIND, [jobId]))[0]);
      return toStanding(row.tally, row);
    },

    async troubles(most: number) {
      const rows = readRows(FailedRow, await db.query(TROUBLES, [crawl, STATES.failed, most]));
      return rows.map(({ url, status_code: statusCode, code, message }) =>
        toTrouble(url, { statusCode, code, message }),
      );
    },

    async beat(): Promise<void> {
      const now = clock.now();
      if ((await db.query(BEAT, [crawl, member, now + LEASE_MS, now])).length === 0) {
        throw new LeaseLost('the crawl goes on without this member');
      }
      if ((await db.query(ANY_DEAD, [crawl, now])).length === 0) return;
      await together(async (tx) => bury(tx, null));
    },

    async leave(): Promise<void> {
      const kept = await exchangesOf([]);
      await together(async (tx) => {
        const row = await lock(tx);
        if ((await tx.query(LEAVE, [crawl, member])).length === 0) return;
        const back = await putBack(tx, member);
        await tx.query(COUNT, [crawl, row.stored, row.active - back, JSON.stringify(row.tally)]);
        await results.appendArchive(tx, jobId, kept);
        await billing.unhold(tx, own);
      });
    },
  };

  async function exchangesOf(ends: readonly End[]): Promise<readonly Segment[]> {
    return archive === null ? [] : archive.pack(ends);
  }

  async function store(tx: Statements, ends: readonly End[], { packed, kept }: Packed) {
    const row = await lock(tx);
    await fence(tx);
    const ended = await tx.query(statements.end, [crawl, member, JSON.stringify(ends.map(toCells))]);
    if (ended.length < ends.length) throw new LeaseLost('some of the pages are others’ now');
    const keys = await takeKeys(tx, ends);
    const links = ends.flatMap((end) => end.links.map((link) => ({ ...link, parent: end.claim.seq })));
    const unknown = onlyUnknown(links, known);
    const added = await add(tx, unknown);
    await approach(
      tx,
      ends.flatMap(({ claim, links: all }) =>
        shortWays(all, claim.depth).map((link) => ({ ...link, parent: claim.seq })),
      ),
    );
    const tally = addTo(row.tally, ends, added);
    const counts = {
      stored: row.stored + ends.filter(({ fate }) => fate.kind === 'stored').length,
      active: row.active - ends.length,
    };
    await tx.query(COUNT, [crawl, counts.stored, counts.active, JSON.stringify(tally)]);
    await progress(tx, tally, counts.stored);
    if (packed.length > 0) await results.append(tx, jobId, packed);
    await results.appendArchive(tx, jobId, kept);
    await billing.settlePart(tx, own, {
      key: `job:${jobId}:${ends[0]?.claim.seq ?? 0}`,
      operation: crawling.operation,
      credits: tally.credits - row.tally.credits,
      freed: ends.reduce((sum, { held }) => sum + held, 0),
    });
    return { standing: toStanding(tally, counts), keys, found: unknown };
  }

  async function progress(tx: Statements, tally: Tally, stored: number): Promise<void> {
    const usage = JSON.stringify(sumOf(crawling.price, tally.tiers));
    const { discovered, failed, pending } = toStanding(tally, { stored, active: 0 });
    const open = await tx.query(PROGRESS, [jobId, discovered, stored, failed, usage, pending]);
    if (open.length === 0) throw new LeaseLost('the job has ended');
  }

  /** Takes the names of contents and the places where redirects led, so that nobody stores the same again. */
  async function takeKeys(tx: Statements, ends: readonly End[]): Promise<readonly string[]> {
    const wanted = ends.flatMap(({ claim, fate }) =>
      fate.kind === 'stored'
        ? [fate.contentKey, fate.finalKey].filter((key) => key !== null).map((key) => [key, claim.seq] as const)
        : [],
    );
    if (wanted.length === 0) return [];
    const taken = readRows(Key, await tx.query(statements.addKeys, [crawl, JSON.stringify(wanted)]));
    const got = new Set(taken.map(({ key }) => key));
    const raised = await raise(
      tx,
      wanted.filter(([key]) => !got.has(key)),
    );
    const lost = wanted.map(([key]) => key).filter((key) => !got.has(key) && !raised.has(key));
    if (lost.length > 0) throw new Overtaken(lost);
    return wanted.map(([key]) => key);
  }
}

function toCells({ claim, fate }: End): readonly (string | number | null)[] {
  const cells = [claim.seq, STATES[fate.kind]] as const;
  if (fate.kind === 'failed') return [...cells, fate.statusCode, fate.code, fate.message, null, null];
  if (fate.kind === 'skipped') return [...cells, null, null, null, null, null];
  const { simhash, title } = fate;
  return [...cells, null, null, null, simhash === null ? null : toText(simhash), title];
}

/** Pieces of the result and of the archive, ready for their transaction. */
type Packed = { readonly packed: readonly Segment[]; readonly kept: readonly Segment[] };

type Numbered = Found & { readonly seq: number; readonly parent: number | null };

function toUrlCells({ seq, host, url, depth, parent, source, title, lastmod, rests }: Numbered) {
  return [seq, host, url, depth, parent, rests ? STATES.resting : STATES.waiting, source, title, lastmod];
}

/** Pages that the caller's own ceiling still pays for. */
function mostWithin({ maxCredits, cheapest }: Crawling, spent: number, active: number): number {
  if (maxCredits === null) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, Math.floor((maxCredits - spent) / cheapest) - active);
}

function perHost(hosts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function toNumber(random: number): number {
  return Math.floor(random * LARGEST_NUMBER);
}
