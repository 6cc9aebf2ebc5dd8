import { z } from 'zod';
import type { Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable, IN_SELECT } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { URL_STATES } from './url-statements.ts';

const { waiting, claimed, failed } = URL_STATES;

/** After this many members died while visiting a page, it is suspected of killing processes and visited alone. */
const SUSPECTED_AFTER_DEATHS = 2;
/** After this many deaths the page is given up. */
export const GIVEN_UP_AFTER_DEATHS = 4;
export const DEATHS_MESSAGE = 'the processes that visited the page died';

const REAP = `update crawl_urls set member = null, deaths = deaths + 1,
    state = case when deaths + 1 >= $3 then ${failed} else ${waiting} end,
    code = case when deaths + 1 >= $3 then 'internal_error' end,
    message = case when deaths + 1 >= $3 then '${DEATHS_MESSAGE}' end
  where crawl = $1 and state = ${claimed} and member = $2 returning seq, url, host, state, deaths`;
const FIND_VISITED = `select seq from crawl_urls where crawl = $1 and state = ${claimed} and member = $2
  and (deaths >= ${SUSPECTED_AFTER_DEATHS} or cast($3 as bigint) = 1) limit 1`;

/** SQL condition: only pages that are not suspected. */
const IS_UNSUSPECTED = ` and deaths < ${SUSPECTED_AFTER_DEATHS}`;
/** SQL order: the least suspected pages first. */
const LEAST_SUSPECTED_FIRST = 'deaths, ';

/** More deaths than a page can have. */
const MAX_DEATHS = 2 ** 31 - 1;

/** Visits that a host may refuse temporarily before the page has to wait for all others. */
export const MAX_TRIES_IN_TURN = 3;

/**
 * Which pages a claim may take: any; those refused at most `MAX_TRIES_IN_TURN` times; those not suspected of killing
 * processes; or any, the least suspected first.
 */
export type ClaimChoice = 'any' | 'in turn' | 'unsuspected' | 'least suspected';

const CHOICE_CONDITIONS: Readonly<Record<ClaimChoice, string>> = {
  any: '',
  'in turn': ` and tries < ${MAX_TRIES_IN_TURN}`,
  unsuspected: IS_UNSUSPECTED,
  'least suspected': '',
};
const CHOICE_ORDERS: Readonly<Record<ClaimChoice, string>> = {
  any: '',
  'in turn': '',
  unsuspected: '',
  'least suspected': LEAST_SUSPECTED_FIRST,
};

/**
 * Selects the pages of each `[host, max]` of the JSON array `$4`, the least deep first, at most `$5` in total. SQLite
 * gets one statement per host.
 */
const SELECT_PAGES: Readonly<Record<StoreKind, (choice: ClaimChoice) => string>> = {
  sqlite: (choice) => `select seq from crawl_urls where crawl = $1 and state = ${waiting}
      and host = json_extract($4, '$[0][0]') and depth <= $3${CHOICE_CONDITIONS[choice]}
    order by ${CHOICE_ORDERS[choice]}depth, seq limit min(json_extract($4, '$[0][1]'), $5)`,
  postgres: (choice) => `select page.seq
    from jsonb_array_elements(cast($4 as jsonb)) with ordinality as demand (cells, place) cross join lateral (
      select seq from crawl_urls where crawl = $1 and state = ${waiting}
        and host = demand.cells ->> 0 and depth <= $3${CHOICE_CONDITIONS[choice]}
      order by ${CHOICE_ORDERS[choice]}depth, seq limit cast(demand.cells ->> 1 as bigint)) as page
    order by demand.place limit cast($5 as bigint)`,
};
const HOSTS_PER_STATEMENT: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: Number.MAX_SAFE_INTEGER };

function buildTakeStatement(kind: StoreKind, choice: ClaimChoice): string {
  return `update crawl_urls set state = ${claimed}, member = $2 where crawl = $1 and ${IN_SELECT[kind]('seq', SELECT_PAGES[kind](choice))}
    returning seq, url, host, depth, tries, deaths, (select parents.url from crawl_urls as parents
      where parents.crawl = crawl_urls.crawl and parents.seq = crawl_urls.parent) as parent_url,
    (select parents.code from crawl_urls as parents
      where parents.crawl = crawl_urls.crawl and parents.seq = crawl_urls.parent) as parent_code`;
}

