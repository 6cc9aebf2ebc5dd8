import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserTier, createBrowserTier } from '#access/browser/tier.ts';
import { createPageSlots } from '#access/browser/page-slots.ts';
import { DEFAULT_RENDER_OPTIONS } from '#access/page.ts';
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { BROWSERS, browserTest, getPageText } from '../../support/rendered.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { captureFailure, guardWith } from '#testkit/visitor.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

/** Ways for a page to reach an address, with the placeholders `HOST` and `PORT`. */
const VECTORS = `<link rel="stylesheet" href="http://HOST:PORT/css"><link rel="preload" as="script" href="http://HOST:PORT/preload">
<link rel="prefetch" href="http://HOST:PORT/prefetch"><link rel="preconnect" href="http://HOST:PORT"><link rel="dns-prefetch" href="http://canary.test">
<link rel="manifest" href="http://HOST:PORT/manifest"><link rel="icon" href="http://HOST:PORT/icon"><link rel="modulepreload" href="http://HOST:PORT/module">
<style>@import url(http://HOST:PORT/import); @font-face { font-family: f; src: url(http://HOST:PORT/font) } body { font-family: f; background: url(http://HOST:PORT/background) }</style>
<img src="http://HOST:PORT/img"><img srcset="http://HOST:PORT/srcset 2x"><svg><image href="http://HOST:PORT/svg" /><use href="http://HOST:PORT/use#x" /></svg>
<iframe src="http://HOST:PORT/frame"></iframe><iframe srcdoc='<meta http-equiv="refresh" content="0;url=http://HOST:PORT/refresh">'></iframe>
<iframe src="/redirect?host=HOST"></iframe><img src="/redirect?host=HOST"><script src="/redirect?host=HOST"></script><iframe src="file:///etc/hostname" id="file"></iframe>
<link rel="prerender" href="http://HOST:PORT/prerender"><iframe srcdoc='<a id="save" href="http://HOST:PORT/download" download="sack">y</a><script>save.click()</script>'></iframe><img src="file:///etc/hostname"><object data="http://HOST:PORT/object"></object><embed src="http://HOST:PORT/embed">
<video src="http://HOST:PORT/video" autoplay></video><audio src="http://HOST:PORT/audio" autoplay></audio><form id="form" method="post" target="_blank" action="http://HOST:PORT/form"></form>
<a id="ping" href="#x" ping="http://HOST:PORT/ping">x</a><script src="http://HOST:PORT/script"></script>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://HOST:PORT/speculation"]}]}</script>
<script>
const at = 'http://HOST:PORT/';
const quiet = (work) => { try { Promise.resolve(work()).catch(() => 0); } catch {} };
quiet(() => fetch(at + 'fetch')); quiet(() => fetch(at + 'nocors', { mode: 'no-cors' })); quiet(() => fetch(at + 'alive', { keepalive: true, mode: 'no-cors' }));
quiet(() => { const one = new XMLHttpRequest(); one.open('GET', at + 'xhr'); one.send(); });
quiet(() => navigator.sendBeacon(at + 'beacon', 'x')); quiet(() => new EventSource(at + 'events')); quiet(() => new WebSocket('ws://HOST:PORT/ws'));
quiet(() => new Worker(URL.createObjectURL(new Blob(["importScripts('" + at + "worker')"])))); quiet(() => open(at + 'popup'));
quiet(() => form.submit()); quiet(() => ping.click()); quiet(() => new WebTransport('https://HOST:PORT/transport'));
quiet(() => new WebSocket('wss://HOST:PORT/wss')); quiet(() => new SharedWorker(at + 'shared'));
quiet(() => fetch('/redirect?host=HOST', { mode: 'no-cors' })); quiet(() => new EventSource('/redirect?host=HOST'));
quiet(() => navigator.serviceWorker.register(at + 'service')); quiet(() => fetch('file:///etc/hostname'));
quiet(async () => { await navigator.serviceWorker.register('/own-worker?host=HOST'); await navigator.serviceWorker.ready; worked.id = 'ready'; });
setTimeout(() => { worked.id = 'ready'; }, 2000);
quiet(async () => { for (const scheme of ['stun', 'turn']) { const peer = new RTCPeerConnection({ iceServers: [{ urls: scheme + ':HOST:UDP', username: 'a', credential: 'b' }] });
  peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer()); } });
</script><p id="worked">loaded`;

