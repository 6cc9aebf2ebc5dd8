import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackendFailure, type SearchBackend } from '#features/search/backend/backend.ts';
import { buildJsonApiBackend, buildPresetApi } from '#features/search/backend/json-api.ts';
import { truncateQueries } from '#features/search/backend/build-chain.ts';
import { buildSearxngBackend } from '#features/search/backend/searxng.ts';
import { loadSearchSettings } from '#features/search/settings.ts';
import { createEndpointClient } from '#llm/endpoint-client.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { ANY_TIME } from './search-index.ts';

const wire = createEndpointClient({ connectMs: 2000, answerMs: 5000, answerBytes: 1_000_000 });
after(async () => wire.close());
const mayVisit = (url: string): boolean => !/^https?:\/\/(?:127\.|10\.|localhost)/.test(url);
const QUERY = { search: 'rye & oats', country: 'DE', language: 'de', page: 2 };
const CALL = { tenant: 'ten_1', weight: 1, signal: ANY_TIME };

type Said = {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};
type ApiRequest = { readonly url: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string };

/** An API on loopback with one response, and its requests. */
async function withApi(
  said: Said,
  work: (origin: string, asked: readonly ApiRequest[]) => Promise<void>,
): Promise<void> {
  const asked: ApiRequest[] = [];
  const site = await startHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      asked.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString('utf8') });
      response
        .writeHead(said.status ?? 200, { 'content-type': said.type ?? 'application/json', ...said.headers })
        .end(said.text);
    });
  });
  await work(site.origin, asked).finally(async () => site[Symbol.asyncDispose]());
}

const searchForFailure = async (backend: SearchBackend): Promise<BackendFailure> => {
  const failure = await backend.search(QUERY, CALL).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof BackendFailure);
  return failure;
};

test('queries are truncated for backends', async () => {
  await withApi({ text: '{"results":[]}' }, async (origin, asked) => {
    const backend = truncateQueries(buildSearxngBackend('mine', { url: origin }, { wire, mayVisit }));
    await backend.search({ ...QUERY, search: 'x'.repeat(5000) }, CALL);
    const [{ url } = { url: '' }] = asked;
    assert.equal(new URL(url, origin).searchParams.get('q'), 'x'.repeat(2000));
  });
});

/** Responses in the form that the providers document. */
const BRAVE = {
  type: 'search',
  web: {
    results: [
      {
        title: 'Rye <strong>bread</strong>',
        url: 'https://bread.example/rye?utm_source=x',
        description: 'Dark &amp; dense',
        page_age: '2026-03-01T00:00:00',
        language: 'en',
      },
      { title: 'Oats', url: 'https://oats.example/', description: 'Porridge' },
    ],
  },
  news: {
    results: [
      { title: 'Harvest', url: 'https://news.example/1', description: 'Begun', page_age: '2026-10-02T08:00:00' },
    ],
  },
};
const SERPER = {
  searchParameters: { q: 'x' },
  organic: [{ title: 'Rye', link: 'https://bread.example/', snippet: 'Dark', date: 'Mar 1, 2026', position: 1 }],
  topStories: [{ title: 'Harvest', link: 'https://news.example/1', source: 'News', date: '2 hours ago' }],
};
const TAVILY = { query: 'x', results: [{ title: 'Rye', url: 'https://bread.example/', content: 'Dark', score: 0.9 }] };
const SEARX = {
  query: 'x',
  results: [
    {
      url: 'https://bread.example/',
      title: 'Rye',
      content: 'Dark',
      engines: ['a', 'b'],
      category: 'general',
      publishedDate: '2026-03-01T00:00:00',
    },
    {
      url: 'https://news.example/1',
      title: 'Harvest',
      content: 'Begun',
      category: 'news',
      thumbnail: '//news.example/1.png',
    },
  ],
  unresponsive_engines: [['c', 'timeout']],
};

