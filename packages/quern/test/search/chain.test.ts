import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BackendResults,
  BackendFailure,
  type SearchResult,
  type SearchBackend,
  type SearchQuery,
} from '#features/search/backend/backend.ts';
import { SearchChain } from '#features/search/backend/chain.ts';
import { fuseRankedLists } from '#features/search/backend/fusion.ts';
import { shareCalls } from '#features/search/backend/build-chain.ts';
import { Searcher } from '#features/search/searcher.ts';
import { driveClock, type DrivenClock } from '../support/clock.ts';
import { ANY_TIME } from './search-index.ts';

const QUERY = { search: 'rye', country: null, language: null, page: 1 };
const CALL = { tenant: 'ten_1', weight: 1, signal: ANY_TIME };

function result(url: string, facts: Partial<SearchResult> = {}): SearchResult {
  const rest = { title: url, description: '', publishedAt: null, language: null, imageUrl: null, text: null };
  return { url: `https://${url}`, ...rest, ...facts };
}

function buildResults(...urls: readonly string[]): BackendResults {
  return { organic: urls.map((url) => result(url)), news: [], dropped: 0, hasMore: false, total: null };
}

type Act = (asked: number, signal: AbortSignal, query: SearchQuery) => Promise<BackendResults>;

/** A test backend with a count of its requests. */
function backend(name: string, act: Act, facts: Partial<SearchBackend> = {}) {
  const asked = { times: 0, ended: 0 };
  const search: SearchBackend['search'] = async (query, { signal }) => {
    asked.times += 1;
    signal.addEventListener('abort', () => (asked.ended += 1));
    return act(asked.times, signal, query);
  };
  return { asked, name, kinds: ['organic' as const], maxPages: 10, search, ...facts };
}

const answers =
  (...urls: readonly string[]): Act =>
  async () =>
    buildResults(...urls);
const fails =
  (...failure: ConstructorParameters<typeof BackendFailure>): Act =>
  async () => {
    throw new BackendFailure(...failure);
  };