/** Runs in parallel with its page, and outlives it. */
const WORKER = `oninstall = (event) => event.waitUntil(Promise.allSettled(['http://HOST:PORT/service', '/redirect?host=HOST'].map((url) => fetch(url, { mode: 'no-cors' }))));`;

/** Requests its own site repeatedly, and shows the responses. */
const POLLING = `<p id="said"></p><script>(async () => {
  const said = [];
  while (said.filter((one) => one === 'refused').length < 3 && said.length < 40) {
    said.push(await fetch('/answer?' + said.length).then((one) => one.ok ? one.text() : 'refused', () => 'refused'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  said.push('over');
  document.querySelector('#said').textContent = said.join(' ');
  document.querySelector('#said').id = 'over';
})()</script>`;

/** A page that navigates by itself: by an element, by a header, or by a script. */
function answerLeading(path: string, response: ServerResponse): void {
  const asked = new URL(path, 'http://x').searchParams;
  const to = asked.get('to') ?? '';
  const leads: Readonly<Record<string, string>> = {
    meta: `<meta http-equiv="refresh" content="0; url=${to}">`,
    script: `<script>location.href = '${to}'</script>`,
    late: `<script>setTimeout(() => { location.href = '${to}'; }, 400)</script>`,
  };
  const how = asked.get('how') ?? '';
  const header = how === 'header' ? { refresh: `0; url=${to}` } : {};
  response.writeHead(200, { 'content-type': 'text/html', ...header }).end(`<p>The mill</p>${leads[how] ?? ''}`);
}

type Canary = Awaited<ReturnType<typeof openCanary>>;

/** Forbidden ports, and how often they were reached. */
async function openCanary(at: { readonly host?: string; readonly port?: number } = {}) {
  const hits: string[] = [];
  const site = await startHttpServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  }, at);
  const udp = createSocket('udp4', () => hits.push('udp'));
  udp.bind(0, '0.0.0.0');
  await once(udp, 'listening');
  return {
    port: site.port,
    udp: udp.address().port,
    hits: () => [...hits, ...Array.from({ length: site.connections() }, () => 'connection')],
    async close(): Promise<void> {
      udp.close();
      await site[Symbol.asyncDispose]();
    },
  };
}

let canary: Canary;
/** At another address, on the port of the site. */
let neighbour: Canary;
let site: Awaited<ReturnType<typeof startHttpServer>>;
let egress: Awaited<ReturnType<typeof startEgressProxy>>;
const tiers: BrowserTier[] = [];

/** How often a name was resolved. */
const turns = new Map<string, number>();

/** A name without a lifetime that leads to the site first, and to its neighbour after a few questions. */
async function resolveTurning(name: string) {
  if (!name.endsWith('turning.test')) throw new Error(`${name} does not exist`);
  const turn = (turns.get(name) ?? 0) + 1;
  turns.set(name, turn);
  return { addresses: [{ address: turn <= 4 ? '127.0.0.1' : '127.0.0.3', family: 4 as const }], ttlMs: 0 };
}

