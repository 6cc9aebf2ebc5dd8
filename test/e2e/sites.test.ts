import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openSites } from '#demo/sites/world.ts';
import type { SiteWorld } from '#demo/sites/world.ts';
import { openWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

suite('endpoints of sites over HTTP, against rehearsed sites', { concurrency: true }, () => {
  let sites: SiteWorld;
  let world: World;
  before(async () => {
    sites = await openSites();
    world = await openWorld({ QUERN_SITES_FILE: sites.file, QUERN_ALLOW_TARGETS: sites.allow });
  });
  after(async () => {
    await world.close();
    await sites.close();
  });

  test('a profile is a record with what it cost and where it was found', async () => {
    const { status, body, headers } = await world.call('/v1/codehost/user?login=ilse-miller');
    assert.equal(status, 200, JSON.stringify(body));
    const { request_id: id, fetched_at: at, user, ...rest } = body;
    assert.match(String(id), /^req_/);
    assert.match(String(at), /Z$/);
    assert.match(JSON.stringify(user), /"login":"ilse-miller","name":"Ilse Harrow","type":"User"/);
    assert.deepEqual(rest, {
      provider: 'codehost',
      source_url: `${sites.origins['codehost']?.['api']}/users/ilse-miller`,
      partial: false,
      usage: { credits: 15, base: 15, surcharge: 0, tier: 'http' },
    });
    assert.equal(headers.get('x-credits-used'), '15');
    assert.equal(headers.get('x-access-tier'), 'http');
  });

  test('a plan without site surfaces is refused before any work', async () => {
    const { key } = await world.makeKey('free');
    const { status, body } = await world.call('/v1/codehost/user?username=free-of-charge', undefined, key);
    assert.deepEqual([status, codeOf(body)], [402, 'plan_upgrade_required']);
    assert.ok(!sites.seen.some(({ line }) => line.includes('free-of-charge')));
  });

  for (const [query, status, code] of [
    ['username=nobody-here', 404, 'not_found'],
    ['', 400, 'invalid_request'],
    ['username=a&login=b', 400, 'invalid_request'],
    ['usrname=a', 400, 'invalid_request'],
    ['url=https://elsewhere.example/ilse-miller', 400, 'invalid_request'],
    ['username=not/a/login', 400, 'invalid_request'],
  ] as const)
    test(`${query || 'no parameter'} is ${status} ${code}`, async () => {
      const answer = await world.call(`/v1/codehost/user?${query}`);
      assert.deepEqual([answer.status, codeOf(answer.body)], [status, code]);
      assert.equal(answer.headers.get('x-credits-used'), '0');
    });

  test('an event is its record alone, as the interface closes it', async () => {
    const { status, body, headers } = await world.call('/v1/socialnet/event?id=700100200300400');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).toSorted(), ['event', 'provider', 'request_id']);
    assert.match(
      JSON.stringify(body['event']),
      /"name":"Open Mill Day".*"description":null,"stats":{"interested":null,"going":null}/,
    );
    assert.equal(headers.get('x-credits-used'), '15');
  });

  test('a post comes from the first of its sources that has it, with the comments under it', async () => {
    const { status, body } = await world.call('/v1/forum/post?id=t3_1mill0&comment_limit=5');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body['partial'], false);
    assert.match(JSON.stringify(body['comments']), /"id":"c0rye1".*"id":"c0rye3"/);
  });

  test('a product is found by its code in any spelling', async () => {
    const { status, body } = await world.call('/v1/shop-a/product?product_code=b0harrow01');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['product']), /"asin":"B0HARROW01".*"price":35.99,"currency":"USD"/);
  });

  for (const [path, status, code] of [
    ['socialnet/event', 400, 'invalid_request'],
    ['socialnet/event?url=https://elsewhere.example/events/700100200300400/', 400, 'invalid_request'],
    ['socialnet/event?id=700100200300499', 404, 'not_found'],
    ['socialnet/event?id=700100200300421', 429, 'target_rate_limited'],
    ['forum/post?id=1hidden', 404, 'not_found'],
    ['shop-a/product?asin=B0NOWHERE1', 404, 'not_found'],
    ['shop-a/product?asin=short', 400, 'invalid_request'],
  ] as const)
    test(`${path} is ${status} ${code}`, async () => {
      const answer = await world.call(`/v1/${path}`);
      assert.deepEqual([answer.status, codeOf(answer.body)], [status, code], JSON.stringify(answer.body));
      assert.equal(answer.headers.get('x-credits-used'), '0');
    });

  test('a site that limits its rate is 429 with the time to wait', async () => {
    const { status, body, headers } = await world.call('/v1/codehost/user?username=spent');
    assert.deepEqual([status, codeOf(body)], [429, 'target_rate_limited']);
    assert.equal(headers.get('retry-after'), '1800');
  });
});

function codeOf({ error }: Readonly<Record<string, unknown>>): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
}
