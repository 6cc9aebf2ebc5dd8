import { z } from 'zod';
import type { Statements, StoreKind } from '#store/db.ts';
import { bulk, IS_AMONG } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { MIN_SUSPECT, UNSUSPECTED } from './suspects.ts';
import { URL_STATES } from './url-states.ts';

const { waiting, claimed } = URL_STATES;

/** Visits that a host may refuse for now before the page waits until the others have been visited. */
export const TRIES_IN_TURN = 3;

/**
 * Pages that a claim considers: any, those that were not refused too often to be visited in their turn, those that are not
 * suspected of killing processes, or the least suspected first.
 */
export type ClaimChoice = 'any' | 'in turn' | 'unsuspected' | 'least suspected';

const WHERE: Readonly<Record<ClaimChoice, string>> = {
  any: '',
  'in turn': ` and tries < ${TRIES_IN_TURN}`,
  unsuspected: UNSUSPECTED,
  'least suspected': '',
};
const FIRST: Readonly<Record<ClaimChoice, string>> = {
  any: '',
  'in turn': '',
  unsuspected: '',
  'least suspected': MIN_SUSPECT,
};

/**
 * Selects the pages of each `[host, most]` of the JSON array `$4`, the least deep first, at most `$5` in total. As for
 * jobs, SQLite gets one statement a host.
 */
const CHOSEN: Readonly<Record<StoreKind, (choice: ClaimChoice) => string>> = {
  sqlite: (choice) => `select seq from crawl_urls where crawl = $1 and state = ${waiting}
      and host = json_extract($4, '$[0][0]') and depth <= $3${WHERE[choice]}
    order by ${FIRST[choice]}depth, seq limit min(json_extract($4, '$[0][1]'), $5)`,
  postgres: (choice) => `select page.seq
    from jsonb_array_elements(cast($4 as jsonb)) with ordinality as demand (cells, place) cross join lateral (
      select seq from crawl_urls where crawl = $1 and state = ${waiting}
        and host = demand.cells ->> 0 and depth <= $3${WHERE[choice]}
      order by ${FIRST[choice]}depth, seq limit cast(demand.cells ->> 1 as bigint)) as page
    order by demand.place limit cast($5 as bigint)`,
};
const AT_A_TIME: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: Number.MAX_SAFE_INTEGER };

function toTake(kind: StoreKind, choice: ClaimChoice): string {
  return `update crawl_urls set state = ${claimed}, member = $2 where crawl = $1 and ${IS_AMONG[kind]('seq', CHOSEN[kind](choice))}
    returning seq, url, host, depth, tries, (select parents.url from crawl_urls as parents
      where parents.crawl = crawl_urls.crawl and parents.seq = crawl_urls.parent) as parent_url,
    (select parents.code from crawl_urls as parents
      where parents.crawl = crawl_urls.crawl and parents.seq = crawl_urls.parent) as parent_code`;
}

/** Selects the least depth of claimed pages and of waiting pages at some hosts. */
function toLevel(kind: StoreKind): string {
  const hosts = bulk(kind, '$2', { name: 'b', columns: { host: 'text' } });
  return `select min(depth) as depth from (
      select min(depth) as depth from crawl_urls where crawl = $1 and state = ${claimed}
      union all select (select min(depth) from crawl_urls where crawl = $1 and state = ${waiting} and host = b.host)
        from ${hosts}) as levels`;
}

const Level = z.object({ depth: z.number().nullable() });
const TakenRow = z.object({
  seq: z.number(),
  url: z.string(),
  host: z.string(),
  depth: z.number(),
  tries: z.number(),
  parent_url: z.string().nullable(),
  /** Why the parent failed or was skipped. */
  parent_code: z.string().nullable(),
});

/** The row of a page that was taken to be visited. */
export type TakenPage = z.output<typeof TakenRow>;

type TurnOfPage = Pick<TakenPage, 'seq' | 'depth' | 'tries'>;

/** The order in which pages are visited: as they were found, the least deep first, and those that were refused too often last. */
export function byTurn(a: TurnOfPage, b: TurnOfPage): number {
  return Number(a.tries >= TRIES_IN_TURN) - Number(b.tries >= TRIES_IN_TURN) || a.depth - b.depth || a.seq - b.seq;
}

/** Number of pages that may be taken at a host. */
export type HostDemand = readonly [host: string, most: number];

/** Builds the statements that take waiting pages; their cost does not depend on the number of hosts and pages. */
export function buildTakeStatements(kind: StoreKind, crawl: number) {
  const level = toLevel(kind);

  return {
    /** The least depth of waiting and claimed pages, null where there are none. */
    async levelOf(tx: Statements, hosts: readonly string[]): Promise<number | null> {
      const cells = JSON.stringify(hosts.map((host) => [host]));
      return readRow(Level, await tx.query(level, [crawl, cells]))?.depth ?? null;
    },

    /** Takes pages no deeper than `depth` for a member, at most `most`, host by host in the given order. */
    async take(
      tx: Statements,
      demand: readonly HostDemand[],
      terms: { readonly member: number; readonly depth: number; readonly most: number; readonly choice: ClaimChoice },
    ): Promise<readonly TakenPage[]> {
      const { member, depth, most, choice } = terms;
      const statement = toTake(kind, choice);
      const taken: TakenPage[] = [];
      for (let at = 0; at < demand.length && taken.length < most; at += AT_A_TIME[kind]) {
        const some = JSON.stringify(demand.slice(at, at + AT_A_TIME[kind]));
        const rows = await tx.query(statement, [crawl, member, depth, some, most - taken.length]);
        taken.push(...readRows(TakenRow, rows));
      }
      return taken;
    },
  };
}
