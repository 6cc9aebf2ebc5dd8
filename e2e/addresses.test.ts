import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { buildInputChecker } from '#engine/call/validation.ts';
import { getOperation } from '#support/engine/queue.ts';
import { runHere } from '#support/command.ts';
import { at, textAt } from '#support/members.ts';
import { KEY } from '#support/quern.ts';
import { openWorld, type World } from '#support/world.ts';

const PAGE = '/articles/bridge-closed-on-sunday';

let world: World;
let host: string;
before(async () => {
  world = await openWorld();
  host = new URL(world.site).host;
});
after(async () => world.close());

suite('URLs without a scheme', { concurrency: 2 }, () => {
  test('fetch, crawl, map, explain, jobs and monitors add the same scheme', async () => {
    const fetched = await world.call('/v1/fetch', { url: host + PAGE });
    assert.equal(at(fetched.body, 'final_url'), world.site + PAGE);
    const crawled = await world.call('/v1/crawl', { urls: [host + PAGE], timeout_ms: 60_000 });
    assert.equal(at(crawled.body, 'pages.0.url'), world.site + PAGE);
    const mapped = await world.call('/v1/map', { url: host, max_urls: 3, max_depth: 1 });
    assert.match(textAt(mapped.body, 'urls.0.url'), /^http:/);
    const explained = await world.call('/v1/explain', { url: host + PAGE });
    assert.equal(at(explained.body, 'final_url'), world.site + PAGE);
    const submitted = await world.call('/v1/jobs', { kind: 'fetch', input: { url: host + PAGE } });
    assert.equal(submitted.status, 202, JSON.stringify(submitted.body));
    const monitor = await world.call('/v1/monitors', {
      url: 'mill.example/flour',
      extract: { title: 'string' },
      webhook: 'hooks.example/x',
    });
    assert.equal(at(monitor.body, 'url'), 'https://mill.example/flour');
    assert.equal(at(monitor.body, 'webhook.url'), 'https://hooks.example/x');
  });

  test('the command line adds the scheme of the page URL and of QUERN_URL', async () => {
    const settings = { QUERN_URL: new URL(world.service.origin).host, QUERN_API_KEY: KEY };
    const { code, out, err } = await runHere(world.folder, ['fetch', host + PAGE, '--json'], settings);
    assert.equal(code, 0, err);
    assert.equal(at(JSON.parse(out), 'final_url'), world.site + PAGE);
  });

  test('site endpoints and browser sessions accept them under each alias of the parameter', () => {
    for (const [id, raw] of [
      ['jobs-b.job', { url: 'www.indeed.com/viewjob?jk=1' }],
      ['jobs-b.job', { job_url: 'www.indeed.com/viewjob?jk=1' }],
      ['shop-a.product', { url: 'www.amazon.com/dp/B000000000' }],
      ['interact', { url: 'example.com', actions: [{ type: 'goto', url: 'example.com/b' }] }],
    ] as const) {
      assert.doesNotThrow(() => buildInputChecker(getOperation(id))(raw), id);
    }
    const checkProduct = buildInputChecker(getOperation('shop-a.product'));
    assert.throws(() => checkProduct({ url: 'no address' }), /must be a URL/);
  });
});
