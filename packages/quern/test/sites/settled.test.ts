import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Operation } from '#engine/call/operation.ts';
import { loadSiteSettings } from '#features/sites/settings.ts';
import { locateOnSite, NO_SETTINGS, type Site, buildUrl } from '#sites/framework/site.ts';
import { ServiceError } from '#kernel/errors.ts';
import { watchedEndpoints } from '#compose/registry.ts';
import { endpoints } from '#compose/endpoints.ts';
import { allEndpoints } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';
import { listFixtures } from '#tools/sites/cases.ts';
import { scrub, scrubHeaders } from '#tools/sites/scrub.ts';
import { createSitesCommand } from '#transports/cli/sites.ts';
import { administer } from '../support/cli.ts';
import { inTemporaryFolder } from '../support/store.ts';

const SHOP: Site = {
  name: 'shop',
  origins: { 'web.com': 'https://www.shop.com', 'web.de': 'https://www.shop.de', api: 'https://api.shop.com' },
  hosts: { 'm.shop.de': 'web.de' },
  constants: { hash: 'h1' },
  credentials: ['token'],
};

test('a configured origin replaces one name or its whole family, with path and query unchanged', () => {
  const request = { origin: 'web.de', path: '/a//b?x=1', query: { q: 'rye & oats', page: 2, none: null, ids: [1, 2] } };
  const rest = '/a//b?x=1&q=rye+%26+oats&page=2&ids=1&ids=2';
  for (const [origins, host] of [
    [{}, 'https://www.shop.de'],
    [{ web: 'http://127.0.0.1:9001' }, 'http://127.0.0.1:9001'],
    [{ web: 'http://127.0.0.1:9001', 'web.de': 'http://127.0.0.1:9002' }, 'http://127.0.0.1:9002'],
  ] as const)
    assert.equal(buildUrl(SHOP, { ...NO_SETTINGS, origins }, request).href, host + rest);
});

test('a URL is matched only by the hosts of the format and the configured ones', () => {
  const settled = { origins: { 'web.de': 'http://127.0.0.1:9002', web: 'http://127.0.0.1:9001' } };
  for (const [url, origin] of [
    ['https://www.shop.de/dp/1?a=b', 'web.de'],
    ['http://m.shop.de/dp/1?a=b', 'web.de'],
    ['http://127.0.0.1:9002/dp/1?a=b', 'web.de'],
    ['http://127.0.0.1:9001/dp/1?a=b', 'web.com'],
  ] as const)
    assert.deepEqual(locateOnSite(SHOP, settled, url), { origin, path: '/dp/1?a=b' });
  for (const url of [
    'https://shop.evil/dp/1',
    'https://www.shop.de.evil/dp/1',
    'https://m.shop.de.evil/dp/1',
    'https://m.shop.de@evil.example/dp/1',
    'https://m.shop.de:8443/dp/1',
    'https://www.shop.de:8443/dp/1',
    'https://www.shоp.de/dp/1',
    'ftp://www.shop.de/',
    'nothing',
    '',
  ])
    assert.equal(locateOnSite(SHOP, settled, url), null, url);
});

test('an invalid sites file stops the start, and the error says what is wrong', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'sites.json');
    const load = (text: string) => {
      writeFileSync(file, text);
      return loadSiteSettings(file, () => [SHOP]).of('shop');
    };
    assert.deepEqual(loadSiteSettings(null, () => [SHOP]).of('shop'), NO_SETTINGS);
    const all = {
      origins: { web: 'http://127.0.0.1:1' },
      credentials: { token: 't' },
      tiers: ['http'],
      constants: { hash: 'h' },
    };
    assert.deepEqual(load(JSON.stringify({ shop: { ...all, cache_seconds: 0 } })), { ...all, cacheSeconds: 0 });
    for (const [given, why] of [
      ['{', /QUERN_SITES_FILE .*sites.json: /],
      ['{"shp":{}}', /shp: is not known; the nearest is shop/],
      ['{"shop":{"orgins":{}}}', /orgins/],
      ['{"shop":{"origins":{"wbe":"http://a.example"}}}', /shop.origins.wbe: is not known/],
      ['{"shop":{"origins":{"web":"http://a.example/path"}}}', /must be an origin/],
      ['{"shop":{"tiers":["htp"]}}', /shop.tiers/],
      ['{"shop":{"constants":{"hsh":"1"}}}', /the nearest is hash/],
      ['{"shop":{"credentials":{"tokn":"1"}}}', /the nearest is token/],
      ['{"shop":{"cache_seconds":-1}}', /cache_seconds/],
    ] as const)
      assert.throws(() => load(given), why, given);
  });
});

