import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db, Row, SqlValue } from '#store/db.ts';
import { Crawled } from '../support/engine/crawl-result.ts';
import { SITE, withGate } from './gate.ts';
import { checkBooks, getOperation, runClaimed } from '../support/engine/queue.ts';
import { serves } from '../support/engine/crawl-modes.ts';
import { TESTED_STORES } from '../support/store.ts';

const TAKES = /^update crawl_urls set state = 1/;
const LEVELS = { max_depth: 3 } as const;

/** Wraps a store and records the statements of each transaction that claims pages, except those of receipts. */
function openCounting() {
  const claims: number[] = [];
  const through = (db: Db): Db => ({
    ...db,
    query: async (...args) => db.query(...args),
    transaction: async (work, keep) =>
      db.transaction(async (tx) => {
        const sent: string[] = [];
        async function query(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]> {
          sent.push(sql);
          return tx.query(sql, values);
        }
        const result = await work({ query });
        if (sent.some((sql) => TAKES.test(sql))) claims.push(sent.length);
        return result;
      }, keep),
  });
  return { claims, through };
}

/** The maximum number of statements of a claim, in a crawl of the given number of hosts and pages per host. */
async function mostStatements(hosts: number, pages: number): Promise<number> {
  const all = Array.from({ length: hosts * pages }, (_, at) => `https://a${at % hosts}.mill.example/q${at}`);
  const visit = serves((path) => (path === '/' ? { links: all } : { links: [] }));
  const { claims, through } = openCounting();
  await withGate({ store: 'postgres', through, tierVisits: { http: visit } }, async (gate) => {
    const input = { url: SITE, delay_ms: 0, scope: 'subdomains', sitemap: 'skip', max_pages: 2000, ...LEVELS };
    assert.equal((await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input })).code, 'ok');
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    assert.deepEqual(await gate.spent(), [(1 + all.length) * 2, 0]);
    await checkBooks(gate);
  });
  assert.ok(claims.length > 1);
  return Math.max(...claims);
}

test('a claim needs the same number of statements for many hosts and pages as for one', async () => {
  assert.equal(await mostStatements(20, 5), await mostStatements(1, 1));
});

for (const store of TESTED_STORES) {
  test(`${store}: a claim takes the nearest pages of each host, and reports where they were found`, async () => {
    const asked: string[] = [];
    const deep = serves((path) => {
      if (path === '/') return { links: ['/b', '/a', 'https://c.mill.example/c'] };
      return path === '/a' || path === '/b' ? { links: [`${path}1`] } : { links: [] };
    }, asked);
    await withGate({ store, tierVisits: { http: deep } }, async (gate) => {
      const input = { url: SITE, delay_ms: 0, scope: 'subdomains', sitemap: 'skip', ...LEVELS };
      assert.equal((await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input })).code, 'ok');
      const [claimed] = await gate.queue.leases.claim('w1', 1);
      assert.ok(claimed !== undefined);
      assert.equal(await runClaimed(gate, claimed), 'ok');
      const id = claimed.row.id;
      const { answer } = await gate.ask(getOperation('jobs.result'), { id, limit: 100 });
      const pages = Crawled.pick({ pages: true })
        .parse(answer?.body)
        .pages.map(({ url, parent_url: parent }) => [url, parent] as const);
      assert.deepEqual(
        new Map(pages),
        new Map([
          [SITE, null],
          [`${SITE}a`, SITE],
          [`${SITE}b`, SITE],
          ['https://c.mill.example/c', SITE],
          [`${SITE}a1`, `${SITE}a`],
          [`${SITE}b1`, `${SITE}b`],
        ]),
      );
      const visits = asked.filter((path) => !path.endsWith('robots.txt'));
      assert.deepEqual(new Set(visits.slice(-2)), new Set(['/a1', '/b1']));
    });
  });
}