test('the built-in mappings parse the documented responses of their providers', async () => {
  await withApi({ text: JSON.stringify(BRAVE) }, async (origin, asked) => {
    const got = await buildJsonApiBackend('b', buildPresetApi('brave-api', 'secret', origin), {
      wire,
      mayVisit,
    }).search(QUERY, CALL);
    assert.deepEqual(
      got.organic.map(({ title, url, description, publishedAt, language }) => [
        title,
        url,
        description,
        publishedAt,
        language,
      ]),
      [
        ['Rye bread', 'https://bread.example/rye', 'Dark & dense', '2026-03-01', 'en'],
        ['Oats', 'https://oats.example/', 'Porridge', null, null],
      ],
    );
    assert.deepEqual(
      got.news.map(({ url }) => url),
      ['https://news.example/1'],
    );
    assert.equal(asked[0]?.url, '/res/v1/web/search?q=rye+%26+oats&country=DE&search_lang=de&offset=1&count=20');
    assert.equal(asked[0]?.headers['x-subscription-token'], 'secret');
  });
  await withApi({ text: JSON.stringify(SERPER) }, async (origin, asked) => {
    const got = await buildJsonApiBackend('s', buildPresetApi('serper', 'secret', origin), { wire, mayVisit }).search(
      QUERY,
      CALL,
    );
    assert.deepEqual(
      got.organic.map(({ url, publishedAt }) => [url, publishedAt]),
      [['https://bread.example/', '2026-03-01']],
    );
    assert.deepEqual(
      got.news.map(({ title, publishedAt }) => [title, publishedAt]),
      [['Harvest', null]],
    );
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), { q: 'rye & oats', gl: 'de', hl: 'de', page: 2 });
  });
  await withApi({ text: JSON.stringify(TAVILY) }, async (origin, asked) => {
    const got = await buildJsonApiBackend('t', buildPresetApi('tavily', 'secret', origin), { wire, mayVisit }).search(
      QUERY,
      CALL,
    );
    assert.deepEqual(
      got.organic.map(({ description }) => description),
      ['Dark'],
    );
    assert.equal(asked[0]?.headers['authorization'], 'Bearer secret');
  });
});

test('SearXNG returns results and news, and lists unresponsive engines if there are no results', async () => {
  await withApi({ text: JSON.stringify(SEARX) }, async (origin, asked) => {
    const got = await buildSearxngBackend('x', { url: `${origin}/searx/` }, { wire, mayVisit }).search(QUERY, CALL);
    assert.deepEqual([got.organic.length, got.news[0]?.imageUrl], [1, 'https://news.example/1.png']);
    assert.match(
      asked[0]?.url ?? '',
      /^\/searx\/search\?q=rye\+%26\+oats&format=json&categories=general%2Cnews&pageno=2&language=de$/,
    );
  });
  await withApi({ text: JSON.stringify({ results: [], unresponsive_engines: [['c', 'timeout']] }) }, async (origin) => {
    const { message, status } = await searchForFailure(buildSearxngBackend('x', { url: origin }, { wire, mayVisit }));
    assert.deepEqual([status, message], ['error', 'none of its engines responded: c timeout']);
  });
  await withApi({ status: 403, text: '' }, async (origin) => {
    assert.equal(
      (await searchForFailure(buildSearxngBackend('x', { url: origin }, { wire, mayVisit }))).status,
      'blocked',
    );
  });
});

test('results with forbidden URLs are dropped and counted', async () => {
  const results = [
    'javascript:alert(1)',
    'http://127.0.0.1/admin',
    'http://10.0.0.1/',
    'ftp://a.example/',
    '/relative',
    '',
    'https://good.example/',
  ];
  const text = JSON.stringify({
    results: [
      ...results.map((url) => ({ title: 't', url, content: '' })),
      { title: '', url: 'https://b.example/' },
      null,
      7,
    ],
  });
  await withApi({ text }, async (origin) => {
    const got = await buildJsonApiBackend('t', buildPresetApi('tavily', 'k', origin), { wire, mayVisit }).search(
      QUERY,
      CALL,
    );
    assert.deepEqual(
      got.organic.map(({ url }) => url),
      ['https://good.example/'],
    );
    assert.equal(got.dropped, 9);
  });
});

