import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brings, isBlocked, SITE, withGate } from './gate.ts';
import { crawl } from '#features/crawl/operation.ts';

const ALL = { http: brings(), browser: brings(), proxy: brings(), proxy_browser: brings() };
const LONG = { text: `<h1>Rye</h1><p>${'Stone ground flour from the mill. '.repeat(20)}` };

test('options that need a browser start at the browser tier, on the Free plan too', async () => {
  for (const plan of ['free', 'starter'] as const) {
    for (const wish of [
      { wait_for_selector: 'h1' },
      { wait_ms: 10 },
      { scroll: true },
      { output: ['screenshot'] },
      { output: ['pdf', 'links'] },
    ]) {
      await withGate({ plan, tierVisits: ALL }, async ({ fetch, visits, spent }) => {
        const { answer } = await fetch(wish);
        assert.equal(answer?.usage?.tier, 'browser', JSON.stringify(wish));
        assert.equal(visits.length, 1);
        assert.deepEqual(await spent(), [2, 0]);
      });
    }
  }
});

test('a blocked browser request escalates to the browser with a proxy, never to a tier without scripts', async () => {
  await withGate({ tierVisits: { ...ALL, browser: isBlocked } }, async ({ fetch }) => {
    assert.equal((await fetch({ scroll: true })).answer?.usage?.tier, 'proxy_browser');
  });
});

test('without a browser, options that need one are unavailable, name the setting and cost nothing', async () => {
  for (const wish of [{ wait_ms: 10 }, { output: ['screenshot'] }]) {
    await withGate({}, async ({ fetch, spent }) => {
      const { code, error } = await fetch(wish);
      assert.equal(code, 'backend_unavailable');
      assert.match(error?.message ?? '', /QUERN_CHROMIUM/);
      assert.deepEqual(await spent(), [0, 0]);
    });
  }
});

test('device and locale reach every tier', async () => {
  await withGate({}, async ({ fetch, visits }) => {
    const { answer } = await fetch({ device: 'mobile', locale: 'de-at' });
    assert.equal(answer?.usage?.tier, 'http');
    assert.deepEqual([visits[0]?.browser?.device, visits[0]?.browser?.locale], ['mobile', 'de-AT']);
    await fetch();
    assert.equal(visits[1]?.browser, undefined);
  });
});

test('a request with a country uses a proxy only', async () => {
  await withGate({ tierVisits: ALL }, async ({ fetch, visits, spent }) => {
    assert.equal((await fetch({ country: 'DE' })).answer?.usage?.tier, 'proxy');
    assert.equal(visits[0]?.country, 'de');
    assert.deepEqual(await spent(), [10, 0]);
    assert.equal((await fetch({ country: 'de', wait_ms: 5 })).answer?.usage?.tier, 'proxy_browser');
    const { code, error } = await fetch({ country: 'de', proxy: 'basic' });
    assert.equal(code, 'invalid_request');
    assert.match(error?.message ?? '', /^country: /);
  });
  await withGate({ plan: 'free', tierVisits: ALL }, async ({ fetch }) => {
    assert.equal((await fetch({ country: 'de' })).code, 'plan_upgrade_required');
  });
  await withGate({}, async ({ fetch }) => {
    const { code, error } = await fetch({ country: 'de' });
    assert.equal(code, 'backend_unavailable');
    assert.match(error?.message ?? '', /QUERN_PROXIES_DATACENTER/);
  });
});

test('invalid browser options are rejected by name before any visit', async () => {
  const refused: readonly (readonly [wish: Readonly<Record<string, unknown>>, message: RegExp])[] = [
    [{ wait_for_selector: 'h1 >' }, /^wait_for_selector: /],
    [{ wait_for_selector: '' }, /^wait_for_selector: /],
    [{ wait_ms: 30_001, timeout_ms: 60_000 }, /^wait_ms: /],
    [{ wait_ms: -1 }, /^wait_ms: /],
    [{ wait_ms: 6000, timeout_ms: 10_000 }, /^wait_ms: must be at least 4 s less/],
    [{ device: 'watch' }, /^device: /],
    [{ country: 'germany' }, /^country: /],
    [{ locale: 'de_AT; q' }, /^locale: /],
    [{ screenshot: {} }, /^screenshot: /],
    [{ output: ['screenshot'], screenshot: { format: 'gif' } }, /^screenshot.format: /],
    [{ output: ['screenshot'], screenshot: { whole: true } }, /whole/],
    [{ output: ['pdf', 'pdf'] }, /^output: /],
    [{ output: ['pdf'], max_age_ms: 1000 }, /^max_age_ms: /],
  ];
  await withGate({ tierVisits: ALL }, async ({ fetch, visits, spent }) => {
    for (const [wish, message] of refused) {
      const { code, error } = await fetch(wish);
      assert.equal(code, 'invalid_request', JSON.stringify(wish));
      assert.match(error?.message ?? '', message);
    }
    assert.equal(visits.length, 0);
    assert.equal((await fetch({ wait_ms: 5000, timeout_ms: 10_000 })).code, 'ok');
    assert.deepEqual(await spent(), [2, 0]);
  });
});

test('an artifact that could not be created is null, and the other outputs are returned', async () => {
  await withGate({ tierVisits: { browser: brings(LONG) } }, async ({ fetch }) => {
    const { answer } = await fetch({ output: ['markdown', 'screenshot'] });
    assert.equal(answer?.body['screenshot'], null);
    assert.match(String(answer?.body['markdown']), /Stone ground/);
    assert.equal(answer?.body['pdf'], undefined);
  });
});

test('cached pages are separate for each device, country, locale and browser option', async () => {
  await withGate({ tierVisits: ALL }, async ({ fetch }) => {
    const wishes = [{}, { device: 'mobile' }, { country: 'de' }, { locale: 'de' }, { wait_ms: 1 }, { scroll: true }];
    for (const wish of wishes) {
      const tier = (await fetch({ ...wish, max_age_ms: 60_000 })).answer?.usage?.tier;
      assert.notEqual(tier, 'cache', JSON.stringify(wish));
      assert.equal((await fetch({ ...wish, max_age_ms: 60_000 })).answer?.usage?.tier, 'cache');
    }
  });
});

test('the fetch options of a crawl apply to each of its pages', async () => {
  await withGate({ tierVisits: { ...ALL, browser: brings(LONG) } }, async ({ ask, visits }) => {
    const raw = { url: SITE, max_pages: 1, sitemap: 'skip', respect_robots: false };
    const { answer } = await ask(crawl, { ...raw, fetch: { wait_ms: 20, device: 'mobile' } });
    assert.equal(answer?.usage?.tier, 'browser', JSON.stringify(answer?.body));
    const wished = visits.find(({ browser }) => browser !== undefined);
    assert.deepEqual([wished?.browser?.waitMs, wished?.browser?.device], [20, 'mobile']);
    const { error } = await ask(crawl, { ...raw, fetch: { screenshot: {} } });
    assert.match(error?.message ?? '', /screenshot/);
    assert.match((await ask(crawl, { ...raw, output: ['pdf'] })).error?.message ?? '', /^output/);
  });
});
