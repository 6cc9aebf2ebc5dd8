import { z } from 'zod';
import type { Statements, StoreKind } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { LEAST_SUSPECT, UNSUSPECTED } from './suspects.ts';

/** Which pages a claim is after: any, those that no process died of, or of all that wait the one least suspected first. */
export type Choice = 'any' | 'unsuspected' | 'least suspected';

const WHERE: Readonly<Record<Choice, string>> = { any: '', unsuspected: UNSUSPECTED, 'least suspected': '' };
const FIRST: Readonly<Record<Choice, string>> = { any: '', unsuspected: '', 'least suspected': LEAST_SUSPECT };

/**
 * The pages of each `[host, most]` of the JSON array `$4`, the nearest first, at most `$5` in all. As for jobs, SQLite is
 * asked for one host after the other.
 */
const CHOSEN: Readonly<Record<StoreKind, (choice: Choice) => string>> = {
  sqlite: (choice) => `select seq from crawl_urls where crawl = $1 and state = 0
      and host = json_extract($4, '$[0][0]') and depth <= $3${WHERE[choice]}
    order by ${FIRST[choice]}depth, seq limit min(json_extract($4, '$[0][1]'), $5)`,
  postgres: (choice) => `select page.seq
    from jsonb_array_elements(cast($4 as jsonb)) with ordinality as wanted (cells, place) cross join lateral (
      select seq from crawl_urls where crawl = $1 and state = 0
        and host = wanted.cells ->> 0 and depth <= $3${WHERE[choice]}
      order by ${FIRST[choice]}depth, seq limit cast(wanted.cells ->> 1 as bigint)) as page
    order by wanted.place limit cast($5 as bigint)`,
};
const AT_A_TIME: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: Number.MAX_SAFE_INTEGER };

function toTake(kind: StoreKind, choice: Choice): string {
  return `update crawl_urls set state = 1, member = $2 where crawl = $1 and seq in (${CHOSEN[kind](choice)})
    returning seq, url, host, depth, (select parents.url from crawl_urls as parents
      where parents.crawl = crawl_urls.crawl and parents.seq = crawl_urls.parent) as parent_url`;
}

/** The least depth of what is visited, and of what waits on some hosts. */
function toLevel(kind: StoreKind): string {
  const hosts = bulk(kind, '$2', { name: 'b', columns: { host: 'text' } });
  return `select min(depth) as depth from (
      select min(depth) as depth from crawl_urls where crawl = $1 and state = 1
      union all select (select min(depth) from crawl_urls where crawl = $1 and state = 0 and host = b.host)
        from ${hosts}) as levels`;
}

const Level = z.object({ depth: z.number().nullable() });
const Taken = z.object({
  seq: z.number(),
  url: z.string(),
  host: z.string(),
  depth: z.number(),
  parent_url: z.string().nullable(),
});

/** A page that was taken to be visited. */
export type Taken = z.output<typeof Taken>;

/** How many pages of a host may be taken. */
export type Wanted = readonly [host: string, most: number];

/** The statements by which pages that wait are taken; what they cost does not depend on how many hosts and pages there are. */
export function buildTaking(kind: StoreKind, crawl: number) {
  const level = toLevel(kind);

  return {
    /** The depth of the pages whose turn it is, null where nothing waits or is visited. */
    async levelOf(tx: Statements, hosts: readonly string[]): Promise<number | null> {
      const cells = JSON.stringify(hosts.map((host) => [host]));
      return readRow(Level, await tx.query(level, [crawl, cells]))?.depth ?? null;
    },

    /** Takes pages no deeper than `depth` for a member, at most `most`, the hosts in their order. */
    async take(
      tx: Statements,
      wanted: readonly Wanted[],
      terms: { readonly member: number; readonly depth: number; readonly most: number; readonly choice: Choice },
    ): Promise<readonly Taken[]> {
      const { member, depth, most, choice } = terms;
      const statement = toTake(kind, choice);
      const taken: Taken[] = [];
      for (let at = 0; at < wanted.length && taken.length < most; at += AT_A_TIME[kind]) {
        const some = JSON.stringify(wanted.slice(at, at + AT_A_TIME[kind]));
        const rows = await tx.query(statement, [crawl, member, depth, some, most - taken.length]);
        taken.push(...readRows(Taken, rows));
      }
      return taken;
    },
  };
}
