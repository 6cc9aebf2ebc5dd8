import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Firecrawl } from '@mendable/firecrawl-js';
import { KEY } from '#support/quern.ts';
import { openSearchWorld, type SearchWorld } from './search-world.ts';

const JOB = '00000000-0000-0000-0000-000000000000';

/** The status and code of a call that fails. */
async function refusal(call: () => Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error && 'status' in error && 'code' in error) return [error.status, error.code];
    throw error;
  }
  return ['no error'];
}

suite('the client of Firecrawl', { concurrency: 2 }, () => {
  let world: SearchWorld;
  let client: Firecrawl;
  before(async () => {
    world = await openSearchWorld();
    client = new Firecrawl({ apiKey: KEY, apiUrl: `${world.service.origin}/firecrawl` });
  });
  after(async () => world.close());

  const post = async (path: string, body: string, key = KEY) =>
    fetch(`${world.service.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });

  test('scrapes a page in several formats, with its metadata', async () => {
    const page = await client.scrape(`${world.mill}/grain/7`, {
      formats: [
        'markdown',
        'rawHtml',
        'links',
        { type: 'json', schema: { type: 'object', properties: { title: { type: 'string' } } } },
        { type: 'attributes', selectors: [{ selector: 'nav a', attribute: 'href' }] },
      ],
    });
    assert.match(page.markdown ?? '', /turn 49 times an hour/);
    assert.match(page.rawHtml ?? '', /<title>Grain 7/);
    assert.deepEqual(page.links, ['https://other.example/']);
    assert.deepEqual(page.json, { title: 'Grain 7' });
    assert.deepEqual(page.attributes, [{ selector: 'nav a', attribute: 'href', values: ['https://other.example/'] }]);
    const { sourceURL, statusCode, title, language, creditsUsed } = page.metadata ?? {};
    assert.deepEqual(
      [sourceURL, statusCode, title, language, creditsUsed],
      [`${world.mill}/grain/7`, 200, 'Grain 7', 'en', 2],
    );
  });

  test('crawls a site, page by page over a WebSocket too', async () => {
    const job = await client.crawl(world.mill, { limit: 12, pollInterval: 1 });
    assert.deepEqual([job.status, job.total, job.completed, job.data.length], ['completed', 12, 12, 12]);
    assert.equal(job.creditsUsed, 24);
    const { id } = await client.startCrawl(world.mill, { limit: 8 });
    const watcher = client.watcher(id, { kind: 'crawl', timeout: 60 });
    let documents = 0;
    watcher.on('document', () => (documents += 1));
    const ended = new Promise((resolve) => {
      watcher.on('done', ({ status }: { status: string }) => resolve(status));
      watcher.on('error', ({ error }: { error: string }) => resolve(error));
    });
    await watcher.start();
    assert.deepEqual([await ended, documents], ['completed', 8]);
  });

  test('crawls by expressions on whole addresses, and follows links to other sites', async () => {
    const crawl = async (options: Parameters<Firecrawl['crawl']>[1]) =>
      client.crawl(world.mill, { pollInterval: 1, ...options });
    const some = await crawl({ regexOnFullURL: true, includePaths: [String.raw`^http://127\.0\.0\.1:\d+/grain/12$`] });
    assert.deepEqual(some.data.map(({ metadata }) => new URL(metadata?.sourceURL ?? '').pathname).toSorted(), [
      '/',
      '/grain/12',
    ]);
    const { id } = await crawl({ allowExternalLinks: true, includePaths: ['^/$'] });
    const { errors } = await client.getCrawlErrors(id);
    assert.deepEqual(
      errors.map(({ url }) => url),
      ['https://other.example/'],
    );
  });

  test('pages through the result of a crawl', async () => {
    const { id } = await client.crawl(world.mill, {
      limit: 9,
      includePaths: [String.raw`^/grain/\d$`],
      pollInterval: 1,
    });
    const headers = { authorization: `Bearer ${KEY}` };
    const urls: string[] = [];
    let next: string | undefined = `${world.service.origin}/firecrawl/v2/crawl/${id}?limit=4`;
    for (let parts = 0; next !== undefined; parts++) {
      assert.ok(parts < 9);
      const part: { next?: string; data: { metadata: { sourceURL: string } }[] } = await (
        await fetch(next, { headers })
      ).json();
      urls.push(...part.data.map(({ metadata }) => new URL(metadata.sourceURL).pathname));
      ({ next } = part);
    }
    assert.equal(new Set(urls).size, 9);
    assert.ok(urls.every((path) => path === '/' || /^\/grain\/\d$/.test(path)));
  });

  test('scrapes a batch, and tells invalid and failed addresses', async () => {
    const urls = [`${world.mill}/grain/1`, `${world.mill}/grain/2`, `${world.mill}/nowhere`, 'ftp://mill.example/'];
    const started = await client.startBatchScrape(urls, { options: { formats: ['markdown'] } });
    assert.deepEqual(started.invalidURLs, ['ftp://mill.example/']);
    const batch = await client.batchScrape(urls, { options: { formats: ['markdown'] }, pollInterval: 1 });
    assert.deepEqual([batch.status, batch.data.length, batch.creditsUsed], ['completed', 2, 4]);
    const { errors } = await client.getBatchScrapeErrors(batch.id);
    assert.deepEqual(
      errors.map(({ url, code }) => [url, code]),
      [[`${world.mill}/nowhere`, 'not_found']],
    );
  });

  test('maps a site in the forms of both versions', async () => {
    const { links } = await client.map(world.mill, { limit: 5 });
    assert.equal(links.length, 5);
    assert.match(links[1]?.url ?? '', /\/grain\/\d+$/);
    const old = await client.v1.mapUrl(world.mill, { limit: 3 });
    assert.ok('links' in old && old.links?.every((link) => typeof link === 'string'));
  });

  test('searches, with the content of pages', async () => {
    const { web = [] } = await client.search('oats', { limit: 12 });
    assert.equal(web.length, 12);
    const read = await client.search('when is the bridge closed', {
      limit: 1,
      scrapeOptions: { formats: ['markdown'] },
    });
    assert.match(JSON.stringify(read.web?.[0]), /"markdown":".*bridge/i);
  });

  test('tells usage, running crawls and the queue', async () => {
    const { remainingCredits } = await client.getCreditUsage();
    assert.ok(remainingCredits > 0);
    const { crawls } = await client.getActiveCrawls();
    assert.ok(Array.isArray(crawls));
    const { maxConcurrency } = await client.getConcurrency();
    assert.ok(maxConcurrency > 0);
  });

  test('cancels a crawl', async () => {
    const { id } = await client.startCrawl(world.mill, { limit: 40, delay: 5 });
    assert.equal(await client.cancelCrawl(id), true);
    assert.equal((await client.getCrawlStatus(id)).status, 'cancelled');
  });

  test('the old version scrapes and crawls', async () => {
    const page = await client.v1.scrapeUrl(`${world.mill}/grain/3`, { formats: ['markdown'] });
    assert.match(JSON.stringify(page), /turn 21 times an hour/);
    const job = await client.v1.crawlUrl(world.mill, { limit: 3 }, 1);
    assert.ok('data' in job && job.data.length === 3);
  });

  test('what Quern does not have is refused with a sentence', async () => {
    const calls: readonly (() => Promise<unknown>)[] = [
      async () => client.startAgent({ prompt: 'find mills' }),
      async () => client.getAgentStatus(JOB),
      async () => client.browser(),
      async () => client.listBrowsers(),
      async () => client.interact(JOB, { prompt: 'click' }),
      async () => client.crawlParamsPreview(world.mill, 'only grain'),
      async () => client.developerSearch('mill'),
      async () => client.parse({ data: 'text', filename: 'mill.txt' }),
    ];
    for (const call of calls) assert.deepEqual(await refusal(call), [501, 'NOT_IMPLEMENTED'], String(call));
    assert.deepEqual(await refusal(async () => client.scrape(world.mill, { formats: ['branding'] })), [
      400,
      'BAD_REQUEST',
    ]);
  });

  test('bad input gets the shape and status that the client understands', async () => {
    const wrong = new Firecrawl({ apiKey: 'qk_wrong', apiUrl: `${world.service.origin}/firecrawl` });
    assert.deepEqual(await refusal(async () => wrong.scrape(world.mill)), [401, 'INVALID_API_KEY']);
    const long = `${world.mill}/${'x'.repeat(10_240)}`;
    assert.deepEqual(await refusal(async () => client.scrape(long)), [400, 'BAD_REQUEST']);
    assert.deepEqual(await refusal(async () => client.startCrawl(world.mill, { limit: 0 })), [400, 'BAD_REQUEST']);
    const hook = { webhook: 'https://10.0.0.1/' };
    assert.deepEqual(await refusal(async () => client.startCrawl(world.mill, hook)), [400, 'BAD_REQUEST']);
    assert.deepEqual(await refusal(async () => client.startBatchScrape([world.mill], hook)), [400, 'BAD_REQUEST']);
    const lookahead = { includePaths: ['(?=x)'] };
    assert.deepEqual(await refusal(async () => client.startCrawl(world.mill, lookahead)), [400, 'BAD_REQUEST']);
    assert.deepEqual(await refusal(async () => client.getCrawlStatus(JOB)), [404, 'NOT_FOUND']);
    const broken = await post('/firecrawl/v2/scrape', '{nope');
    assert.deepEqual([broken.status, (await broken.json()).success], [400, false]);
    const inside = await post('/v2/scrape', '{"url": "http://10.0.0.1/"}');
    assert.deepEqual([inside.status, (await inside.json()).code], [400, 'BAD_REQUEST']);
    const unknown = await post('/firecrawl/v2/nothing', '{}');
    assert.deepEqual([unknown.status, (await unknown.json()).code], [404, 'NOT_FOUND']);
    const socket = new WebSocket(`${world.service.origin.replace('http', 'ws')}/firecrawl/v2/crawl/${JOB}`, 'qk_wrong');
    const ended = await new Promise((resolve) => {
      socket.addEventListener('open', () => resolve('open'));
      socket.addEventListener('error', () => resolve('refused'));
    });
    assert.equal(ended, 'refused');
  });
});
