import assert from 'node:assert/strict';
import { z } from 'zod';
import { launchBrowser } from '#access/browser/launch.ts';
import { runWithTab } from '#access/browser/tab.ts';
import { createBrowserContext } from '#access/browser/context.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { BROWSERS, browserTest } from '../../support/rendered.ts';

const PATIENCE_MS = 60_000;
const VISITS = 4;

browserTest('each document of a context has one isolated world, regardless of earlier requests', async () => {
  assert.ok(BROWSERS !== null);
  const browser = await launchBrowser({
    kind: 'shell',
    niceness: 0,
    binary: BROWSERS.shell,
    proxyUrl: 'http://127.0.0.1:1',
    clock: SYSTEM_CLOCK,
    isRoot: process.getuid?.() === 0,
    warn: () => undefined,
  });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const context = await createBrowserContext(browser, {
      signal,
      clock: SYSTEM_CLOCK,
      onStuck: () => assert.fail('the context is stuck'),
    });
    for (let visit = 0; visit < VISITS; visit += 1) {
      await runWithTab({ context, clock: SYSTEM_CLOCK, signal }, async (tab) => {
        await tab.send('Page.navigate', { url: 'about:blank' });
        assert.equal(await tab.evaluate('6 * 7', z.number()), 42);
      });
    }
    let worlds = 0;
    context.session.listen(({ method }) => {
      if (method === 'Runtime.executionContextCreated') worlds += 1;
    });
    await context.session.send('Runtime.enable', {}, signal);
    assert.equal(worlds, 2);
    await context.close();
  } finally {
    await browser.close();
  }
});
