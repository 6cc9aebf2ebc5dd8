import { z } from 'zod';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

/** Claimed so often by members that died, a page is suspected of it, and visited alone. */
const SUSPECTED_AFTER = 2;
/** And so often it is given up. */
const GIVEN_UP_AFTER = 4;

const BURY = `update crawl_urls set member = null, deaths = deaths + 1,
    state = case when deaths + 1 >= ${GIVEN_UP_AFTER} then 3 else 0 end,
    code = case when deaths + 1 >= ${GIVEN_UP_AFTER} then 'internal_error' end,
    message = case when deaths + 1 >= ${GIVEN_UP_AFTER} then 'the process that visited it died, again and again' end
  where crawl = $1 and state = 1 and member = $2 returning host, state, deaths`;
const UNDER_WAY = `select seq from crawl_urls where crawl = $1 and state = 1 and member = $2
  and (deaths >= ${SUSPECTED_AFTER} or cast($3 as bigint) = 1) limit 1`;

/** Behind the condition of a claim: pages that are not suspected of anything. */
export const UNSUSPECTED = ` and deaths < ${SUSPECTED_AFTER}`;
/** Before the order of a claim, so that the one that kills is the last to be visited. */
export const LEAST_SUSPECT = 'deaths, ';

const Buried = z.object({ host: z.string(), state: z.number(), deaths: z.number() });
const FAILED = 3;

/** What becomes of the pages that a member had claimed when it died. */
export type Buried = {
  /** Of the pages that wait again. */
  readonly hosts: readonly string[];
  /** Pages that are given up. */
  readonly givenUp: number;
  readonly hasSuspects: boolean;
};

/** Counts a death for each page that a member had claimed; which one it died of is not known. */
export async function bury(tx: Statements, crawl: number, member: number): Promise<Buried> {
  const pages = readRows(Buried, await tx.query(BURY, [crawl, member]));
  return {
    hosts: pages.filter(({ state }) => state !== FAILED).map(({ host }) => host),
    givenUp: pages.filter(({ state }) => state === FAILED).length,
    hasSuspects: pages.some(({ deaths }) => deaths >= SUSPECTED_AFTER),
  };
}

/** Whether a member visits a suspected page now, or any at all. */
export async function isVisiting(
  tx: Statements,
  { crawl, member, what }: { readonly crawl: number; readonly member: number; readonly what: 'suspects' | 'any' },
): Promise<boolean> {
  return (await tx.query(UNDER_WAY, [crawl, member, what === 'any' ? 1 : 0])).length > 0;
}
