import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Guard } from '#access/guard/guard.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { type Http, createHttp } from '#access/http/http.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import type { SearchBackend } from '#features/search/backend/backend.ts';
import { buildBackends, buildChain } from '#features/search/backend/build-chain.ts';
import { Searcher } from '#features/search/searcher.ts';
import { type BackendSettings, DEFAULT_SEARCH_SETTINGS, type SearchSettings } from '#features/search/settings.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createEndpointClient, type EndpointClient } from '#llm/endpoint-client.ts';
import { enginePages } from '#compose/endpoints.ts';
import { readSource } from '#sites/read-source.ts';
import { type LabBehaviour, startSearchLab, type SearchLab, type LabName } from '#testkit/search-lab/lab.ts';
import { guardWith } from '#testkit/visitor.ts';
import { openTestClock } from '../support/clock.ts';
import { ANY_TIME } from './search-index.ts';

const CALL = { tenant: 'ten_1', weight: 1, signal: ANY_TIME };
const QUERY = { search: 'rye', country: null, language: null, page: 1 };
const ENGINE_NAMES = ['duckduckgo', 'bing', 'brave', 'mojeek', 'google-news', 'bing-news'] as const;
const ALL: readonly LabName[] = [...ENGINE_NAMES, 'searxng', 'json'];

const mayVisit = (url: string): boolean => !/^https?:\/\/(?:127|169\.254)\./.test(url);
const readHere = async (...[order]: Parameters<typeof readSource>) => readSource(order);

suite('backends of the lab, by real requests', () => {
  let lab: SearchLab;
  let guard: Guard;
  let http: Http;
  let wire: EndpointClient;
  before(async () => {
    lab = await startSearchLab();
    ({ guard } = guardWith({ allow: lab.allow }));
    http = createHttp({
      guard,
      limits: DEFAULT_LIMITS,
      profile: DESKTOP_PROFILE,
      clock: SYSTEM_CLOCK,
      authorities: [],
    });
    wire = createEndpointClient({ connectMs: 2000, answerMs: 5000, answerBytes: 8 * 1024 * 1024 });
  });
  beforeEach(() => behave('answers', ...ALL));
  after(async () => {
    await wire.close();
    await http.close();
    await lab.close();
  });

  function behave(how: LabBehaviour, ...names: readonly LabName[]): void {
    for (const name of names) lab.backends[name].behave(how);
  }

  function buildSettings(...names: readonly LabName[]): SearchSettings {
    return { ...DEFAULT_SEARCH_SETTINGS, backends: new Map(names.map((name) => [name, buildSetting(name)])) };
  }

  function buildSetting(name: LabName): BackendSettings {
    const { origin } = lab.backends[name];
    if (name === 'searxng') return { driver: 'searxng', url: origin };
    if (name !== 'json') return { driver: 'pages', engine: name, origin };
    const fields = { title: 'title', url: 'url', description: 'snippet' };
    const api = { url: `${origin}/v1`, headers: {}, query: { q: '{search}', offset: '{offset}' }, body: null };
    const shape = { results: 'web.results', paid: 'ads', fields, pageSize: 10, maxPages: 10 };
    return { driver: 'json', api: { ...api, ...shape }, websearch: 'by default' };
  }

  function backendsOf(settings: SearchSettings): ReadonlyMap<string, SearchBackend> {
    const { parseTarget } = guard;
    const pages = { engines: enginePages, visit: http.tier, readTarget: parseTarget, readSource: readHere, mayVisit };
    return buildBackends(settings, { wire, mayVisit, pages });
  }

  /** The response of one backend as one line. */
  async function describeSearch(name: LabName, query: Partial<typeof QUERY> = {}): Promise<string> {
    const backend = backendsOf(buildSettings(name)).get(name);
    assert.ok(backend !== undefined);
    return backend.search({ ...QUERY, ...query }, CALL).then(
      ({ organic, news, dropped }) => `${organic.length + news.length} results, ${dropped} dropped`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }

  test('each format is parsed page by page, and an empty result is not a failure', async () => {
    for (const name of ALL) {
      assert.equal(await describeSearch(name), '10 results, 0 dropped', name);
      if (!name.endsWith('-news')) assert.equal(await describeSearch(name, { page: 3 }), '10 results, 0 dropped', name);
      behave('finds nothing', name);
      assert.equal(await describeSearch(name), '0 results, 0 dropped', name);
    }
    assert.match(lab.backends.duckduckgo.asked.at(-2) ?? '', /^POST \/html\/ .*vqd=4-1.*/);
  });

  for (const [how, says] of [
    ['wants a captcha', /^requires a captcha$|^sent invalid JSON$/],
    ['asks for consent', /^sent an unusable page: the results are missing$|^sent invalid JSON$/],
    ['sends a shell', /^sent an unusable page: the results are missing$|^sent invalid JSON$/],
    ['limits', /^too many requests \(429\)$/],
    ['refuses', /^(?:blocks this machine|rejected its API key or this machine)/],
    ['breaks', /answers 500$|returned status 500$/],
    ['is dead', /^cannot be reached/],
    ['answers another type', /^sent an unusable page: the results are missing$|^sent invalid JSON$/],
    ['links nowhere good', /^6 results, 4 dropped$/],
  ] as const)
    test(`a backend that ${how} gives no result that it should not`, async () => {
      behave(how, ...ALL);
      for (const name of ALL) assert.match(await describeSearch(name), says, name);
    });

  test('a response of 30 MB is rejected', async () => {
    behave('answers 30 MB', 'mojeek', 'json');
    assert.equal(await describeSearch('mojeek'), 'sent too large a response');
    assert.equal(await describeSearch('json'), 'sent too large a response');
  });

  test('equal results are merged, and a captcha pauses an engine for an hour', async () => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const settings = {
      ...buildSettings('duckduckgo', 'bing', 'google-news'),
      fastSearch: [['duckduckgo', 'bing'], ['google-news']],
    };
    const chain = buildChain(settings, { backends: backendsOf(settings), own: null, clock });
    const searching = new Searcher({ chain, clock });
    const listLines = async (): Promise<readonly string[]> => {
      const { organic, news, reports } = await searching.search(QUERY, CALL, false);
      const lines = reports.map(({ name, status, reason }) => `${name} ${status} ${reason ?? ''}`.trim()).toSorted();
      return [`${organic.length} + ${news.length}`, ...lines];
    };
    assert.deepEqual(await listLines(), ['10 + 10', 'bing ok', 'duckduckgo ok', 'google-news ok']);
    behave('wants a captcha', 'duckduckgo');
    assert.equal((await listLines())[2], 'duckduckgo blocked requires a captcha');
    const earlier = lab.backends.duckduckgo.asked.length;
    clock.pass(59 * 60_000);
    assert.match((await listLines())[2] ?? '', /^duckduckgo skipped is paused for another/);
    assert.equal(lab.backends.duckduckgo.asked.length, earlier);
    clock.pass(2 * 60_000);
    behave('answers', 'duckduckgo');
    assert.deepEqual(await listLines(), ['10 + 10', 'bing ok', 'duckduckgo ok', 'google-news ok']);
  });
});
