import assert from 'node:assert/strict';
import { createBrowsers } from '#access/browser/tier.ts';
import { DEFAULT_RENDER_OPTIONS, type PageRequest } from '#access/page.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { openForwardProxy } from '../../support/forward-proxy.ts';
import { BROWSERS, FOOTER, browserTest, getPageText } from '../../support/rendered.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

/** A site that blocks the light browser by its languages, and the requests by browser. */
async function openPicky() {
  const visits: string[] = [];
  const site = await startHttpServer((request, response) => {
    const isLight = !request.headers['accept-language']?.includes('q=');
    if (request.url !== '/favicon.ico') visits.push(`${request.url} ${isLight ? 'light' : 'full'}`);
    const isRefused = request.url === '/closed' || (request.url === '/picky' && isLight);
    response.writeHead(isRefused ? 403 : 200, { 'content-type': 'text/html' });
    response.end(isRefused ? '<p>no</p>' : `<p>the mill</p><script>1</script>${FOOTER}`);
  });
  return { origin: site.origin, visits, close: async () => site[Symbol.asyncDispose]() };
}

browserTest('the light browser loads pages, and the full one is used after a block or for screenshots', async () => {
  if (BROWSERS === null) return;
  const site = await openPicky();
  const proxy = await openForwardProxy();
  const browsers = createBrowsers({
    binaries: BROWSERS,
    cores: 2,
    egress: proxy.egress,
    idleMs: 60_000,
    limits: DEFAULT_LIMITS,
    clock: SYSTEM_CLOCK,
    isRoot: process.getuid?.() === 0,
    warn: () => undefined,
  });
  const visit = async (path: string, more: Partial<PageRequest> = {}) => {
    const request = { url: new URL(path, site.origin), headers: {}, cookies: [], ...more };
    return (await browsers.visit(request, AbortSignal.timeout(60_000))).page;
  };
  try {
    assert.match(getPageText(await visit('/open')), /the mill/);
    assert.equal(browsers.pids().length, 1);
    assert.match(getPageText(await visit('/picky')), /the mill/);
    assert.equal((await visit('/closed')).status, 403);
    await visit('/known', { previousOutcome: 'blocked' });
    const page = await visit('/seen', {
      browser: { ...DEFAULT_RENDER_OPTIONS, screenshot: { fullPage: false, format: 'png' } },
    });
    assert.equal(page.artifacts?.length, 1);
    assert.deepEqual(site.visits, [
      '/open light',
      '/picky light',
      '/picky full',
      '/closed light',
      '/closed full',
      '/known full',
      '/seen full',
    ]);
  } finally {
    await browsers.close();
    await proxy[Symbol.asyncDispose]();
    await site.close();
  }
});
