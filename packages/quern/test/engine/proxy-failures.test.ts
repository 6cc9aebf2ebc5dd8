import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { Visit } from '#access/page.ts';
import { createHttp } from '#access/http/http.ts';
import { PROXY_LIMITS } from '#access/limits.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { createProxyTier } from '#access/tiers/proxy-tier.ts';
import { createProxyPool } from '#access/proxy/proxy-pool.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { parseProxies } from '#kernel/proxy-urls.ts';
import { openHttpProxy, openSilence } from '../support/proxies.ts';
import { startTcpServer } from '#testkit/servers.ts';
import { guardWith } from '#testkit/visitor.ts';
import { isBlocked, withGate } from './gate.ts';

/** The tier `proxy` with one proxy, as in the service but with shorter timeouts. */
function openTier(url: string) {
  const { guard } = guardWith({
    allow: 'mill.example',
    resolveAllowed: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 60_000 }),
  });
  const http = createHttp({
    guard,
    limits: { ...PROXY_LIMITS, connectMs: 300 },
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const templates = parseProxies(url);
  if (typeof templates === 'string') throw new Error(templates);
  const clock = SYSTEM_CLOCK;
  const pool = createProxyPool({
    templates,
    setting: 'QUERN_PROXIES_DATACENTER',
    clock,
    random: () => 0,
    isOpened: guard.isAllowed,
  });
  return { visit: createProxyTier(http, pool), close: http.close };
}

test('a proxy that refuses, hangs, closes or returns 407 gives the same free error, without proxy details', async () => {
  await using locked = await openHttpProxy({ auth: 'rye:millstone' });
  await using forbidding = await openHttpProxy({ instead: (client) => void client.end('HTTP/1.1 403 No\r\n\r\n') });
  await using silent = await openSilence();
  await using closing = await startTcpServer(createServer((socket) => void socket.destroy()));
  const cases = [
    ['http://127.0.0.1:1', 'proxy_unreachable'],
    [locked.url.replace('millstone', 'grindstone'), 'proxy_auth'],
    [forbidding.url, 'proxy_refused'],
    [`http://127.0.0.1:${silent.port}`, 'proxy_timeout'],
    [`http://127.0.0.1:${closing.port}`, 'proxy_closed'],
  ] as const;
  for (const [url, reason] of cases) {
    const tier = openTier(url);
    const proxy: Visit = async (...asked) => (await tier.visit(...asked)).page;
    await withGate({ tierVisits: { http: isBlocked, proxy } }, async ({ fetch, spent }) => {
      const { code, error } = await fetch({ proxy: 'auto' });
      assert.deepEqual([code, error?.message], ['backend_unavailable', 'the proxy did not connect'], reason);
      assert.equal(error?.cause instanceof Error ? error.cause.message : '', reason);
      assert.deepEqual(await spent(), [0, 0]);
    });
    await tier.close();
  }
});
