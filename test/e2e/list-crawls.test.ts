import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { openSites } from '#demo/sites/world.ts';
import type { SiteWorld } from '#demo/sites/world.ts';
import { runQuern, serveQuern } from '../support/quern.ts';
import type { Served } from '../support/quern.ts';

const Result = z.looseObject({
  results: z.array(z.looseObject({ id: z.string() })),
  pages_fetched: z.int(),
  stop_reason: z.string(),
  usage: z.looseObject({ credits: z.int() }),
});
const FOUND = 230;
const PAGES = 12;
const EACH = 15;

async function submit({ call }: Served, input: object): Promise<string> {
  const { status, body } = await call('/v1/video/search/crawl', input);
  assert.equal(status, 202, JSON.stringify(body));
  return String(body['id']);
}

async function untilEnded({ call }: Served, id: string) {
  for (;;) {
    const { body } = await call(`/v1/jobs/${id}?wait_ms=5000`);
    if (body['status'] !== 'queued' && body['status'] !== 'running') return body;
  }
}

suite('crawls of the lists of sites, against rehearsed sites', () => {
  let sites: SiteWorld;
  let folder: string;
  let settings: Readonly<Record<string, string>>;
  before(async () => {
    sites = await openSites();
    folder = await mkdtemp(join(tmpdir(), 'quern-lists-'));
    settings = { QUERN_SITES_FILE: sites.file, QUERN_ALLOW_TARGETS: sites.allow };
  });
  after(async () => {
    await sites.close();
    await rm(folder, { recursive: true, force: true });
  });

  const askedFor = (): number => sites.seen.filter(({ line }) => line.startsWith('POST /youtubei/v1/search')).length;

  test('a service that is killed at page after page returns each result once and charges each page once', async () => {
    let service = await serveQuern(folder, settings);
    const id = await submit(service, { q: 'windmill', max_results: 1000 });
    for (const pages of [2, 5, 9]) {
      while (askedFor() < pages) await delay(5);
      service.signal('SIGKILL');
      await service.ended;
      service = await serveQuern(folder, settings);
    }
    await using last = service;
    assert.equal((await untilEnded(last, id))['status'], 'completed');
    const { body } = await last.call(`/v1/jobs/${id}/result?limit=1000`);
    const result = Result.parse(body);
    const ids = result.results.map((one) => one.id);
    assert.deepEqual([ids.length, new Set(ids).size], [FOUND, FOUND]);
    assert.deepEqual(
      [result.pages_fetched, result.stop_reason, result.usage.credits],
      [PAGES, 'exhausted', PAGES * EACH],
    );
    const { body: usage } = await last.call('/v1/usage');
    assert.equal(usage['credits_used'], PAGES * EACH, JSON.stringify(usage));
    assert.ok(askedFor() <= PAGES - 1 + 3, `${askedFor()} pages were asked for`);
  });

  test('the command line shows the results of a crawl of a list', async () => {
    const { code, out, err } = await runQuern(
      folder,
      ['video', 'search', 'crawl', '--search', 'watermill', '--type', 'all', '--json'],
      settings,
    );
    assert.equal(code, 0, err);
    assert.match(out, /A watermill, part 3/);
  });
});
