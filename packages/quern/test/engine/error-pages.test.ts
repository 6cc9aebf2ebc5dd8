import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { isEmptyPage } from '#access/classify/error-page.ts';
import { interact } from '#features/interact/operation.ts';
import { withModel } from '../support/model.ts';
import { browserTest } from '../support/rendered.ts';
import { sessionSiteFor } from '../support/sessions.ts';
import { onEveryStore } from '../support/store.ts';
import type { FakeTiers } from '../support/tiers.ts';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { brings, type Gate, isBlocked, buildTestPage, withGate } from './gate.ts';
import { checkBooks, openJobTools, runClaimed } from '../support/engine/queue.ts';
import { createMonitorCalls, openShop, runAll } from '../support/engine/monitoring.ts';
import { inEachMode, serves, buildSite } from '../support/engine/crawl-modes.ts';

const GONE = '<h1>Gone</h1><p>There is no such flour any more.</p>';
const OF_BROWSER = '<html><head></head><body></body></html>';
const Warned = z.looseObject({ status_code: z.number(), warnings: z.array(z.looseObject({ code: z.string() })) });

/** A response of a target, and the tiers that get it. */
const ANSWERS: readonly (readonly [what: string, tierVisits: FakeTiers, tier: string])[] = [
  ['404', { http: brings({ status: 404, text: GONE }) }, 'http'],
  ['410', { http: brings({ status: 410, text: GONE }) }, 'http'],
  ['500', { http: brings({ status: 500, text: GONE }) }, 'http'],
  ['401', { http: brings({ status: 401, text: GONE, headers: { 'www-authenticate': 'Basic' } }) }, 'http'],
  ['451', { http: brings({ status: 451, text: GONE }) }, 'http'],
  ['400 and no body', { http: brings({ status: 400, text: '' }) }, 'http'],
  ['an empty body', { http: brings({ text: '' }) }, 'http'],
  ['204', { http: brings({ status: 204, text: '' }) }, 'http'],
  ['white space', { http: brings({ text: ' \r\n\t\n' }) }, 'http'],
  ['404 to a proxy', { http: isBlocked, proxy: brings({ status: 404, text: GONE }) }, 'proxy'],
  [
    'nothing to the last tier',
    { http: isBlocked, browser: isBlocked, proxy: isBlocked, proxy_browser: brings({ text: OF_BROWSER }) },
    'proxy_browser',
  ],
];

for (const [what, tierVisits, tier] of ANSWERS)
  test(`a fetch that returns ${what} has a warning and costs nothing`, async () =>
    withGate({ tierVisits }, async (gate) => {
      const { answer, code } = await gate.fetch();
      assert.deepEqual(answer?.usage, { credits: 0, base: 0, surcharge: 0, tier }, code);
      const { warnings } = Warned.parse(answer.body);
      assert.equal(warnings.filter((one) => /target_error|auth_required|geo_or_legal/.test(one.code)).length, 1);
      assert.deepEqual(await gate.spent(), [0, 0]);
      const [entry] = await gate.db.query('select credits, tier from requests');
      assert.deepEqual({ ...entry }, { credits: 0, tier });
      await checkBooks(gate);
    }));

test('a page with little text does not count as empty', () => {
  for (const text of ['0', '<html><head></head><body><img></body></html>', 'ok\n'])
    assert.equal(isEmptyPage(buildTestPage({ text })), false, text);
});

onEveryStore('a job that fetches an error page completes and costs nothing', async (store) => {
  await withGate({ store, tierVisits: { http: brings({ status: 404, text: GONE }) } }, async (gate) => {
    const id = await openJobTools(gate).queued();
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const { status, usage } = await openJobTools(gate).show(id);
    assert.deepEqual([status, usage], ['completed', { credits: 0, base: 0, surcharge: 0, tier: 'http' }]);
    assert.deepEqual(await gate.spent(), [0, 0]);
    await checkBooks(gate);
  });
});

test('error pages and empty answers are not served from the cache', async () => {
  for (const http of [brings({ status: 404, text: GONE }), brings({ text: '' })])
    await withGate({ tierVisits: { http } }, async (gate) => {
      await gate.fetch();
      const { answer } = await gate.fetch({ max_age_ms: 60_000 });
      assert.deepEqual([answer?.usage?.tier, gate.visits.length], ['http', 2]);
      assert.deepEqual(await gate.spent(), [0, 0]);
    });
});

