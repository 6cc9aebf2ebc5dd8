import { z } from 'zod';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { URL_STATES } from './url-states.ts';

const { waiting, claimed, failed } = URL_STATES;

/** Members that died while they had claimed a page, from which on it is suspected and visited alone. */
const SUSPECTED_AFTER = 2;
/** And from which on it is given up. */
const GIVEN_UP_AFTER = 4;

const REAP = `update crawl_urls set member = null, deaths = deaths + 1,
    state = case when deaths + 1 >= ${GIVEN_UP_AFTER} then ${failed} else ${waiting} end,
    code = case when deaths + 1 >= ${GIVEN_UP_AFTER} then 'internal_error' end,
    message = case when deaths + 1 >= ${GIVEN_UP_AFTER} then 'the processes that visited the page died' end
  where crawl = $1 and state = ${claimed} and member = $2 returning host, state, deaths`;
const UNDER_WAY = `select seq from crawl_urls where crawl = $1 and state = ${claimed} and member = $2
  and (deaths >= ${SUSPECTED_AFTER} or cast($3 as bigint) = 1) limit 1`;

/** Appended to the condition of a claim: only pages that are not suspected. */
export const UNSUSPECTED = ` and deaths < ${SUSPECTED_AFTER}`;
/** Put before the order of a claim, so that a page that kills is visited last. */
export const MIN_SUSPECT = 'deaths, ';

const ReapedRow = z.object({ host: z.string(), state: z.number(), deaths: z.number() });

/** The pages that a member had claimed when it died. */
export type Reaped = {
  /** Hosts of the pages that wait again. */
  readonly hosts: readonly string[];
  /** Number of pages that were given up. */
  readonly givenUp: number;
  readonly hasSuspects: boolean;
};

/** Counts a death for each page that a dead member had claimed; which of them killed it is unknown. */
export async function reapPages(tx: Statements, crawl: number, member: number): Promise<Reaped> {
  const pages = readRows(ReapedRow, await tx.query(REAP, [crawl, member]));
  return {
    hosts: pages.filter(({ state }) => state !== failed).map(({ host }) => host),
    givenUp: pages.filter(({ state }) => state === failed).length,
    hasSuspects: pages.some(({ deaths }) => deaths >= SUSPECTED_AFTER),
  };
}

/** Whether a member visits a suspected page now, or any page. */
export async function isVisiting(
  tx: Statements,
  { crawl, member, what }: { readonly crawl: number; readonly member: number; readonly what: 'suspects' | 'any' },
): Promise<boolean> {
  return (await tx.query(UNDER_WAY, [crawl, member, what === 'any' ? 1 : 0])).length > 0;
}