const hangs: Act = async (_times, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function buildChain(clock: DrivenClock, ...groups: readonly (readonly SearchBackend[])[]): SearchChain {
  return new SearchChain({ clock, groups });
}

let asked = 0;

/** Runs a search while the clock advances; the default query is new each time. */
async function searchIn(
  chain: SearchChain,
  clock: DrivenClock,
  ms: number,
  { tenant = 'ten_1', search = `rye ${(asked += 1)}` }: { readonly tenant?: string; readonly search?: string } = {},
) {
  const asking = chain.search({ ...QUERY, search }, 'organic', { ...CALL, tenant });
  await clock.advance(ms);
  return asking;
}

const listLines = ({ reports }: Awaited<ReturnType<typeof searchIn>>) =>
  reports.map(({ name, status }) => `${name} ${status}`);

test('the next backend is queried only when the previous one failed or found nothing', async () => {
  const clock = driveClock();
  const [first, second, third] = [
    backend('first', fails('error', 'broke')),
    backend('second', answers()),
    backend('third', async () => ({ ...buildResults('a.example/'), dropped: 2 })),
  ];
  const [fourth] = [backend('fourth', answers('b.example/'))];
  const got = await searchIn(buildChain(clock, [first], [second], [third], [fourth]), clock, 200);
  assert.deepEqual(listLines(got), ['first error', 'second empty', 'third ok']);
  assert.deepEqual(
    got.reports.map(({ dropped }) => dropped),
    [0, 0, 2],
  );
  assert.equal(fourth?.asked.times, 0);
});

test('after 800 ms the next backend is queried too, and the slower one is aborted', async () => {
  const clock = driveClock();
  const [slow, quick] = [backend('slow', hangs), backend('quick', answers('a.example/'))];
  const chain = buildChain(clock, [slow], [quick]);
  const asking = chain.search(QUERY, 'organic', CALL);
  await clock.advance(790);
  assert.equal(quick.asked.times, 0);
  await clock.advance(200);
  const got = await asking;
  assert.deepEqual(listLines(got), ['slow timeout', 'quick ok']);
  assert.equal(slow.asked.ended, 1);
  assert.equal(got.reports[0]?.reason, 'another engine responded first');
});

test('a hanging backend times out after eight seconds, and the search ends', async () => {
  const clock = driveClock();
  const got = await searchIn(buildChain(clock, [backend('dead', hangs)]), clock, 9000);
  assert.deepEqual(listLines(got), ['dead timeout']);
});

test('a captcha pauses a backend for an hour, a rate limit for three minutes and then longer', async () => {
  const clock = driveClock();
  const captcha = backend('captcha', fails('blocked', 'requires a captcha', { why: 'captcha' }));
  const limited = backend('limited', fails('blocked', 'too many', { why: 'limited' }));
  const chain = buildChain(clock, [captcha, limited]);
  const linesAfter = async (ms: number) => {
    await clock.advance(ms);
    return listLines(await searchIn(chain, clock, 200)).toSorted();
  };
  assert.deepEqual(await linesAfter(0), ['captcha blocked', 'limited blocked']);
  assert.deepEqual(await linesAfter(170_000), ['captcha skipped', 'limited skipped']);
  assert.deepEqual(await linesAfter(15_000), ['captcha skipped', 'limited blocked']);
  assert.deepEqual(await linesAfter(185_000), ['captcha skipped', 'limited skipped']);
  assert.deepEqual(await linesAfter(180_000), ['captcha skipped', 'limited blocked']);
  assert.deepEqual(await linesAfter(3_100_000), ['captcha blocked', 'limited blocked']);
});

test('a dead backend is skipped after three failures, and one query tries it again later', async () => {
  const clock = driveClock();
  const dead = backend('dead', fails('error', 'cannot be reached'));
  const chain = buildChain(clock, [dead], [backend('good', answers('a.example/'))]);
  for (const times of [1, 2, 3, 3, 3]) {
    await searchIn(chain, clock, 200);
    assert.equal(dead.asked.times, times);
  }
  await clock.advance(15_000);
  await searchIn(chain, clock, 200);
  assert.equal(dead.asked.times, 4);
});

test('a hanging backend is paused after others were faster three times, and is then skipped', async () => {
  const clock = driveClock();
  const hanging = backend('hanging', hangs);
  const chain = buildChain(clock, [hanging], [backend('good', answers('a.example/'))]);
  for (const times of [1, 2, 3]) {
    assert.deepEqual(listLines(await searchIn(chain, clock, 1000)), ['hanging timeout', 'good ok']);
    assert.equal(hanging.asked.times, times);
  }
  assert.deepEqual(listLines(await searchIn(chain, clock, 0)), ['good ok', 'hanging skipped']);
  await clock.advance(15_000);
  assert.deepEqual(listLines(await searchIn(chain, clock, 1000)), ['hanging timeout', 'good ok']);
  assert.deepEqual(listLines(await searchIn(chain, clock, 0)), ['good ok', 'hanging skipped']);
  assert.equal(hanging.asked.times, 4);
});

/** The outcome of a backend for each of these, one after the other. */
async function comesTo(
  chain: SearchChain,
  clock: DrivenClock,
  given: readonly (readonly [tenant: string, search: string])[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [tenant, search] of given) lines.push(...listLines(await searchIn(chain, clock, 200, { tenant, search })));
  return lines;
}

const OTHERS = ['other', 'captcha', 'limited'] as const;

test('failures of one tenant do not pause a backend for others', async () => {
  for (const why of OTHERS) {
    const clock = driveClock();
    const odd = backend('odd', async (_times, _signal, { search }) => {
      if (search.startsWith('odd')) throw new BackendFailure('error', 'broke', { why });
      return buildResults('a.example/');
    });
    const chain = buildChain(clock, [odd]);
    for (let times = 0; times < 20; times += 1) {
      await searchIn(chain, clock, 200, { tenant: 'ten_odd', search: `odd ${times}` });
      if (times % 5 === 4) assert.deepEqual(await comesTo(chain, clock, [['ten_2', `rye ${times}`]]), ['odd ok'], why);
      await clock.advance(3_600_000);
    }
  }
});

test('a rejected query does not pause a backend', async () => {
  const clock = driveClock();
  const chain = buildChain(clock, [backend('picky', fails('error', 'rejected the query (431)', { why: 'query' }))]);
  for (let times = 0; times < 9; times += 1) {
    const [line] = await comesTo(chain, clock, [[`ten_${times % 3}`, `long ${times}`]]);
    assert.equal(line, 'picky error');
  }
});

test('failures of different queries of different tenants pause a backend for everyone, twice as long the next time', async () => {
  const clock = driveClock();
  const chain = buildChain(clock, [backend('dead', fails('error', 'cannot be reached'))]);
  const [one, two, three, four] = [
    ['ten_1', 'rye'],
    ['ten_2', 'oats'],
    ['ten_1', 'wheat'],
    ['ten_3', 'barley'],
  ] as const;
  assert.deepEqual(await comesTo(chain, clock, [one, two, three, four]), [
    'dead error',
    'dead error',
    'dead error',
    'dead skipped',
  ]);
  await clock.advance(15_000);
  assert.deepEqual(await comesTo(chain, clock, [one, two, four]), ['dead error', 'dead error', 'dead skipped']);
  await clock.advance(20_000);
  assert.deepEqual(await comesTo(chain, clock, [four]), ['dead skipped']);
  await clock.advance(10_000);
  assert.deepEqual(await comesTo(chain, clock, [four]), ['dead error']);
});

test('a rate limit or captcha for two tenants pauses a backend for everyone, until one success', async () => {
  for (const why of ['captcha', 'limited'] as const) {
    const clock = driveClock();
    let isOpen = false;
    const engine = backend('engine', async () => {
      if (!isOpen) throw new BackendFailure('blocked', 'no', { why });
      return buildResults('a.example/');
    });
    const chain = buildChain(clock, [engine]);
    const given = [
      ['ten_1', 'rye'],
      ['ten_2', 'oats'],
      ['ten_3', 'wheat'],
    ] as const;
    assert.deepEqual(await comesTo(chain, clock, given), ['engine blocked', 'engine blocked', 'engine skipped'], why);
    isOpen = true;
    await clock.advance(3_600_000);
    assert.deepEqual(await comesTo(chain, clock, given), ['engine ok', 'engine ok', 'engine ok']);
  }
});

test('one failing query of several tenants does not pause a backend for others', async () => {
  const clock = driveClock();
  const chain = buildChain(clock, [backend('odd', fails('error', 'broke'))]);
  for (let times = 0; times < 6; times += 1) await comesTo(chain, clock, [[`ten_${times % 2}`, 'odd']]);
  assert.deepEqual(await comesTo(chain, clock, [['ten_9', 'rye']]), ['odd error']);
});

test('queries in flight when a pause begins do not extend it, and a query for two kinds counts once', async () => {
  const clock = driveClock();
  const both = backend('both', fails('error', 'broke'), { kinds: ['organic', 'news'] });
  const chain = buildChain(clock, [both]);
  const searching = new Searcher({ chain, clock });
  const search = async (at: number) => searching.search({ ...QUERY, search: `rye ${at}` }, CALL, false);
  const linesOfSearch = async (at: number) => {
    const asking = search(at);
    await clock.advance(200);
    return listLines({ answers: [], reports: (await asking).reports });
  };
  assert.deepEqual(await linesOfSearch(1), ['both error']);
  assert.deepEqual(await linesOfSearch(2), ['both error']);
  const many = Promise.all([3, 4, 5, 6, 7].map(search));
  await clock.advance(200);
  await many;
  await clock.advance(10_000);
  assert.deepEqual(await linesOfSearch(8), ['both skipped']);
  await clock.advance(5_000);
  assert.deepEqual(await linesOfSearch(9), ['both error']);
});

test('results wait at most 800 ms for news, and not at all for paused news backends', async () => {
  const clock = driveClock();
  const [main, beside] = [backend('main', answers('a.example/')), backend('beside', hangs, { kinds: ['news'] })];
  const searching = new Searcher({ chain: buildChain(clock, [main], [beside]), clock });
  const search = async (ms: number) => {
    const asking = searching.search({ ...QUERY, search: `rye ${(asked += 1)}` }, CALL, false);
    await clock.advance(ms);
    const { organic, reports } = await asking;
    assert.equal(organic.length, 1);
    return listLines({ answers: [], reports });
  };
  for (const _ of [1, 2, 3]) assert.deepEqual(await search(800), ['main ok', 'beside timeout']);
  assert.deepEqual(await search(0), ['main ok', 'beside skipped']);
  assert.equal(beside.asked.ended, 3);
});

test('a backend for results and news is queried once for both, and the request is aborted when nobody waits', async () => {
  const clock = driveClock();
  const both = backend('both', async () => ({ ...buildResults('a.example/'), news: [result('b.example/')] }), {
    kinds: ['organic', 'news'],
  });
  const hanging = backend('hanging', hangs, { kinds: ['organic', 'news'] });
  const searching = new Searcher({ chain: buildChain(clock, [shareCalls(both), shareCalls(hanging)]), clock });
  const asking = searching.search(QUERY, CALL, false);
  await clock.advance(150);
  const { organic, news, reports } = await asking;
  assert.deepEqual([organic.length, news.length], [1, 1]);
  assert.deepEqual(listLines({ answers: [], reports }), ['both ok', 'hanging timeout']);
  assert.deepEqual([both.asked.times, hanging.asked], [1, { times: 1, ended: 1 }]);
});

test('a backend is not queried beyond its last page', async () => {
  const clock = driveClock();
  const short = backend('short', answers('a.example/'), { maxPages: 1 });
  const asking = buildChain(clock, [short]).search({ ...QUERY, page: 2 }, 'organic', CALL);
  await clock.advance(200);
  const { reports } = await asking;
  assert.deepEqual(
    reports.map(({ status, isBeyondLastPage: isBeyond }) => [status, isBeyond]),
    [['skipped', true]],
  );
});

test('equal results of several engines are merged and ranked first', () => {
  const fused = fuseRankedLists([
    { engine: 'one', results: [result('a.example/'), result('b.example/x', { description: 'long words' })] },
    { engine: 'two', results: [result('c.example/'), result('www.b.example/x/?utm_source=y', { description: 'w' })] },
  ]);
  assert.deepEqual(
    fused.map(({ url, engines }) => [url, engines]),
    [
      ['https://b.example/x', ['one', 'two']],
      ['https://a.example/', ['one']],
      ['https://c.example/', ['two']],
    ],
  );
  assert.equal(fused[0]?.description, 'long words');
});

test('results are cached for ten minutes, concurrent equal queries are merged, and monitors bypass the cache', async () => {
  const clock = driveClock();
  const engine = backend('engine', async (times) => buildResults(`${times}.example/`));
  const searching = new Searcher({ chain: buildChain(clock, [engine]), clock });
  const ask = async (mayReuse: boolean, search = 'rye'): Promise<string | undefined> => {
    const asking = searching.search({ ...QUERY, search }, CALL, mayReuse);
    await clock.advance(200);
    return (await asking).organic[0]?.url;
  };
  assert.deepEqual(await Promise.all([ask(true), ask(true)]), ['https://1.example/', 'https://1.example/']);
  await clock.advance(500_000);
  assert.equal(await ask(true), 'https://1.example/');
  assert.equal(await ask(true, 'oats'), 'https://2.example/');
  assert.equal(await ask(false), 'https://3.example/');
  await clock.advance(700_000);
  assert.equal(await ask(true), 'https://4.example/');
});

test('results are not shared between tenants, so that response times reveal nothing', async () => {
  const clock = driveClock();
  const engine = backend('engine', async () => {
    await clock.sleep(150, CALL.signal);
    return buildResults('mill.example/');
  });
  const searching = new Searcher({ chain: buildChain(clock, [engine]), clock });
  const measureMs = async (tenant: string): Promise<number> => {
    const before = clock.monotonic();
    const asking = searching.search({ ...QUERY, search: 'rye' }, { ...CALL, tenant }, true);
    const ended = asking.then(() => clock.monotonic() - before);
    for (let step = 0; step < 20; step += 1) await clock.advance(10);
    return ended;
  };
  const first = await measureMs('ten_1');
  assert.ok(first >= 150);
  assert.equal(await measureMs('ten_2'), first);
  assert.equal(engine.asked.times, 2);
  assert.equal(await measureMs('ten_2'), 0);
  assert.equal(engine.asked.times, 2);
});

test('a tenant with many concurrent searches does not delay others, and its queued searches do not count as failures', async () => {
  const clock = driveClock();
  const opened = Promise.withResolvers<void>();
  const engine = backend('engine', async () => {
    await opened.promise;
    return buildResults('mill.example/');
  });
  const chain = buildChain(clock, [engine]);
  const many = Array.from({ length: 40 }, async () => searchIn(chain, clock, 0));
  await clock.advance(0);
  const atOnce = engine.asked.times;
  assert.ok(atOnce < 40);
  const other = searchIn(chain, clock, 0, { tenant: 'ten_2' });
  await clock.advance(0);
  assert.equal(engine.asked.times, atOnce + 1);
  opened.resolve();
  assert.deepEqual(listLines(await other), ['engine ok']);
  for (const one of many) assert.deepEqual(listLines(await one), ['engine ok']);
  assert.deepEqual(listLines(await searchIn(chain, clock, 0)), ['engine ok']);
});