test('a screenshot of an error page costs nothing', async () => {
  const size = { width: 1, height: 1 };
  const shot = { kind: 'screenshot', contentType: 'image/png', bytes: new Uint8Array(8), size } as const;
  await withGate({ tierVisits: { browser: brings({ status: 404, text: GONE, artifacts: [shot] }) } }, async (gate) => {
    const { answer } = await gate.fetch({ output: ['screenshot'] });
    assert.equal(answer?.usage?.credits, 0);
    assert.ok(answer.body['screenshot']);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

test('an error page is not sent to the model, and the answer says so', async () => {
  await withModel([], async ({ model, asked }) =>
    withGate({ tierVisits: { http: brings({ status: 404, text: GONE }) }, model }, async (gate) => {
      const schema = { type: 'object', properties: { weight: { type: 'string' } } };
      const { answer } = await gate.fetch({ output: ['summary', 'json'], extract: { schema } });
      assert.deepEqual([answer?.usage?.credits, answer?.body['summary'], asked.length], [0, '', 0]);
      const codes = Warned.parse(answer?.body).warnings.map(({ code }) => code);
      assert.deepEqual(codes, ['target_error', 'partial_ladder', 'model_refused']);
      assert.deepEqual(await gate.spent(), [0, 0]);
    }),
  );
});

const leaky = buildSite({
  '/': { links: ['/a', '/empty', '/gone'] },
  '/a': { links: [] },
  '/empty': { text: '', type: 'text/html' },
});
inEachMode(
  'an empty page of a crawl is listed among the errors, and costs nothing',
  { kind: 'crawl', options: { tierVisits: { http: serves(leaky) } } },
  async (crawl, gate) => {
    const some = Crawled.parse(await crawl());
    assert.deepEqual(listStoredPaths(some), ['/', '/a']);
    const told = new Set(some.errors.map(({ code, status_code: status }) => `${code} ${status}`));
    assert.deepEqual(told, new Set(['not_found 404', 'target_error 200']));
    checkSum(some);
    assert.deepEqual(await gate.spent(), [4, 0]);
  },
);

inEachMode(
  'an error page from an expensive tier adds nothing to the cost of a map',
  { kind: 'map', options: { tierVisits: { http: isBlocked, browser: isBlocked, proxy: serves(leaky) } } },
  async (map, gate) => {
    const { usage } = z.object({ usage: z.looseObject({ surcharge: z.number() }) }).parse(await map());
    assert.equal(usage.surcharge, 16);
    assert.equal((await gate.spent())[0], 18);
  },
);

onEveryStore('a monitor does not compare an empty answer, and its run costs nothing', async (store) => {
  const { shop, tierVisits } = openShop();
  let isAway = false;
  const http: NonNullable<FakeTiers['http']> = async (request, signal) =>
    isAway ? buildTestPage({ url: request.url.href, text: '' }) : tierVisits.http(request, signal);
  await withGate({ store, tierVisits: { http } }, async (gate: Gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made();
    await runAll(gate);
    const before = await gate.spent();
    isAway = true;
    await monitors.ask('trigger', { id });
    for (let again = 0; again < 3; again += 1) {
      gate.clock.pass(10_000);
      await runAll(gate);
    }
    assert.deepEqual(await gate.spent(), before);
    assert.equal((await monitors.changes(id)).filter(({ kind }) => kind !== 'first_run').length, 0);
    assert.ok(shop.visits > 0);
    await checkBooks(gate);
  });
});

/** A response of a watched page, the code of the failed run, and whether it is tried again. */
const FAILED_RUNS: readonly (readonly [status: number, text: string, code: string, retryable: boolean])[] = [
  [404, GONE, 'not_found', false],
  [410, GONE, 'not_found', false],
  [500, GONE, 'target_unreachable', true],
  [503, GONE, 'target_unreachable', true],
  [501, GONE, 'target_unreachable', false],
  [503, '', 'target_unreachable', true],
  [400, GONE, 'unusable_response', false],
  [200, '', 'unusable_response', true],
  [204, '', 'unusable_response', true],
  [401, GONE, 'target_blocked', false],
  [451, GONE, 'target_blocked', false],
];

for (const [status, text, code, retryable] of FAILED_RUNS)
  test(`a monitor run that gets ${status} with ${text === '' ? 'an empty body' : 'a page'} fails with ${code}`, async () => {
    const headers = { 'www-authenticate': 'Basic' };
    await withGate(
      { tierVisits: { http: brings({ status, text, ...(status === 401 ? { headers } : {}) }) } },
      async (gate) => {
        const monitors = createMonitorCalls(gate);
        const id = await monitors.made();
        for (let again = 0; again < 5; again += 1) {
          await runAll(gate);
          gate.clock.pass(10_000);
        }
        const { error, attempt } = await monitors.latestRun(id);
        assert.deepEqual([error?.code, error?.retryable, attempt > 1], [code, retryable, retryable]);
        assert.equal(error?.blocked === true, code === 'target_blocked');
      },
    );
  });

const sessionsNow = sessionSiteFor({ '/form': '<title>Form</title><button id="go">Go</button>' });

browserTest('a session that fails before its first action costs nothing', async () => {
  const { openClimb, allow, origin } = sessionsNow();
  await withGate({ openClimb, allow }, async (gate) => {
    const click = { type: 'click', target: '#go', timeout_ms: 500 };
    const none = { url: new URL('/none', origin).href, proxy: 'basic' };
    const vain = await gate.ask(interact, { ...none, actions: [click] });
    assert.deepEqual(vain.answer?.usage, { credits: 0, base: 0, surcharge: 0, tier: 'browser' });
    assert.equal(vain.answer.body['completed'], false);
    assert.match(JSON.stringify(vain.answer.body['warnings']), /target_error/);
    assert.deepEqual(await gate.spent(), [0, 0]);
    // A session that acted on an error page is charged; one whose first action fails is not.
    const look = { type: 'content', name: 'page', output: 'markdown' };
    await gate.ask(interact, { ...none, actions: [look, click] });
    assert.deepEqual(await gate.spent(), [25, 0]);
    const form = new URL('/form', origin).href;
    const fails = { ...click, target: '#none' };
    await gate.ask(interact, { ...none, url: form, actions: [{ type: 'wait', ms: 1 }, fails] });
    assert.deepEqual(await gate.spent(), [25, 0]);
    await gate.ask(interact, { ...none, url: form, actions: [{ ...click, timeout_ms: 20_000 }, fails] });
    assert.deepEqual(await gate.spent(), [50, 0]);
    await checkBooks(gate);
  });
});