test('failed API responses are classified by kind', async () => {
  const cases: readonly (readonly [Said, BackendFailure['status'], BackendFailure['why'], RegExp])[] = [
    [{ text: '<!doctype html><p>Sorry', type: 'text/html' }, 'error', 'other', /invalid JSON/],
    [{ text: `"${'x'.repeat(1_500_000)}"` }, 'error', 'other', /too large/],
    [{ text: '{}', status: 429, headers: { 'retry-after': '120' } }, 'blocked', 'limited', /429/],
    [{ text: '{}', status: 401 }, 'blocked', 'limited', /rejected its API key/],
    [{ text: '{}', status: 500 }, 'error', 'other', /500/],
    ...[400, 413, 414, 422, 431].map(
      (status) => [{ text: '{}', status }, 'error', 'query', /rejected the query/] as const,
    ),
  ];
  for (const [said, status, why, message] of cases) {
    await withApi(said, async (origin) => {
      const failure = await searchForFailure(
        buildJsonApiBackend('t', buildPresetApi('tavily', 'k', origin), { wire, mayVisit }),
      );
      assert.deepEqual([failure.status, failure.why], [status, why], failure.message);
      assert.match(failure.message, message);
    });
  }
  const nobody = buildPresetApi('tavily', 'k', 'http://127.0.0.1:1');
  assert.match(
    (await searchForFailure(buildJsonApiBackend('t', nobody, { wire, mayVisit }))).message,
    /cannot be reached/,
  );
});

test('an invalid settings file is reported with the path, and an unknown backend with the closest name', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'search.json');
    const load = async (given: unknown) => {
      await writeFile(file, JSON.stringify(given));
      return loadSearchSettings(file);
    };
    const mine = { driver: 'searxng', url: 'http://127.0.0.1:8080' };
    const json = {
      driver: 'json',
      url: 'https://a.example/s',
      results: 'a.b',
      fields: { title: 't', url: 'u', description: 'd' },
    };
    const good = await load({
      backends: { mine, json, duckduckgo: json },
      fast_search: ['mine', ['json', 'duckduckgo'], 'index'],
    });
    assert.deepEqual(good.fastSearch, [['mine'], ['json', 'duckduckgo'], ['index']]);
    // An API with unknown results is used for websearch only if it is listed there.
    assert.deepEqual(good.websearch, ['page']);
    assert.deepEqual((await load({ backends: { json }, websearch: ['json'] })).websearch, ['json']);
    assert.deepEqual((await load({ backends: { json: { ...json, paid: 'a' } } })).websearch, ['json', 'page']);
    const faults: readonly (readonly [unknown, RegExp])[] = [
      [{ backend: {} }, /QUERN_SEARCH_FILE .*search\.json: has unknown members: backend/],
      [{ backends: { mine: { ...mine, urls: 1 } } }, /backends\.mine: .*urls/],
      [{ backends: { mine: { ...mine, url: 'ftp://x' } } }, /backends\.mine\.url/],
      [{ backends: { mine: { driver: 'searx' } } }, /backends\.mine\.driver/],
      [{ backends: { 'My Own': mine } }, /My Own/],
      [
        { backends: { json: { ...json, query: { q: '{word}' } } } },
        /backends\.json\.query\.q: may contain only \{search\}/,
      ],
      [
        { backends: { mine }, fast_search: ['mime'] },
        /fast_search: mime is not a configured backend; did you mean mine\?/,
      ],
      [{ backends: { mine: { driver: '' } } }, /backends\.mine\.driver/],
      [
        { backends: { index: mine } },
        /backends\.index: is reserved for the built-in index; choose another backend name/,
      ],
      [{ backends: { mine }, websearch: ['mine'] }, /websearch: mine is another engine; .*or page/],
      [{ backends: { t: { driver: 'tavily', key: 'k' } }, websearch: ['t'] }, /websearch: t is another engine/],
      [{ backends: { mine }, websearch: ['pge'] }, /websearch: pge is not a configured backend; did you mean page\?/],
      [{ backends: { mine: { driver: 'bing', key: 'k' } } }, /backends\.mine: .*key/],
      [{ answerengine: { driver: 'sonar', url: 'https://a.example' } }, /answerengine\.model/],
    ];
    for (const [given, says] of faults) await assert.rejects(load(given), says, JSON.stringify(given));
  });
});
