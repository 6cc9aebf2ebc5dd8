import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { startMockSites, type MockSites } from '#demo/sites/mock-sites.ts';
import { runQuern, type RunningService, serveQuern } from '#support/quern.ts';

const Ended = z.looseObject({
  pages_fetched: z.int(),
  stop_reason: z.string(),
  truncated: z.boolean(),
  usage: z.looseObject({ credits: z.int() }),
});
const EACH = 15;

/** A crawl of a list on the mock sites, its expected results, and the pattern of the pages that it requests. */
type Listed = {
  readonly path: string;
  readonly input: Readonly<Record<string, string | number>>;
  readonly method: 'GET' | 'POST';
  readonly list: string;
  readonly by: string;
  readonly found: number;
  readonly pages: number;
  readonly isAsked: (line: string) => boolean;
};

const LISTS: readonly Listed[] = [
  {
    path: '/v1/video/search/crawl',
    input: { q: 'windmill', max_results: 1000 },
    method: 'POST',
    list: 'results',
    by: 'id',
    found: 230,
    pages: 12,
    isAsked: (line) => line.startsWith('GET /results') || line.startsWith('POST /youtubei/v1/search'),
  },
  {
    path: '/v1/shop-a/search/crawl',
    input: { q: 'hand mill', max_pages: 20 },
    method: 'GET',
    list: 'results',
    by: 'asin',
    found: 61,
    pages: 4,
    isAsked: (line) => line.startsWith('GET /s?'),
  },
  {
    path: '/v1/launches/leaderboard/crawl',
    input: { date: '2026-03-07' },
    method: 'GET',
    list: 'products',
    by: 'id',
    found: 87,
    pages: 5,
    isAsked: (line) => line.startsWith('GET /frontend/graphql'),
  },
];

async function submit({ call }: RunningService, { path, method, input }: Listed): Promise<string> {
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const { status, body } = await (method === 'GET' ? call(`${path}?${query}`) : call(path, input));
  assert.equal(status, 202, JSON.stringify(body));
  return String(body['id']);
}

async function untilEnded({ call }: RunningService, id: string) {
  for (;;) {
    const { body } = await call(`/v1/jobs/${id}?wait_ms=5000`);
    if (body['status'] !== 'queued' && body['status'] !== 'running') return body;
  }
}

suite('crawls of site lists, against mock sites', () => {
  let sites: MockSites;
  let folder: string;
  let settings: Readonly<Record<string, string>>;
  before(async () => {
    sites = await startMockSites();
    folder = await mkdtemp(join(tmpdir(), 'quern-lists-'));
    settings = { QUERN_SITES_FILE: sites.file, QUERN_ALLOW_TARGETS: sites.allow };
  });
  after(async () => {
    await sites.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const listed of LISTS)
    test(`${listed.path}: a service killed at successive pages returns each item once and charges each page once`, async () => {
      const { list, by, found, pages, isAsked } = listed;
      const askedFor = (): number => sites.seen.filter(({ line }) => isAsked(line)).length;
      const own = await mkdtemp(join(folder, 'killed-'));
      let service = await serveQuern(own, settings);
      const id = await submit(service, listed);
      for (const at of [1, Math.ceil(pages / 2), pages - 1]) {
        while (askedFor() < at) await delay(5);
        service.signal('SIGKILL');
        await service.ended;
        service = await serveQuern(own, settings);
      }
      await using last = service;
      assert.equal((await untilEnded(last, id))['status'], 'completed');
      const { body } = await last.call(`/v1/jobs/${id}/result?limit=1000`);
      const elements = z.array(z.looseObject({ [by]: z.string() })).parse(body[list]);
      assert.deepEqual([elements.length, new Set(elements.map((one) => one[by])).size], [found, found]);
      const ended = Ended.parse(body);
      assert.deepEqual(
        [ended.pages_fetched, ended.stop_reason, ended.truncated, ended.usage.credits],
        [pages, 'exhausted', false, pages * EACH],
      );
      const { body: usage } = await last.call('/v1/usage');
      assert.equal(usage['credits_used'], pages * EACH, JSON.stringify(usage));
      assert.ok(askedFor() <= pages + 3, `${askedFor()} pages were asked for`);
    });

  for (const [words, shown] of [
    ['video search crawl --search watermill --type all', /A watermill, part 3/],
    ['shop-a search crawl --search hand-mills --max-pages 1', /"stop_reason": ?"exhausted"/],
    ['launches leaderboard crawl --date 2026-03-07 --max-results 3', /Mill App 3/],
  ] as const)
    test(`the command line shows the results of a list crawl: ${words}`, async () => {
      const { code, out, err } = await runQuern(folder, [...words.split(' '), '--json'], settings);
      assert.equal(code, 0, err);
      assert.match(out, shown);
    });
});
