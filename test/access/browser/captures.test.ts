import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { watchCaptures } from '#access/browser/captures.ts';
import { DevTools } from '#access/browser/devtools.ts';
import { withTab } from '#access/browser/tab.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

test('a visit that ends while the body of an answer is read ends nothing else', async () => {
  const [to, from] = [new PassThrough(), new PassThrough()];
  const devtools = new DevTools(to, from);
  const say = (method: string, params: object): void =>
    void from.write(`${JSON.stringify({ method, params, sessionId: 's' })}\0`);
  const context = {
    browser: { devtools, version: 149, pid: 0, ended: Promise.resolve(), close: () => Promise.resolve() },
    contextId: 'c',
    targetId: 't',
    session: devtools.session('s'),
    proxy: { isMet: true },
    shown: { isFrozen: false },
    standing: new Map(),
    close: () => Promise.resolve(),
  };
  const leaving = new AbortController();
  const visit = withTab({ context, clock: SYSTEM_CLOCK, signal: leaving.signal }, async (tab) => {
    watchCaptures(tab, () => true);
    const asked = once(to, 'data');
    const response = { url: 'http://shop.test/api', status: 200, mimeType: 'application/json' };
    say('Network.responseReceived', { requestId: '1', type: 'Fetch', response });
    say('Network.loadingFinished', { requestId: '1' });
    assert.match(String(await asked), /Network\.getResponseBody/);
    leaving.abort(new Error('the caller is gone'));
    tab.signal.throwIfAborted();
  });
  await assert.rejects(visit, /the caller is gone/);
  // By then a rejection that nobody heard would have failed this test.
  await turn();
});