before(async () => {
  if (BROWSERS === null) return;
  canary = await openCanary();
  site = await startHttpServer((request, response) => {
    const host = new URL(request.url ?? '/', 'http://x').searchParams.get('host') ?? '127.0.0.1';
    if (request.url?.startsWith('/redirect'))
      return response.writeHead(302, { location: `http://${host}:${canary.port}/` }).end();
    if (request.url?.startsWith('/leads')) return answerLeading(request.url, response);
    if (request.url?.startsWith('/answer')) return response.end('answered');
    if (request.url?.startsWith('/polling'))
      return response.writeHead(200, { 'content-type': 'text/html' }).end(POLLING);
    const [body, type] = request.url?.startsWith('/own-worker') ? [WORKER, 'text/javascript'] : [VECTORS, 'text/html'];
    const filled = body
      .replaceAll('HOST', host)
      .replaceAll('PORT', `${canary.port}`)
      .replaceAll('UDP', `${canary.udp}`);
    return response.writeHead(200, { 'content-type': type }).end(filled);
  });
  neighbour = await openCanary({ host: '127.0.0.3', port: site.port });
  const { guard } = guardWith({ allow: `127.0.0.1:${site.port}`, resolve: resolveTurning });
  egress = await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock: SYSTEM_CLOCK });
  const places = createPageSlots({ places: 3, clock: SYSTEM_CLOCK });
  for (const kind of ['shell', 'full'] as const)
    tiers.push(
      createBrowserTier({
        kind,
        binary: BROWSERS[kind],
        egress: { url: egress.url, admit: async () => egress.issueCredentials(null) },
        slots: places,
        idleMs: 60_000,
        limits: DEFAULT_LIMITS,
        clock: SYSTEM_CLOCK,
        isRoot: process.getuid?.() === 0,
        warn: () => undefined,
      }),
    );
});
after(async () => {
  if (BROWSERS === null) return;
  for (const tier of tiers) await tier.close();
  await egress.close();
  await site[Symbol.asyncDispose]();
  await neighbour.close();
  await canary.close();
});

async function visit(tier: BrowserTier, url: string, waitForSelector: string | null = null) {
  const browser = { ...DEFAULT_RENDER_OPTIONS, waitForSelector };
  const request = { url: new URL(url, site.origin), headers: {}, cookies: [], browser };
  return (await tier.visit(request, AbortSignal.timeout(60_000))).page;
}

browserTest('no request of a page reaches a private address', async () => {
  for (const tier of tiers)
    for (const host of ['127.0.0.1', 'localhost']) {
      assert.match(getPageText(await visit(tier, `/page?host=${host}`, '#ready')), /loaded/);
    }
  await delay(500);
  assert.deepEqual(canary.hits(), []);
});

browserTest('a page that leads to a forbidden target is unreachable, not a block by the target', async () => {
  for (const tier of tiers)
    for (const how of ['meta', 'header', 'script', 'late'])
      for (const to of ['http://10.0.0.7/', 'https://10.0.0.7/', 'http://missing.test/', 'https://missing.test/']) {
        const error = await captureFailure(async () => visit(tier, `/leads?how=${how}&to=${to}`));
        assert.equal(error.code, 'target_unreachable', `${how} ${to}`);
        assert.ok(error.message.includes(new URL(to).host), error.message);
      }
});

browserTest('a page is cut off if its name resolves to a forbidden address while it polls', async () => {
  for (const [at, tier] of tiers.entries()) {
    const page = await visit(tier, `http://${at}.turning.test:${site.port}/polling`, '#over');
    assert.match(getPageText(page), /<p id="over">(answered )+(refused ){3}over/);
  }
  assert.deepEqual(neighbour.hits(), []);
});

browserTest(
  'redirects to private addresses, closed ports and missing names are all only reported as unreachable',
  async () => {
    for (const tier of tiers)
      for (const [url, expected] of [
        ['/redirect?host=127.0.0.1', /does not connect to 127\.0\.0\.1:\d+/],
        ['/redirect?host=169.254.169.254', /does not connect to 169\.254\.169\.254:\d+/],
        ['http://127.0.0.1:1/', /^the target could not be reached/],
        ['http://missing.test/', /the name missing\.test was not found, or has no public address$/],
        ['https://missing.test/', /the name missing\.test was not found, or has no public address$/],
      ] as const) {
        const error = await captureFailure(async () => visit(tier, url));
        assert.equal(error.code, 'target_unreachable', url);
        assert.match(error.message, expected);
      }
    assert.deepEqual(canary.hits(), []);
  },
);
