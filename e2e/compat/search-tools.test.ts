import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { at, textAt } from '#support/members.ts';
import { KEY } from '#support/quern.ts';
import { openWorld } from '#support/world.ts';
import { openSearchWorld, type SearchWorld } from './search-world.ts';

const PAGE = '/articles/bridge-closed-on-sunday';

suite('search tools', { concurrency: 2 }, () => {
  let world: SearchWorld;
  before(async () => {
    world = await openSearchWorld();
  });
  after(async () => world.close());

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(world.service.origin + path, { headers: { authorization: `Bearer ${KEY}`, ...headers }, redirect: 'manual' });
  const post = async (path: string, body: unknown, type = 'application/json'): Promise<Response> =>
    fetch(world.service.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('Open WebUI loads pages in order, and leaves out those that fail', async () => {
    const urls = [`${world.mill}/grain/2`, 'http://10.0.0.1/', `${world.mill}/grain/1`, `${world.mill}/grain/99`];
    const response = await post('/openwebui/load', { urls });
    assert.equal(response.status, 200);
    const pages: unknown = await response.json();
    assert.deepEqual(
      [at(pages, '0.metadata.source'), at(pages, '1.metadata.source'), at(pages, '2')],
      [urls[0], urls[2], undefined],
    );
    assert.match(textAt(pages, '0.page_content'), /2th grain/);
    assert.equal(at(pages, '0.metadata.title'), 'Grain 2');
    assert.equal(response.headers.get('x-credits-used'), '4');
  });

  test('Open WebUI searches', async () => {
    const response = await post('/openwebui/search', { query: 'rye', count: 2 });
    assert.deepEqual(await response.json(), [
      { link: 'https://mill-1.example/rye', title: 'rye: page 1', snippet: 'What mill 1 says about rye.' },
      { link: 'https://mill-2.example/rye', title: 'rye: page 2', snippet: 'What mill 2 says about rye.' },
    ]);
    for (const body of [{ query: 'rye', count: 0 }, { query: ' ' }, '{"query"']) {
      const refused = await post('/openwebui/search', body);
      assert.equal(refused.status, 400);
      assert.equal(at(await refused.json(), 'code'), 'invalid_request');
    }
  });

  test('SearXNG answers JSON to GET and to a form, with the key in the path or as a password', async () => {
    const query = 'q=oats&format=json&language=en-US&time_range=&categories=general&pageno=2&safesearch=1&engines=bing';
    const origin = world.service.origin;
    const password = `Basic ${Buffer.from(`quern:${KEY}`).toString('base64')}`;
    const answers = await Promise.all([
      get(`/searxng/search?${query}`),
      post('/searxng/search', query, 'application/x-www-form-urlencoded'),
      fetch(`${origin}/key/${KEY}/searxng/search?${query}`),
      fetch(`${origin}/searxng/search?${query}`, { headers: { authorization: password } }),
    ]);
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      const body: unknown = await answer.json();
      assert.equal(at(body, 'query'), 'oats');
      const { publishedDate: _date, ...first } = Object(at(body, 'results.0'));
      assert.deepEqual(first, {
        url: 'https://mill-11.example/oats',
        title: 'oats: page 11',
        content: 'What mill 11 says about oats.',
        engine: 'local',
        engines: ['local'],
        positions: [1],
        score: 1,
        category: 'general',
        template: 'default.html',
      });
      assert.deepEqual(at(body, 'unresponsive_engines'), []);
    }
  });

  test('SearXNG refuses other formats, and a search without a query', async () => {
    for (const [query, status, error] of [
      ['q=oats', 403, /format=json/],
      ['q=oats&format=rss', 403, /format=json/],
      ['format=json', 400, /No query/],
      ['q=oats&format=json&pageno=0', 400, /pageno/],
      ['q=oats&format=json&time_range=century', 400, /time_range/],
    ] as const) {
      const response = await get(`/searxng/search?${query}`);
      assert.equal(response.status, status, query);
      assert.match(textAt(await response.json(), 'error'), error);
    }
    const pictures = await get('/searxng/search?q=oats&format=json&categories=images');
    assert.deepEqual([at(await pictures.json(), 'results'), pictures.headers.get('x-credits-used')], [[], '0']);
  });

  test('the reader returns Markdown of the address behind the prefix, with its query', async () => {
    const response = await get(`/r/${world.site}${PAGE}?from=reader`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
    const text = await response.text();
    assert.match(text, /^Title: .+\n\nURL Source: .+from=reader\n\n[^]*Markdown Content:\n[^]*bridge/i);
    const escaped = await get(`/r/${encodeURIComponent(`${world.mill}/grain/3`)}`, { 'x-respond-with': 'markdown' });
    assert.match(await escaped.text(), /^# Grain 3\n\nThe 3th grain/);
    const bare = await get(`/r/${new URL(world.mill).host}/grain/4`, { 'x-return-format': 'text' });
    assert.match(await bare.text(), /4th grain/);
    const html = await get(`/r/${world.mill}/grain/4`, { 'x-respond-with': 'html' });
    assert.match(html.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(await html.text(), /^<!doctype html>/i);
  });

  test('the reader selects and removes parts, lists links and answers JSON', async () => {
    const json = await get(`/r/${world.mill}/`, { accept: 'application/json', 'x-with-links-summary': 'true' });
    const body: unknown = await json.json();
    assert.deepEqual([at(body, 'code'), at(body, 'data.title')], [200, 'Grain 0']);
    assert.equal(at(body, 'data.url'), `${world.mill}/`);
    assert.equal(Object(at(body, 'data.links'))['Grain 7'], `${world.mill}/grain/7`);
    assert.match(textAt(body, 'data.content'), /stones/);
    const part = await get(`/r/${world.mill}/grain/5`, { 'x-target-selector': 'main', 'x-remove-selector': 'p' });
    assert.match(await part.text(), /Markdown Content:\n# Grain 5\s*$/);
    const posted = await post(
      '/r/',
      `url=${encodeURIComponent(`${world.mill}/grain/6`)}`,
      'application/x-www-form-urlencoded',
    );
    assert.match(await posted.text(), /6th grain/);
    const asJson = await post('/r/', { url: `${world.mill}/grain/7` });
    assert.match(await asJson.text(), /7th grain/);
  });

  test('the reader says what is wrong, as text or JSON', async () => {
    for (const [path, headers, status] of [
      ['/r/http://10.0.0.1/', {}, 400],
      [`/r/https://a.example/${'x'.repeat(10_000)}`, {}, 400],
      [`/r/${world.mill}/`, { 'x-respond-with': 'readerlm-v2' }, 400],
      [`/r/${world.mill}/`, { 'x-timeout': '0' }, 400],
      [`/r/${world.mill}/`, { authorization: 'Bearer wrong-key' }, 401],
    ] as const) {
      const text = await get(path, headers);
      assert.equal(text.status, status, path.slice(0, 60));
      assert.match(text.headers.get('content-type') ?? '', /^text\/plain/);
      const json = await get(path, { accept: 'application/json', ...headers });
      assert.equal(at(await json.json(), 'code'), status);
    }
  });

  test('Crawl4AI returns Markdown and pages', async () => {
    const health = await fetch(`${world.service.origin}/key/${KEY}/crawl4ai/health`);
    assert.equal(at(await health.json(), 'status'), 'ok');
    const url = `${world.mill}/grain/8`;
    const markdown: unknown = await (await post('/crawl4ai/md', { url, f: 'raw', c: '0' })).json();
    assert.match(textAt(markdown, 'markdown'), /Other[^]*8th grain/);
    assert.deepEqual(
      { ...Object(markdown), markdown: '' },
      { url, filter: 'raw', query: null, cache: '0', markdown: '', success: true },
    );
    const response = await post('/crawl4ai/crawl', {
      urls: [url, 'http://10.0.0.1/'],
      browser_config: { type: 'BrowserConfig', params: { headless: true } },
      crawler_config: {
        type: 'CrawlerRunConfig',
        params: { excluded_tags: ['nav'], screenshot: false, stream: false },
      },
    });
    const body: unknown = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    assert.deepEqual(
      [at(body, 'success'), at(body, 'results.0.success'), at(body, 'results.1.success')],
      [true, true, false],
    );
    assert.match(textAt(body, 'results.0.markdown.raw_markdown'), /^# Grain 8/);
    assert.match(textAt(body, 'results.0.html'), /^<!doctype html>/i);
    assert.equal(at(body, 'results.0.metadata.title'), 'Grain 8');
    assert.equal(at(body, 'results.1.url'), 'http://10.0.0.1/');
    assert.ok(textAt(body, 'results.1.error_message').length > 0);
  });

  test('Crawl4AI refuses what it does not serve', async () => {
    for (const [path, body, message] of [
      ['/crawl4ai/md', { url: world.mill, f: 'llm', q: 'why' }, /^f: llm is not served/],
      ['/crawl4ai/crawl', { urls: [] }, /^urls: /],
      [
        '/crawl4ai/crawl',
        { urls: [world.mill], crawler_config: { js_code: 'x()' } },
        /^crawler_config\.js_code: not served/,
      ],
      ['/crawl4ai/crawl', { urls: [world.mill], crawler_config: { wait_for: 'js:x' } }, /^crawler_config\.wait_for: /],
      ['/crawl4ai/md', '{"url"', /./],
    ] as const) {
      const response = await post(path, body);
      assert.equal(response.status, 400);
      assert.match(textAt(await response.json(), 'detail'), message);
    }
  });
});

test('a search without an engine names the setting', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await openWorld();
  stack.defer(world.close);
  const response = await fetch(`${world.service.origin}/tavily/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: '{"query": "rye"}',
  });
  assert.equal(response.status, 503);
  assert.match(textAt(await response.json(), 'detail.error'), /QUERN_SEARCH_FILE/);
});
