import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { SITE } from './gate.ts';
import {
  type Answer,
  inEachMode,
  serves,
  type Site,
  buildSitemapAnswer,
  buildSite,
} from '../support/engine/crawl-modes.ts';

const Crawled = z.looseObject({
  complete: z.boolean(),
  pages: z.array(z.looseObject({ url: z.string() })),
  usage: z.looseObject({ credits: z.number() }),
});

const RUNS = 4;

/** A generator of numbers from 0 to below 1, determined by the seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The site, whose pages respond in a different order each time. */
function buildUnsteady(site: Site): { readonly visit: Visit; readonly begin: (seed: number) => void } {
  let random = createRandom(1);
  const steady = serves(site);
  return {
    begin: (seed) => void (random = createRandom(seed * 7919)),
    async visit(request, signal) {
      if (request.url.pathname !== '/robots.txt') await wait(random() ** 3 * 250);
      return steady(request, signal);
    },
  };
}

/** Each of eight texts has three URLs at different depths, on several listings. */
function copiesAt(path: string): Answer | null {
  if (path === '/') return { links: ['/b/0', '/a/0', '/list/1', '/list/2', '/a/1', '/b/1', '/far'] };
  if (path === '/far') return { links: Array.from({ length: 8 }, (_, at) => `/far/${at}`) };
  const [, folder = '', number = ''] = /^\/(\w+)\/(\d+)$/.exec(path) ?? [];
  const at = Number(number);
  if (folder === '') return null;
  if (folder !== 'list') {
    const links = [`/list/${(at % 3) + 1}`, '/'];
    return { links, title: `Text ${at}`, says: `This is text ${at}, wherever it stands.` };
  }
  const next = at < 3 ? [`/list/${at + 1}`] : [];
  return { links: [...next, `/b/${at * 2}`, `/a/${at * 2}`, `/a/${at * 2 + 1}`, `/b/${at * 2 + 1}`] };
}

/** The URL with the smallest depth for each text; among equal ones, that of the first link on the first page. */
const KEPT = ['/', '/a/1', '/a/3', '/a/5', '/b/0', '/b/2', '/b/4', '/far', '/far/6', '/far/7']
  .concat(['/list/1', '/list/2', '/list/3'])
  .toSorted();

const unsteady = buildUnsteady(copiesAt);
inEachMode(
  'which of several equal pages is stored does not depend on response times',
  { kind: 'crawl', options: { paceSpeed: 100, tierVisits: { http: unsteady.visit } } },
  async (crawl) => {
    for (let run = 1; run <= RUNS; run += 1) {
      unsteady.begin(run);
      const { pages, complete, usage } = Crawled.parse(await crawl());
      assert.deepEqual(pages.map(({ url }) => url.replace(SITE, '/')).toSorted(), KEPT);
      assert.deepEqual([complete, usage.credits], [true, pages.length * 2]);
    }
  },
);

const named = buildUnsteady(
  buildSite({
    '/': { links: ['/way'] },
    '/way': { links: ['/copy'] },
    '/copy': { links: [], title: 'Rye', says: 'All about rye.' },
    '/original': { links: [], title: 'Rye', says: 'All about rye.' },
    '/sitemap.xml': buildSitemapAnswer(['/original']),
  }),
);
inEachMode(
  'a page from a sitemap is stored rather than an equal page linked later',
  { kind: 'crawl', options: { paceSpeed: 100, tierVisits: { http: named.visit } } },
  async (crawl) => {
    for (let run = 1; run <= RUNS; run += 1) {
      named.begin(run);
      const { pages } = Crawled.parse(await crawl());
      assert.deepEqual(pages.map(({ url }) => url.replace(SITE, '/')).toSorted(), ['/', '/original', '/way']);
    }
  },
);