test('each proof belongs to an endpoint, and each recorded proof has its case', () => {
  const fixtures = listFixtures();
  for (const [id, proof] of Object.entries(PROOFS)) {
    const endpoint = allEndpoints.find((one) => one.id === id);
    assert.ok(endpoint !== undefined, id);
    const isRecorded = fixtures.some(
      (one) => `${one.site}.${one.endpoint.replaceAll('-', '.')}` === id && one.case.origin === 'recorded',
    );
    assert.equal(isRecorded, proof === 'recorded', id);
  }
});

test('a recording contains no email address, token, IP address or cookie', () => {
  const page = `{"email":"ilse@harrow.co.uk","access_token":"abcdef123456","ip":"84.12.7.9","version":"1.2.3.4.5",
    "mail":"ilse\\u0040harrow.example","auth":"Bearer abcdefgh12345678","name":"Ilse"}`;
  const kept = scrub(page);
  for (const secret of ['ilse@', 'u0040', 'abcdef', '84.12', 'abcdefgh']) assert.ok(!kept.includes(secret), secret);
  assert.match(kept, /"name":"Ilse"/);
  assert.deepEqual(scrubHeaders({ 'set-cookie': 'a=b', 'retry-after': '5', server: 'x' }), { 'retry-after': '5' });
});

test('quern sites lists endpoints with their level and checks canaries', async () => {
  const out: string[] = [];
  const terminal = {
    out: (text: unknown) => void out.push(String(text)),
    note() {},
    live() {},
    display: null,
    isScreen: false,
    isRead: () => true,
  };
  let answer: Readonly<Record<string, unknown>> | ServiceError = {};
  const command = createSitesCommand({
    endpoints,
    watched: watchedEndpoints,
    listHealth: async () => [
      {
        endpoint: 'codehost.user',
        served: 12,
        failed_in_row: 0,
        empty_in_row: 0,
        level: 'degraded',
        source: 'profile',
        last_success_at: '2026-11-22T05:00:00.000Z',
        last_failure_at: null,
        last_failure: null,
        fill: { 'user.name': 0.98, 'user.created_at': 0.25 },
      },
    ],
    clock: { now: () => Date.parse('2026-11-28T12:00:00Z'), monotonic: () => 0 },
    version: '1.2.3',
    async ask(_operation: Operation, raw: unknown) {
      assert.deepEqual(raw, { username: 'octocat' });
      if (answer instanceof ServiceError) throw answer;
      return { body: answer, stream: null };
    },
  });
  assert.equal(await administer(command, ['sites', 'list'], { terminal, refused: 'thrown' }), 0);
  assert.match(
    out.join(''),
    /codehost\.user +github\.com +verified +degraded +12 +profile +2026-11-22T05:00:00\.000Z +- +user\.created_at 25%, user\.name 98%/,
  );
  assert.match(out.join(''), /^answerengine\.prompt +- +backends +unused +0 +- +- +- +-$/m);
  assert.match(out.join(''), /^socialnet\.reels +facebook\.com, fb\.com +unverified +unused/m);
  assert.ok(out.length > 90);
  answer = { user: { login: 'octocat', name: 'x', followers: 1, public_repos: 2, created_at: '2011-01-25' } };
  assert.equal(
    await administer(command, ['sites', 'check', 'codehost.user', '--json'], { terminal, refused: 'thrown' }),
    0,
  );
  answer = { user: { login: 'ilse', name: 'x', followers: 1, public_repos: 2, created_at: '2011-01-25' } };
  assert.equal(await administer(command, ['sites', 'check', 'codehost.user'], { terminal, refused: 'thrown' }), 1);
  assert.match(out.at(-1) ?? '', /changed +the record does not contain username octocat/);
  answer = { user: { login: 'octocat', name: null, followers: 1, public_repos: 2, created_at: '2011-01-25' } };
  assert.equal(await administer(command, ['sites', 'check', 'codehost.user'], { terminal, refused: 'thrown' }), 1);
  assert.match(out.at(-1) ?? '', /changed +nothing at user\.name/);
  await administer(command, ['sites', 'check', 'codehost.user', '--report'], { terminal, refused: 'thrown' });
  assert.match(out.at(-1) ?? '', /^Quern 1\.2\.3, .*, 2026-11-28T12:00:00\.000Z: 0 ok, 1 changed, 0 failed\.$/m);
  assert.match(out.at(-1) ?? '', /^\| codehost\.user \| changed \| nothing at user\.name \| - \| 3 of 4 \| 0 \|$/m);
  answer = new ServiceError('target_blocked', 'every attempt');
  assert.equal(await administer(command, ['sites', 'check', 'codehost.user'], { terminal, refused: 'thrown' }), 1);
  assert.match(out.at(-1) ?? '', /failed +target_blocked/);
  await assert.rejects(
    administer(command, ['sites', 'check', 'nowhere'], { terminal, refused: 'thrown' }),
    /no such site/,
  );
  await assert.rejects(administer(command, ['sites', 'prune'], { terminal, refused: 'thrown' }), /quern sites list/);
});
