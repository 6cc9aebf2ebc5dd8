import assert from 'node:assert/strict';
import { z } from 'zod';
import { listAt, textAt } from '#support/members.ts';
import { KEY, type RunningService, serveQuern } from '#support/quern.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startHttpServer } from '#testkit/servers.ts';

const PAGES = 12;

const Result = z.looseObject({
  results: z.array(
    z.looseObject({ url: z.string(), screenshot: z.looseObject({ url: z.string(), width: z.int(), height: z.int() }) }),
  ),
  usage: z.looseObject({ credits: z.int() }),
});

/** A site of pages that each link to the next, and a way to wait for visits. */
async function openGallery() {
  let visits = 0;
  const site = await startHttpServer(({ url = '/' }, response) => {
    const at = Number(/^\/p(\d+)$/.exec(url)?.[1] ?? -1);
    if (at >= 0) visits += 1;
    response.writeHead(at < 0 ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<title>Page ${at}</title><h1>Page ${at} of the gallery</h1><a href="/p${at + 1}">Next</a>`);
  });
  return Object.assign(site, { visits: () => visits });
}

async function untilEnded({ call }: RunningService, path: string, isOver: (status: string) => boolean) {
  for (;;) {
    const { body } = await call(path);
    if (isOver(textAt(body, 'status'))) return body;
  }
}

/** The content type of a file and its first bytes, requested with the key or without. */
async function readFile(url: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return [answer.status, answer.headers.get('content-type'), bytes.toString('latin1', 1, 4)];
}

browserTest(
  'after kill -9, each page of a batch has one screenshot that can be read, and is charged once',
  async () => {
    await inTemporaryFolder(async (folder) => {
      await using site = await openGallery();
      const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`, QUERN_CHROMIUM: BROWSERS?.full.path ?? '' };
      const urls = Array.from({ length: PAGES }, (_, at) => `${site.origin}/p${at}`);
      let id = '';
      {
        await using first = await serveQuern(folder, settings);
        const { status, body } = await first.call('/v1/jobs', {
          kind: 'fetch.batch',
          input: { urls, output: ['screenshot'], screenshot: { viewport: { width: 320, height: 240 } }, delay_ms: 0 },
        });
        assert.equal(status, 202, JSON.stringify(body));
        id = textAt(body, 'id');
        for (;;) {
          const part = await first.call(`/v1/jobs/${id}/result?partial=true&limit=100`);
          if (listAt(part.body, 'results').length >= 3) break;
        }
        first.signal('SIGKILL');
        await first.ended;
      }
      await using second = await serveQuern(folder, settings);
      const record = await untilEnded(
        second,
        `/v1/jobs/${id}?wait_ms=2000`,
        (status) => status !== 'running' && status !== 'queued',
      );
      assert.equal(record['status'], 'completed');
      const { results, usage } = Result.parse((await second.call(`/v1/jobs/${id}/result?limit=100`)).body);
      assert.deepEqual(results.map(({ url }) => url).toSorted(), urls.toSorted());
      assert.equal(new Set(results.map(({ screenshot }) => screenshot.url)).size, PAGES);
      for (const { screenshot } of results) {
        assert.deepEqual([screenshot.width, screenshot.height], [320, 240]);
        const file = await readFile(second.origin + screenshot.url, { authorization: `Bearer ${KEY}` });
        assert.deepEqual(file, [200, 'image/png', 'PNG']);
      }
      assert.equal(usage.credits, PAGES * 2);
      assert.equal((await second.call('/v1/usage')).body['credits_used'], PAGES * 2);
    });
  },
);

browserTest('clients of Firecrawl get screenshots of crawls and batches by links that need no key', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openGallery();
    const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`, QUERN_CHROMIUM: BROWSERS?.full.path ?? '' };
    await using service = await serveQuern(folder, settings);
    for (const [path, body] of [
      [
        'crawl',
        {
          url: `${site.origin}/p0`,
          limit: 2,
          crawlEntireDomain: true,
          scrapeOptions: { formats: ['screenshot@fullPage'] },
        },
      ],
      ['batch/scrape', { urls: [`${site.origin}/p0`, `${site.origin}/p1`], formats: ['markdown', 'screenshot'] }],
    ] as const) {
      const started = await service.call(`/firecrawl/v2/${path}`, body);
      assert.equal(started.status, 200, JSON.stringify(started.body));
      const status = `/firecrawl/v2/${path}/${textAt(started.body, 'id')}`;
      const ended = await untilEnded(service, status, (now) => now === 'completed' || now === 'failed');
      const pages = listAt(ended, 'data');
      assert.equal(pages.length, 2, JSON.stringify(ended));
      for (const page of pages) assert.deepEqual(await readFile(textAt(page, 'screenshot')), [200, 'image/png', 'PNG']);
    }
  });
});
