import type { StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';

/** Values of the column `crawl_urls.state`. */
export const URL_STATES = { waiting: 0, claimed: 1, stored: 2, failed: 3, skipped: 4, parked: 5 } as const;

const { waiting, claimed, parked } = URL_STATES;

function buildStatements(kind: StoreKind) {
  const links = buildRowsTable(kind, '$2', { name: 'b', columns: { key: 'text', seq: 'bigint' } });
  const urls = buildRowsTable(kind, '$2', {
    name: 'b',
    columns: {
      seq: 'bigint',
      host: 'text',
      url: 'text',
      depth: 'bigint',
      parent: 'bigint',
      state: 'bigint',
      source: 'text',
      title: 'text',
      lastmod: 'text',
    },
  });
  const hosts = buildRowsTable(kind, '$2', { name: 'b', columns: { host: 'text', n: 'bigint' } });
  const described = buildRowsTable(kind, '$2', { name: 'b', columns: { key: 'text', title: 'text', lastmod: 'text' } });
  const paths = buildRowsTable(kind, '$2', { name: 'b', columns: { key: 'text', depth: 'bigint', parent: 'bigint' } });
  const seqOfKey = '(select seq from crawl_keys where crawl = $1 and key = b.key)';
  const ends = buildRowsTable(kind, '$3', {
    name: 'b',
    columns: {
      seq: 'bigint',
      state: 'bigint',
      status_code: 'bigint',
      code: 'text',
      message: 'text',
      simhash: 'text',
      title: 'text',
      ordinal: 'bigint',
      bytes: 'bigint',
      near: 'bigint',
      tries: 'bigint',
    },
  });
  // `where true` keeps SQLite from reading `on` as the condition of a join.
  return {
    addKeys: `insert into crawl_keys (crawl, key, seq) select $1, b.key, b.seq from ${links} where true
      on conflict (crawl, key) do nothing returning key`,
    raiseKeys: `update crawl_keys set seq = b.seq from ${links}
      where crawl_keys.crawl = $1 and crawl_keys.key = b.key and crawl_keys.seq = 0
      returning crawl_keys.key as key`,
    addUrls: `insert into crawl_urls (crawl, seq, host, url, depth, parent, state, source, title, lastmod)
      select $1, b.seq, b.host, b.url, b.depth, b.parent, b.state, b.source, b.title, b.lastmod from ${urls} where true`,
    park: `update crawl_urls set state = ${parked} from ${described}
      where crawl_urls.crawl = $1 and crawl_urls.seq = ${seqOfKey} and crawl_urls.state = ${waiting}
      returning crawl_urls.host as host`,
    unparkNearer: `update crawl_urls set state = ${waiting} from ${paths}
      where crawl_urls.crawl = $1 and crawl_urls.seq = ${seqOfKey} and crawl_urls.state = ${parked}
        and crawl_urls.depth > b.depth
      returning crawl_urls.host as host`,
    lessenDepth: `update crawl_urls set depth = b.depth, parent = b.parent
      from ${paths}
      where crawl_urls.crawl = $1 and crawl_urls.seq = ${seqOfKey} and crawl_urls.state in (${waiting}, ${parked})
        and crawl_urls.depth > b.depth`,
    describe: `update crawl_urls
      set title = coalesce(crawl_urls.title, b.title), lastmod = coalesce(crawl_urls.lastmod, b.lastmod)
      from ${described}
      where crawl_urls.crawl = $1 and crawl_urls.seq = ${seqOfKey}`,
    queueAtHosts: `insert into crawl_hosts (crawl, host, queued) select $1, b.host, b.n from ${hosts} where true
      on conflict (crawl, host) do update set queued = crawl_hosts.queued + excluded.queued`,
    unqueueAtHosts: `update crawl_hosts set queued = crawl_hosts.queued - b.n from ${hosts}
      where crawl_hosts.crawl = $1 and crawl_hosts.host = b.host`,
    end: `update crawl_urls set state = b.state, status_code = b.status_code, code = b.code, message = b.message,
        simhash = b.simhash, title = coalesce(b.title, crawl_urls.title), member = null,
        ordinal = b.ordinal, bytes = b.bytes, near = b.near, tries = b.tries
      from ${ends}
      where crawl_urls.crawl = $1 and crawl_urls.seq = b.seq and crawl_urls.state = ${claimed} and crawl_urls.member = $2
      returning crawl_urls.seq as seq`,
  };
}

/** Statements over many rows at once, in the dialect of each database. `$1` is the crawl. */
export const URL_STATEMENTS = { sqlite: buildStatements('sqlite'), postgres: buildStatements('postgres') } as const;
