import { z } from 'zod';
import { LeaseLost } from '#engine/job-leases.ts';
import type { Segment } from '#engine/result-segments.ts';
import { release } from '#kernel/memory.ts';
import type { Db, Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import type { AddressRows, Numbering } from './address-rows.ts';
import type { CrawlRow, Crawling, RowsParts } from './crawl-row.ts';
import { toLine } from './element-line.ts';
import type { End, Standing } from './frontier.ts';
import { onlyUnknown, shortWays } from './known.ts';
import type { Known } from './known.ts';
import type { Membership } from './members.ts';
import { buildNear, fromText } from './near.ts';
import type { Near } from './near.ts';
import { addTo, toStanding } from './tally.ts';
import { withinTwins, withoutTwins } from './twins.ts';

const HASHES = `select seq, simhash from crawl_urls where crawl = $1 and seq > $2 and state = 2 order by seq limit $3`;

/** Rows that are read at once when a crawl is joined. */
const RECALLED = 10_000;

const Hashed = z.object({ seq: z.number(), simhash: z.string().nullable() });

/** Keys that another process took meanwhile: the batch must be made anew without what needed them. */
class Overtaken extends Error {
  readonly keys: readonly string[];
  constructor(keys: readonly string[]) {
    super('others were faster');
    this.keys = keys;
  }
}

/** Pieces of the result and of the archive, ready for their transaction. */
type Packed = { readonly packed: readonly Segment[]; readonly kept: readonly Segment[] };

/** What was stored before, by whomever, so that a resumed crawl flags as an undisturbed one. */
export async function recallNear(db: Db, crawl: number, urlOf: Parameters<typeof buildNear>[0]): Promise<Near> {
  const near = buildNear(urlOf);
  for (let after = 0, rows = null; rows === null || rows.length > 0;) {
    rows = readRows(Hashed, await db.query(HASHES, [crawl, after, RECALLED]));
    for (const { seq, simhash } of rows) {
      if (simhash !== null) near.add(fromText(simhash), seq);
      after = seq;
    }
  }
  return near;
}

/** Builds the commit of pages that ended: all of it is one transaction. */
export function buildCommitting(
  { billing, results }: RowsParts,
  { jobId, operation, archive }: Crawling,
  rows: {
    readonly row: CrawlRow;
    readonly addresses: AddressRows;
    readonly membership: Membership;
    readonly known: Known;
    readonly near: Near;
  },
): (ends: readonly End[]) => Promise<Standing> {
  const { row, addresses, membership, known, near } = rows;

  async function store(tx: Statements, ends: readonly End[], { packed, kept }: Packed) {
    const before = await row.lock(tx);
    await membership.fence(tx);
    const ended = await addresses.end(tx, membership.member, ends);
    if (ended < ends.length) throw new LeaseLost('some of the pages are others’ now');
    const keys = toKeys(ends);
    const lost = await addresses.takeKeys(tx, keys);
    if (lost.length > 0) throw new Overtaken(lost);
    const followed = withinTwins(ends, before);
    const links = followed.ends.flatMap((end) => end.links.map((link) => ({ ...link, parent: end.claim.seq })));
    const found = onlyUnknown(links, known);
    const added = await addresses.add(tx, found);
    await addresses.approach(
      tx,
      followed.ends.flatMap(({ claim, links: all }) =>
        shortWays(all, claim.depth).map((link) => ({ ...link, parent: claim.seq })),
      ),
    );
    const counts = {
      tally: addTo(followed.tally, ends, added),
      stored: before.stored + ends.filter(({ fate }) => fate.kind === 'stored').length,
      active: before.active - ends.length,
    };
    await row.count(tx, counts);
    await row.progress(tx, counts);
    if (packed.length > 0) await results.append(tx, jobId, packed);
    await results.appendArchive(tx, jobId, kept);
    await billing.settlePart(tx, membership.account, {
      key: `job:${jobId}:${ends[0]?.claim.seq ?? 0}`,
      operation,
      credits: counts.tally.credits - before.tally.credits,
      freed: ends.reduce((sum, { held }) => sum + held, 0),
    });
    return { standing: toStanding(counts.tally, counts), keys, found };
  }

  /** The batch is packed outside of the transaction; what others were faster with is taken out and it is made anew. */
  return async function commit(ends) {
    const kept = archive === null ? [] : await archive.pack(ends);
    for (let left = withoutTwins(ends, known); ; left = withoutTwins(left, known)) {
      const batch = await near.flag(left);
      const elements = batch
        .map(({ fate }) => (fate.kind === 'stored' ? fate.element : null))
        .filter((element) => element !== null);
      const packed = await results.packLines(jobId, elements.map(toLine));
      try {
        const { standing, keys, found } = await row.together(async (tx) => store(tx, batch, { packed, kept }));
        for (const [key] of keys) known.add(key);
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
  };
}

/** The names of contents and the places where redirects led, which are taken so that nobody stores the same again. */
function toKeys(ends: readonly End[]): readonly Numbering[] {
  return ends.flatMap(({ claim, fate }) =>
    fate.kind === 'stored'
      ? [fate.contentKey, fate.finalKey].filter((key) => key !== null).map((key) => [key, claim.seq] as const)
      : [],
  );
}
