import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Visit } from '#access/page.ts';
import { checkSum, Crawled } from '../support/engine/crawl-result.ts';
import { SITE } from './gate.ts';
import { type Answer, inEachMode, buildRobots, serves, type Site } from '../support/engine/crawl-modes.ts';

const MADE_UP = /^\/[a-z0-9]{8,22}-\d+\/$/;
const WELCOME = 'Welcome to the mill, where rye and oats are ground between stones as they were long ago. '.repeat(5);

/** A site with `pages` pages whose first pages link to two missing ones; it returns a welcome page for any URL. */
function forgiving(pages: number, robots = ''): Site {
  return (path): Answer | null => {
    if (path === '/robots.txt') return buildRobots(...robots.split('\n'));
    if (path === '/') return { links: Array.from({ length: pages - 1 }, (_, at) => `/p${at}`) };
    if (path === '/p0') return { links: ['/gone-1', '/gone-2'] };
    return /^\/p\d+$/.test(path) ? { links: [] } : { links: [], title: 'The mill', says: WELCOME };
  };
}

/** The same tier, but it returns missing pages only after the impossible URL was visited. */
function inOrder(visit: Visit): Visit {
  const probed = Promise.withResolvers<void>();
  return async (request, signal) => {
    if (request.url.pathname.startsWith('/gone')) {
      await probed.promise;
      await sleep(100);
    }
    const page = await visit(request, signal);
    if (MADE_UP.test(request.url.pathname)) probed.resolve();
    return page;
  };
}

const asked: string[] = [];
inEachMode(
  'a host with many pages is probed once with a missing URL, free, and similar pages are flagged',
  { kind: 'crawl', modes: ['sqlite'], options: { tierVisits: { http: inOrder(serves(forgiving(60), asked)) } } },
  async (crawl, gate) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 100, dedupe_content: false }));
    assert.equal(asked.filter((path) => MADE_UP.test(path)).length, 1);
    const flagged = all.pages.filter((page) => page['soft_404'] === true).map(({ url }) => url);
    assert.deepEqual(flagged.toSorted(), [`${SITE}gone-1`, `${SITE}gone-2`]);
    assert.deepEqual([all.pages.length, all.stats.discovered, all.usage.credits], [62, 62, 124]);
    assert.deepEqual(await gate.spent(), [124, 0]);
    checkSum(all);
  },
);

const few: string[] = [];
inEachMode(
  'a host with few pages is not probed',
  { kind: 'crawl', modes: ['inline'], options: { tierVisits: { http: serves(forgiving(30), few) } } },
  async (crawl) => {
    assert.equal(Crawled.parse(await crawl({ sitemap: 'skip' })).pages.length, 25);
    assert.ok(!few.some((path) => MADE_UP.test(path)));
  },
);

const shut: string[] = [];
inEachMode(
  'a probe that robots.txt forbids is not sent',
  {
    kind: 'crawl',
    modes: ['sqlite'],
    options: { tierVisits: { http: serves(forgiving(60, 'User-agent: *\nDisallow: /*-'), shut) } },
  },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 100 }));
    assert.ok(!shut.some((path) => MADE_UP.test(path)));
    assert.deepEqual([all.pages.length, all.skipped['robots']], [60, 2]);
  },
);

inEachMode(
  'a failed probe changes nothing',
  {
    kind: 'crawl',
    modes: ['sqlite'],
    options: {
      tierVisits: {
        http: async (request, signal) => {
          if (MADE_UP.test(request.url.pathname)) throw new Error('cut off');
          return serves(forgiving(60))(request, signal);
        },
      },
    },
  },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 100, dedupe_content: false }));
    assert.equal(all.pages.length, 62);
    assert.ok(all.pages.every((page) => page['soft_404'] === undefined));
  },
);
