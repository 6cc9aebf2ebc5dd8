import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { z } from 'zod';
import { computeClip } from '#access/browser/artifacts.ts';
import type { BrowserKind } from '#access/browser/binaries.ts';
import type { Device, ScreenshotOptions } from '#access/page.ts';
import { MAX_CHALLENGE_MS } from '#access/browser/visit.ts';
import { BROWSERS, browserTest, openRendered, type Pages, getPageText } from '../../support/rendered.ts';

const TELLS = `<p id="said"></p><script>(async () => {
  const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.userAgent)'])));
  const workerAgent = await new Promise((resolve) => { worker.onmessage = (one) => resolve(one.data); });
  let traced = false;
  const trap = new Error();
  Object.defineProperty(trap, 'stack', { get() { traced = true; return ''; } });
  console.debug(trap);
  said.textContent = JSON.stringify({
    webdriver: navigator.webdriver !== false,
    agent: /Headless/.test(navigator.userAgent + workerAgent),
    hints: /Headless/.test(JSON.stringify(navigator.userAgentData?.brands ?? [])),
    language: navigator.languages.join() === '',
    console: traced,
    screen: screen.width < innerWidth || screen.width === 800,
    frame: outerHeight <= innerHeight || outerWidth === 0,
    focus: !document.hasFocus(),
    hover: !matchMedia('(hover: hover) and (pointer: fine)').matches,
    chrome: typeof window.chrome !== 'object',
    plugins: navigator.plugins.length === 0,
    permissions: Notification.permission === 'denied' && (await navigator.permissions.query({ name: 'notifications' })).state === 'prompt',
    rtt: navigator.connection?.rtt === 0,
  });
})()</script>`;

const PAGES: Pages = {
  '/tells': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(TELLS),
  '/mill': '<h1 style="background: red">Mill</h1>',
  '/huge': '<div style="height: 10000000px; background: linear-gradient(red, blue)">tall</div>',
  '/stands': (_, response) =>
    response
      .writeHead(403, { 'cf-mitigated': 'challenge', 'content-type': 'text/html' })
      .end('<title>Just a moment...</title><p>One moment, please wait</p><script>1</script>'),
  '/guarded': (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.headers.cookie?.includes('passed=1')) return response.end('<p>The mill behind the gate</p>');
    response.writeHead(403, { 'cf-mitigated': 'challenge' });
    return response.end(`<title>Just a moment...</title><p>Checking</p>
      <script>setTimeout(() => { document.cookie = 'passed=1'; location.reload(); }, 1500)</script>`);
  },
};

const tiers = new Map<BrowserKind, Awaited<ReturnType<typeof openRendered>>>();
before(async () => {
  if (BROWSERS === null) return;
  for (const kind of ['shell', 'full'] as const) tiers.set(kind, await openRendered(PAGES, { kind }));
});
after(async () => {
  for (const tier of tiers.values()) await tier.close();
});

function buildTier(kind: BrowserKind) {
  const tier = tiers.get(kind);
  if (tier === undefined) throw new Error('no tier');
  return tier;
}

async function listDifferences(kind: BrowserKind): Promise<readonly string[]> {
  const html = await buildTier(kind).html('/tells', { waitForSelector: '#said:not(:empty)' });
  const said = /<p id="said">(\{.*?\})<\/p>/.exec(html)?.[1] ?? '';
  const tells = z.record(z.string(), z.boolean()).parse(JSON.parse(said));
  return Object.keys(tells).filter((name) => tells[name]);
}

/** Whether the machine has an installed browser for this. */
function has(kind: BrowserKind): boolean {
  return BROWSERS?.[kind].kind === kind;
}

browserTest('the full browser shows no sign of automation', async () => {
  if (has('full')) assert.deepEqual(await listDifferences('full'), []);
});

browserTest('the light browser shows only the signs of automation that cannot be hidden', async () => {
  if (has('shell'))
    assert.deepEqual(await listDifferences('shell'), ['frame', 'chrome', 'plugins', 'permissions', 'rtt']);
});

browserTest('the full browser waits until a challenge is passed', async () => {
  const page = await buildTier('full').visit('/guarded');
  assert.equal(page.status, 200);
  assert.match(getPageText(page), /The mill behind the gate/);
});

browserTest('an unsolved challenge is reported before the timeout, with any options', async () => {
  for (const wishes of [{}, { waitForSelector: '#mill' }]) {
    // Code that ignores the remaining time waits longer than the visit allows.
    const ending = AbortSignal.timeout(MAX_CHALLENGE_MS);
    const began = performance.now();
    const leftMs = (): number => 3_000 - (performance.now() - began);
    const page = await buildTier('full').visit('/stands', { ...wishes, leftMs }, ending);
    assert.deepEqual([page.status, page.headers['cf-mitigated']], [403, 'challenge']);
  }
  assert.equal((await buildTier('shell').visit('/stands', { waitForSelector: '#mill' })).status, 403);
});