/** Builds the query for the least depth of claimed pages and of waiting pages at some hosts. */
function buildLevelStatement(kind: StoreKind): string {
  const hosts = buildRowsTable(kind, '$2', { name: 'b', columns: { host: 'text' } });
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
  deaths: z.number(),
  parent_url: z.string().nullable(),
  /** Why the parent page failed or was skipped. */
  parent_code: z.string().nullable(),
});

/** The row of a page that was just claimed. */
export type TakenPage = z.output<typeof TakenRow>;

type PageTurn = Pick<TakenPage, 'seq' | 'depth' | 'tries'>;

/** Order of visits: the least deep first, then in order of discovery. Pages that were refused too often come last. */
export function compareTurns(a: PageTurn, b: PageTurn): number {
  return (
    Number(a.tries >= MAX_TRIES_IN_TURN) - Number(b.tries >= MAX_TRIES_IN_TURN) || a.depth - b.depth || a.seq - b.seq
  );
}

/** Maximum number of pages to take at a host. */
export type HostDemand = readonly [host: string, most: number];

/** Creates the statements that take waiting pages. Their cost does not depend on the number of hosts and pages. */
export function createPageTaker(kind: StoreKind, crawl: number) {
  const level = buildLevelStatement(kind);

  return {
    /** Least depth of waiting and claimed pages, null if there are none. */
    async findLevel(tx: Queryable, hosts: readonly string[]): Promise<number | null> {
      const cells = JSON.stringify(hosts.map((host) => [host]));
      return readRow(Level, await tx.query(level, [crawl, cells]))?.depth ?? null;
    },

    /** Claims pages no deeper than `depth` for a member, at most `most`, host by host in the given order. */
    async take(
      tx: Queryable,
      demand: readonly HostDemand[],
      terms: { readonly member: number; readonly depth: number; readonly most: number; readonly choice: ClaimChoice },
    ): Promise<readonly TakenPage[]> {
      const { member, depth, most, choice } = terms;
      const statement = buildTakeStatement(kind, choice);
      const taken: TakenPage[] = [];
      for (let at = 0; at < demand.length && taken.length < most; at += HOSTS_PER_STATEMENT[kind]) {
        const some = JSON.stringify(demand.slice(at, at + HOSTS_PER_STATEMENT[kind]));
        const rows = await tx.query(statement, [crawl, member, depth, some, most - taken.length]);
        taken.push(...readRows(TakenRow, rows));
      }
      return taken;
    },
  };
}

const ReapedRow = z.object({
  seq: z.number(),
  url: z.string(),
  host: z.string(),
  state: z.number(),
  deaths: z.number(),
});

/** Result of releasing the pages that a member had claimed when it died. */
export type ReapedPages = {
  /** Hosts of the pages that are queued again. */
  readonly hosts: readonly string[];
  /** Pages that failed because too many members died. */
  readonly givenUp: readonly { readonly seq: number; readonly url: string }[];
  readonly hasSuspects: boolean;
};

/**
 * Counts a death for each page that a dead member had claimed, since it is unknown which of them killed it. Unless
 * `givesUp` is set, pages with too many deaths are queued too: who claims them next ends them without a visit.
 */
export async function reapPages(
  tx: Queryable,
  { crawl, member, givesUp }: { readonly crawl: number; readonly member: number; readonly givesUp: boolean },
): Promise<ReapedPages> {
  const maxDeaths = givesUp ? GIVEN_UP_AFTER_DEATHS : MAX_DEATHS;
  const pages = readRows(ReapedRow, await tx.query(REAP, [crawl, member, maxDeaths]));
  return {
    hosts: pages.filter(({ state }) => state !== failed).map(({ host }) => host),
    givenUp: pages.filter(({ state }) => state === failed),
    hasSuspects: pages.some(({ deaths }) => deaths >= SUSPECTED_AFTER_DEATHS),
  };
}

/** Whether a member is visiting a suspected page, or any page. */
export async function isVisiting(
  tx: Queryable,
  { crawl, member, what }: { readonly crawl: number; readonly member: number; readonly what: 'suspects' | 'any' },
): Promise<boolean> {
  return (await tx.query(FIND_VISITED, [crawl, member, what === 'any' ? 1 : 0])).length > 0;
}
