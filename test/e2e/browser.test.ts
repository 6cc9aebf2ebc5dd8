import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveQuern } from '../support/quern.ts';
import { BROWSERS, browserTest } from '../support/rendered.ts';
import { openSite } from '../support/servers.ts';

const SHELL = `<!doctype html><title>Mill</title><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>
  <script>fetch('/grain').then((one) => one.text()).then((text) => { root.innerHTML = '<h1>Grain</h1><p>' + text; })</script>`;

browserTest('a fetch of a page that needs JavaScript is served by tier browser, and pays no surcharge', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  const asked: string[] = [];
  await using site = await openSite((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', request.url === '/grain' ? 'text/plain' : 'text/html');
    response.end(request.url === '/grain' ? 'Rye and wheat, ground between two stones. '.repeat(10) : SHELL);
  });
  const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`, QUERN_CHROMIUM: BROWSERS?.shell.path ?? '' };
  const service = await serveQuern(folder, settings);
  try {
    const { status, body } = await service.call('/v1/fetch', { url: site.origin, timeout_ms: 30_000 });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(String(body['markdown']), /Rye and wheat/);
    assert.match(JSON.stringify(body['usage']), /"tier":"browser"/);
    assert.deepEqual(asked, ['/', '/grain']);
  } finally {
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
});