const BEGINNINGS = { png: '89504e47', jpeg: 'ffd8ff', webp: '52494646' } as const;

browserTest('a screenshot has the requested format, and its size is reported for each format', async () => {
  for (const kind of ['shell', 'full'] as const) {
    const sizes: unknown[] = [];
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const page = await buildTier(kind).visit('/mill', { screenshot: { fullPage: false, format } });
      const [shot] = page.artifacts ?? [];
      assert.equal(shot?.contentType, `image/${format}`);
      assert.ok(
        Buffer.from(shot?.bytes ?? [])
          .toString('hex')
          .startsWith(BEGINNINGS[format]),
      );
      assert.deepEqual(page.warnings, []);
      if (format === 'png') sizes.push(readPngSize(shot?.bytes));
      sizes.push(shot?.size);
    }
    for (const size of sizes) assert.deepEqual(size, sizes[0]);
  }
});

browserTest('a screenshot has the requested viewport or clip, and a lower quality has fewer bytes', async () => {
  const viewport = { width: 800, height: 500 };
  assert.deepEqual((await shoot({ viewport })).size, viewport);
  assert.deepEqual((await shoot({ viewport }, 'mobile')).size, { width: 1600, height: 1000 });
  assert.equal((await shoot({ viewport, fullPage: true })).size?.width, 800);
  const clip = { x: 10, y: 20, width: 300, height: 120 };
  assert.deepEqual((await shoot({ clip }, 'mobile')).size, { width: 300, height: 120 });
  assert.ok((await shoot({ quality: 5 })).bytes < (await shoot({ quality: 95 })).bytes);
});

browserTest('a screenshot shows the first visible element of a selector, or reports that there is none', async () => {
  const whole = await shoot({ format: 'png', fullPage: true });
  const one = await shoot({ format: 'png', selector: 'title, h1' });
  assert.ok(one.size && whole.size && one.size.height < whole.size.height, JSON.stringify([one, whole]));
  assert.deepEqual(one.warnings, []);
  const none = await shoot({ selector: '#nothing' });
  assert.deepEqual(
    [none.size, none.warnings],
    [undefined, [{ code: 'left_out', message: 'screenshot.selector: no visible element matches #nothing' }]],
  );
});

async function shoot(options: Partial<ScreenshotOptions>, device: Device = 'desktop') {
  const screenshot: ScreenshotOptions = { fullPage: false, format: 'jpeg', ...options };
  const { artifacts = [], warnings } = await buildTier('full').visit('/mill', { screenshot, device });
  const [shot] = artifacts;
  return { size: shot?.size, bytes: shot?.bytes.length ?? 0, warnings };
}

function readPngSize(bytes: Uint8Array = new Uint8Array(24)) {
  const png = Buffer.from(bytes);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

browserTest('the screenshot of an endless page is truncated, and reports it', async () => {
  const page = await buildTier('full').visit('/huge', { screenshot: { fullPage: true, format: 'png' } });
  const png = Buffer.from(page.artifacts?.[0]?.bytes ?? []);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  assert.ok(height <= 16_384 && width * height <= 20_000_000, `${width} × ${height}`);
  assert.deepEqual(
    page.warnings.map(({ code }) => code),
    ['truncated'],
  );
});

browserTest('a clip stays within its maximum side and area', async () => {
  assert.deepEqual(computeClip({ width: 1000, height: 1e7 }, 16_384), { width: 1000, height: 16_384, isCut: true });
  assert.deepEqual(computeClip({ width: 4000, height: 1e7 }, 16_384), { width: 4000, height: 5000, isCut: true });
  assert.deepEqual(computeClip({ width: 800, height: 600.5 }, 16_384), { width: 800, height: 601, isCut: false });
});

browserTest('a PDF of a page is a valid PDF', async () => {
  for (const kind of ['shell', 'full'] as const) {
    const page = await buildTier(kind).visit('/mill', { pdf: true });
    const [pdf] = page.artifacts ?? [];
    assert.equal(pdf?.contentType, 'application/pdf');
    assert.equal(Buffer.from(pdf?.bytes ?? []).toString('latin1', 0, 5), '%PDF-');
  }
});

browserTest('no request that the full browser makes by itself gets through', async () => {
  const strangers = buildTier('full')
    .asked()
    .filter((line) => !line.includes('127.0.0.1'));
  assert.deepEqual(strangers, []);
});
