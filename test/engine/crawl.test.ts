import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { Page, Visit } from '#access/page.ts';
import { STORE_KINDS } from '#store/db.ts';
import type { GateOptions, Gate } from './gate.ts';
import { pageOf, SITE, withGate } from './gate.ts';
import { checkBooks, jobsOf, operationOf, runClaimed } from './queue.ts';

const Crawled = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  pages: z.array(z.looseObject({ url: z.string(), final_url: z.string(), depth: z.number(), credits: z.number() })),
  errors: z.array(z.looseObject({ url: z.string(), code: z.string(), status_code: z.number().optional() })),
  skipped: z.record(z.string(), z.number()),
  stats: z.object({
    discovered: z.number(),
    fetched: z.number(),
    failed: z.number(),
    skipped: z.number(),
    pending: z.number(),
  }),
  usage: z.looseObject({ credits: z.number(), tiers: z.record(z.string(), z.number()) }),
});
type Crawled = z.output<typeof Crawled>;

/** What a path of the fake site answers: a page with links, or another answer. */
type Answer = {
  readonly links?: readonly string[];
  readonly text?: string;
  readonly status?: number;
  readonly to?: string;
};
type Site = Readonly<Record<string, Answer>>;

/** The http tier over a fake site; it follows its redirects as the real one does. */
function serves(site: Site): Visit {
  return async ({ url }) => answer(site, url);
}

function answer(site: Site, url: URL): Page {
  const found = site[url.pathname + url.search.replace(/^\?utm_.*/, '')];
  if (found === undefined) return pageOf({ url: url.href, status: 404, text: 'none' });
  if (found.to !== undefined) return answer(site, new URL(found.to, url));
  const { links = [], text = `page ${url.pathname}${url.search}`, status = 200 } = found;
  const anchors = links.map((link) => `<li><a href="${link}">to</a>`).join('');
  const body = `<title>t</title><nav>${anchors}</nav><main><h1>H</h1><p>${text} ${'with words that fill it '.repeat(8)}</p></main>`;
  return pageOf({ url: url.href, status, text: body });
}

type Mode = 'inline' | (typeof STORE_KINDS)[number];
const MODES: readonly Mode[] = ['inline', ...STORE_KINDS];

async function crawlIn(gate: Gate, mode: Mode, input: object): Promise<Crawled> {
  const whole = { url: SITE, delay_ms: 0, ...input };
  if (mode === 'inline') {
    const { answer: said, error } = await gate.ask(operationOf('crawl'), whole);
    if (error !== null) throw error;
    return Crawled.parse(said?.body);
  }
  const submitted = await gate.ask(operationOf('jobs.submit'), { kind: 'crawl', input: whole });
  if (submitted.error !== null) throw submitted.error;
  const id = String(submitted.answer?.body['id']);
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  await runClaimed(gate, claimed);
  const said = await jobsOf(gate).result(id, { limit: 1000 });
  if (said.error !== null) throw said.error;
  return Crawled.parse(said.answer?.body);
}

/** One test for an inline crawl and for a job on each store. */
function inEachMode(
  title: string,
  options: Omit<GateOptions, 'store'>,
  work: (crawl: (input?: object) => Promise<Crawled>, gate: Gate) => Promise<void>,
): void {
  for (const mode of MODES) {
    test(`${mode}: ${title}`, async () =>
      withGate({ ...options, store: mode === 'postgres' ? 'postgres' : 'sqlite' }, async (gate) => {
        await work(async (input = {}) => crawlIn(gate, mode, input), gate);
        await checkBooks(gate);
      }));
  }
}

function pathsOf({ pages }: Crawled): readonly string[] {
  return pages.map(({ url }) => url.slice(SITE.length - 1)).toSorted();
}

/** I: every address that was discovered is accounted for, and what was stored is what was charged. */
function checkSum({ stats, skipped, pages, usage }: Crawled): void {
  const left = Object.values(skipped).reduce((sum, n) => sum + n, 0);
  assert.equal(stats.skipped, left);
  assert.equal(stats.discovered, stats.fetched + stats.failed + left + stats.pending);
  assert.equal(stats.fetched, pages.length);
  assert.equal(
    usage.credits,
    pages.reduce((sum, { credits }) => sum + credits, 0),
  );
}

const SMALL: Site = {
  '/': { links: ['/a', '/b', '/old', '/gone', 'https://elsewhere.example/', '/photo.jpg', '/print'] },
  '/a': { links: ['/b', '/c?utm_source=x', '/c', '/a#top'] },
  '/b': { links: ['/', '/a'], text: 'page b' },
  '/c': { links: ['/deep'] },
  '/old': { to: '/c' },
  '/print': { text: 'page b', links: ['/only-from-print'] },
  '/only-from-print': {},
  '/deep': {},
};

