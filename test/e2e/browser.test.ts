import assert from 'node:assert/strict';
import { at, listAt, textAt } from '../support/members.ts';
import { openHttpProxy } from '../support/proxies.ts';
import { serveQuern } from '../support/quern.ts';
import { BROWSERS, browserTest } from '../support/rendered.ts';
import { openSite } from '../support/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

const SHELL = `<!doctype html><title>Mill</title><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>
  <script>fetch('/grain').then((one) => one.text()).then((text) => { root.innerHTML = '<h1>Grain</h1><p>' + text; })</script>`;
const GRAIN = 'Rye and wheat, ground between two stones. '.repeat(10);

/** A page that only its script fills, for every visitor or for those from one address. */
async function openMill(only?: string) {
  const asked: string[] = [];
  const site = await openSite((request, response) => {
    if (only !== undefined && request.socket.remoteAddress !== only) return response.writeHead(403).end('no');
    asked.push(request.url ?? '');
    const isGrain = request.url === '/grain';
    return response
      .writeHead(200, { 'content-type': isGrain ? 'text/plain' : 'text/html' })
      .end(isGrain ? GRAIN : SHELL);
  });
  return Object.assign(site, { asked });
}

browserTest('a fetch of a page that needs JavaScript is served by tier browser, and pays no surcharge', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openMill();
    await using service = await serveQuern(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      QUERN_CHROMIUM: BROWSERS?.shell.path ?? '',
    });
    const { body: known } = await service.call('/v1/capabilities');
    assert.deepEqual(at(known, 'tiers.browser'), { available: true });
    const { status, body } = await service.call('/v1/fetch', { url: site.origin, timeout_ms: 30_000 });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(textAt(body, 'markdown'), /Rye and wheat/);
    assert.deepEqual(at(body, 'usage'), { credits: 2, base: 2, surcharge: 0, tier: 'browser' });
    assert.deepEqual(site.asked, ['/', '/grain']);
  });
});

browserTest('a stealth fetch comes through a browser behind a residential proxy', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openMill('127.0.0.2');
    await using proxy = await openHttpProxy({ auth: 'rye:canary-millstone' });
    await using service = await serveQuern(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      QUERN_CHROMIUM: BROWSERS?.full.path ?? '',
      QUERN_PROXIES_RESIDENTIAL: proxy.url,
    });
    const { status, body } = await service.call('/v1/fetch', {
      url: site.origin,
      proxy: 'stealth',
      timeout_ms: 30_000,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(textAt(body, 'markdown'), /Rye and wheat/);
    assert.deepEqual(at(body, 'usage'), { credits: 67, base: 2, surcharge: 65, tier: 'proxy_browser' });
    assert.deepEqual(
      listAt(body, 'attempts').map((attempt) => [at(attempt, 'tier'), at(attempt, 'outcome')]),
      [['proxy_browser', 'ok']],
    );
    assert.doesNotMatch(`${service.out()}${service.err()}`, /canary/);
  });
});
