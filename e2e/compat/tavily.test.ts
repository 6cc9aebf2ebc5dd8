import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { tavily, type TavilyClient } from '@tavily/core';
import { KEY } from '#support/quern.ts';
import { LOCAL_QUERY, openSearchWorld, type SearchWorld } from './search-world.ts';

suite('the client of Tavily', { concurrency: 2 }, () => {
  let world: SearchWorld;
  let client: TavilyClient;
  before(async () => {
    world = await openSearchWorld();
    client = tavily({ apiKey: KEY, apiBaseURL: `${world.service.origin}/tavily` });
  });
  after(async () => world.close());

  const send = async (path: string, body: string) =>
    fetch(`${world.service.origin}/tavily${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body,
    });

  const sendWithoutKey = async (body: string) =>
    fetch(`${world.service.origin}/tavily/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });

  test('searches, and scores results by their rank', async () => {
    const found = await client.search('rye flour', { maxResults: 12, includeUsage: true });
    assert.equal(found.results.length, 12);
    const [first, second] = found.results;
    assert.deepEqual(
      { ...first, publishedDate: undefined },
      {
        title: 'rye flour: page 1',
        url: 'https://mill-1.example/rye%20flour',
        content: 'What mill 1 says about rye flour.',
        rawContent: null,
        score: 1,
        publishedDate: undefined,
        favicon: undefined,
        id: undefined,
        images: [],
      },
    );
    assert.ok((second?.score ?? 0) < 1 && (found.results.at(-1)?.score ?? 0) > 0.5);
    assert.deepEqual(found.usage, { credits: 10 }, 'two pages of results');
    assert.match(found.requestId, /^req_/);
    assert.ok(found.responseTime >= 0);
    assert.equal(found.answer, null);
  });

  test('filters results by domain and passes the domains to engines', async () => {
    const only = await client.search('spelt', { includeDomains: ['mill-3.example'] });
    assert.deepEqual(
      only.results.map(({ url }) => new URL(url).host),
      ['mill-3.example'],
    );
    assert.ok(world.queries.some((query) => query.includes('q=spelt+site%3Amill-3.example&')));
    const without = await client.search('oats', { excludeDomains: ['mill-1.example'], maxResults: 3 });
    assert.equal(new URL(without.results[0]?.url ?? '').host, 'mill-2.example');
  });

  test('reads the pages of results', async () => {
    const { results, usage } = await client.search(LOCAL_QUERY, {
      maxResults: 2,
      includeRawContent: 'markdown',
      includeUsage: true,
    });
    const [first] = results;
    assert.match(first?.rawContent ?? JSON.stringify(results), /bridge/i);
    assert.equal(usage?.credits, 9, 'a search and two pages');
  });

  test('answers from pages', async () => {
    const { answer: none, results } = await client.search('quite another thing', { includeAnswer: true });
    assert.deepEqual([none, results.length], [null, 5], 'no page can be read');
    const { answer } = await client.search(LOCAL_QUERY, { includeAnswer: true });
    assert.match(answer ?? '', /\[1\]/);
  });

  test('extracts pages, and lists those that fail', async () => {
    const page = `${world.site}/articles/bridge-closed-on-sunday`;
    const { results, failedResults } = await client.extract([
      page,
      'http://10.0.0.1/secret',
      `${world.site}/missing`,
      'not a url',
    ]);
    assert.deepEqual(
      results.map(({ url, title }) => [url, title]),
      [[page, results[0]?.title]],
    );
    assert.match(results[0]?.rawContent ?? '', /bridge/i);
    assert.deepEqual(
      failedResults.map(({ url }) => url),
      ['http://10.0.0.1/secret', `${world.site}/missing`, 'not a url'],
    );
    for (const { error } of failedResults) assert.ok(error.length > 0);
  });

  test('crawls and maps a site', async () => {
    const crawled = await client.crawl(world.mill, { limit: 3, selectPaths: ['^/grain/1'] });
    assert.equal(crawled.baseUrl, world.mill);
    assert.equal(crawled.results.length, 3);
    const [, grain] = crawled.results;
    assert.match(grain?.url ?? '', /\/grain\/1/);
    assert.match(grain?.rawContent ?? '', /ground between stones/);
    const mapped = await client.map(world.mill, { limit: 4 });
    assert.equal(mapped.results.length, 4);
    assert.ok(mapped.results.every((url) => url.startsWith(world.mill)));
  });

  test('waits for a crawl that is too large for one call', async () => {
    const { results } = await client.crawl(world.mill, { limit: 30, timeout: 120 });
    assert.ok(results.length === 30, `${results.length} pages`);
  });

  test('reports errors so that the client shows them', async () => {
    const wrong = tavily({ apiKey: `qk_${'b'.repeat(32)}`, apiBaseURL: `${world.service.origin}/tavily` });
    await assert.rejects(wrong.search('rye'), /the API key is not known/);
    await assert.rejects(client.crawl(world.mill, { limit: 0 }), /limit: /);
    await assert.rejects(client.crawl(world.mill, { instructions: 'only prices' }), /instructions: not served/);
    await assert.rejects(client.crawl(world.mill, { selectDomains: ['^a$'] }), /select_domains/);
    await assert.rejects(client.search('rye', { country: 'atlantis' }), /country: /);
    await assert.rejects(client.crawl('http://10.0.0.1/'), /url: /);
  });

  test('takes the key of old clients from the body', async () => {
    assert.equal((await sendWithoutKey(JSON.stringify({ api_key: KEY, query: 'rye' }))).status, 200);
    const wrong = await sendWithoutKey(JSON.stringify({ api_key: `qk_${'b'.repeat(32)}`, query: 'rye' }));
    assert.equal(wrong.status, 401);
    assert.match(await wrong.text(), /^\{"detail":\{"error":"the API key is not known"\}\}$/);
    assert.equal((await sendWithoutKey(JSON.stringify({ query: 'rye' }))).status, 401);
    assert.equal(
      (await sendWithoutKey(JSON.stringify({ api_key: KEY, query: 'rye', more: 'x'.repeat(70_000) }))).status,
      401,
    );
  });

  test('refuses bodies that are no JSON, and too long URLs', async () => {
    for (const [path, body] of [
      ['/search', '{"query": '],
      ['/search', ''],
      ['/crawl', JSON.stringify({ url: `https://a.example/${'x'.repeat(10_000)}` })],
    ] as const) {
      const response = await send(path, body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /^\{"detail":\{"error":".+"\}\}$/);
    }
    assert.equal((await send('/research', '{}')).status, 404);
  });

  test('a plan without searches is a limit that clients know', async () => {
    const { key } = await world.makeKey('free');
    const response = await fetch(`${world.service.origin}/tavily/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"query": "rye"}',
    });
    assert.equal(response.status, 432);
  });
});