inEachMode(
  'each page of a site is stored once, and everything else is told of',
  { rungs: { http: serves(SMALL) } },
  async (crawl) => {
    const all = await crawl({ max_pages: 25 });
    assert.deepEqual([all.complete, all.stop_reason], [true, 'exhausted']);
    const [twin] = [['/b'], ['/print']].filter((one) => pathsOf(all).includes(one[0] ?? ''));
    const led = ['/old', '/c', '/c?utm_source=x'].find((one) => pathsOf(all).includes(one)) ?? '';
    assert.deepEqual(pathsOf(all), ['/', '/a', ...(twin ?? []), led, '/deep', '/only-from-print'].toSorted());
    assert.deepEqual(
      all.errors.map(({ code, status_code }) => [code, status_code]),
      [['not_found', 404]],
    );
    assert.deepEqual(all.skipped, { ...all.skipped, scope: 1, media: 1, duplicate: 1 });
    checkSum(all);
  },
);

inEachMode(
  'no more pages are stored than asked for, and the rest is pending',
  { rungs: { http: serves(SMALL) } },
  async (crawl) => {
    for (const most of [1, 3]) {
      const some = await crawl({ max_pages: most });
      assert.equal(some.pages.length, most);
      assert.deepEqual([some.complete, some.stop_reason], [false, 'max_pages']);
      checkSum(some);
    }
  },
);

inEachMode('a crawl goes as deep as it may, by the shortest way', { rungs: { http: serves(SMALL) } }, async (crawl) => {
  const shallow = await crawl({ max_depth: 1, dedupe_content: false });
  assert.deepEqual(new Set(shallow.pages.map(({ depth }) => depth)), new Set([0, 1]));
  assert.deepEqual([shallow.complete, shallow.stop_reason], [false, 'max_depth']);
  assert.ok((shallow.skipped['depth'] ?? 0) > 0);
  checkSum(shallow);
});

inEachMode(
  'robots.txt is obeyed, unless it is not to be',
  {
    rungs: {
      http: async (request, signal) =>
        request.url.pathname === '/robots.txt'
          ? pageOf({ contentType: 'text/plain', text: 'User-agent: *\nDisallow: /a' })
          : serves(SMALL)(request, signal),
    },
  },
  async (crawl) => {
    const obeyed = await crawl();
    assert.ok(!pathsOf(obeyed).includes('/a'));
    assert.equal(obeyed.skipped['robots'], 1);
    assert.ok(pathsOf(await crawl({ respect_robots: false })).includes('/a'));
  },
);

inEachMode(
  'credits that run out end a crawl with what they paid for',
  { rungs: { http: serves(SMALL) }, limits: { credits_per_month: 7 } },
  async (crawl, gate) => {
    const paid = await crawl();
    assert.equal(paid.pages.length, 3);
    assert.deepEqual([paid.complete, paid.stop_reason], [false, 'credits_exhausted']);
    checkSum(paid);
    const balance = await gate.accounts.balance(gate.tenant, gate.plan);
    assert.deepEqual([balance.credits_used, balance.credits_reserved], [6, 0]);
    await assert.rejects(crawl(), { code: /credits_exhausted|job_failed/ });
  },
);

inEachMode('a list of pages is fetched without following a link', { rungs: { http: serves(SMALL) } }, async (crawl) => {
  const list = await crawl({ url: undefined, urls: [`${SITE}a`, `${SITE}deep`, `${SITE}nowhere`] });
  assert.deepEqual(pathsOf(list), ['/a', '/deep']);
  assert.equal(list.errors.length, 1);
  checkSum(list);
});

/** Random sites of up to 40 pages: links, redirects, twins, holes. */
const sites = fc
  .array(
    fc.record({
      links: fc.array(fc.nat(45), { maxLength: 8 }),
      kind: fc.constantFrom('page', 'page', 'page', 'redirect', 'twin', 'failing'),
      to: fc.nat(39),
    }),
    { minLength: 3, maxLength: 40 },
  )
  .map((pages): Site =>
    Object.fromEntries(
      pages.map(({ links, kind, to }, at): [string, Answer] => {
        const path = at === 0 ? '/' : `/p${at}`;
        const targets = links.map((n) => (n === 0 ? '/' : `/p${n}`));
        if (kind === 'redirect' && at > 0 && to > at) return [path, { to: `/p${to}` }];
        if (kind === 'failing' && at > 0) return [path, { status: 500, text: 'broken' }];
        return [path, { links: targets, ...(kind === 'twin' ? { text: 'the same' } : {}) }];
      }),
    ),
  );

test('of any site the same pages are stored inline and as a job', async () => {
  await fc.assert(
    fc.asyncProperty(sites, async (site) => {
      await withGate({ rungs: { http: serves(site) } }, async (gate) => {
        const contents = [];
        for (const mode of ['inline', 'sqlite'] as const) {
          const all = await crawlIn(gate, mode, { max_pages: 25, output: ['text'] });
          checkSum(all);
          contents.push(new Set(all.pages.map((page) => page['text'])));
        }
        if ((contents[0]?.size ?? 0) < 25) assert.deepEqual(contents[0], contents[1]);
        await checkBooks(gate);
      });
    }),
    { numRuns: 15 },
  );
});
