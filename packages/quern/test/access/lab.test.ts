import assert from 'node:assert/strict';
import { request as ask } from 'node:http';
import { after, before, test } from 'node:test';
import { buildFailure } from '#access/failure.ts';
import { createHttp } from '#access/http/http.ts';
import { classifyVisits } from '#access/classify/classifier.ts';
import type { EscalationOptions, TierVisits } from '#access/tiers/ladder.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import type { Page, PageRequest } from '#access/page.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { addBrowserRendering } from '#access/tiers/rendering.ts';
import { startSite, type DemoSite } from '#demo/site.ts';
import { climbTo as climbWith, JOURNEYS } from '../support/lab.ts';
import { guardWith } from '#testkit/visitor.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

let site: DemoSite;
let direct: ReturnType<typeof createHttp>;
before(async () => {
  site = await startSite({ port: 0 });
  const { guard } = guardWith({ allow: new URL(site.origin).host });
  direct = createHttp({
    guard,
    limits: DEFAULT_LIMITS,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
});
after(async () => {
  await direct.close();
  await site.close();
});

type From = { readonly address: string; readonly cookie: string };

/** One exchange over a socket of the given address, as a proxy there makes it. */
async function exchangeFrom({ url }: PageRequest, { address, cookie }: From, signal: AbortSignal): Promise<Page> {
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const headers = { host: url.host, ...(cookie === '' ? {} : { cookie }) };
  ask(url, { localAddress: address, headers, agent: false, signal }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => {
      const body = new Uint8Array(Buffer.concat(parts));
      const received: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers)) received[name] = String(value);
      const contentType = received['content-type'] ?? '';
      const status = response.statusCode ?? 0;
      resolve({ url: url.href, status, headers: received, contentType, body, wireBytes: body.length, warnings: [] });
    });
  })
    .on('error', (error) => reject(buildFailure('timeout', 'the target did not answer in time', { cause: error })))
    .end();
  return promise;
}

/** A fake browser for the lab: it passes script challenges, and fills app shells. */
function rendersFrom(address: string) {
  return async (request: PageRequest, signal: AbortSignal): Promise<Page> => {
    const first = await exchangeFrom(request, { address, cookie: '' }, signal);
    const source = Buffer.from(first.body).toString();
    if (source.includes('location.reload()')) return exchangeFrom(request, { address, cookie: 'lab_pass=rye' }, signal);
    if (!source.includes('/lab/shell.js')) return first;
    const data = await exchangeFrom(
      { ...request, url: new URL('/lab/shell.json', request.url) },
      { address, cookie: '' },
      signal,
    );
    const filled = source.replace('<div id="root">', `<div id="root"><p>${Buffer.from(data.body).toString()}</p>`);
    return { ...first, body: new Uint8Array(Buffer.from(filled)) };
  };
}

/** The tiers for the lab; it trusts the exit at 127.0.0.2. */
function openTiers(): TierVisits {
  return {
    http: direct.tier,
    browser: classifyVisits(rendersFrom('127.0.0.1'), { rendered: true }),
    proxy: addBrowserRendering(
      classifyVisits(async (request, signal) => exchangeFrom(request, { address: '127.0.0.2', cookie: '' }, signal), {
        rendered: false,
      }),
      classifyVisits(rendersFrom('127.0.0.2'), { rendered: true }),
    ),
    proxy_browser: classifyVisits(rendersFrom('127.0.0.2'), { rendered: true }),
  };
}

async function climbTo(path: string, options: Partial<EscalationOptions> = {}) {
  return climbWith(new URL(path, site.origin), { tierVisits: openTiers(), ...options });
}

for (const { path, end, walk, warnings = [] } of JOURNEYS) {
  test(`${path} ends at ${end}`, async () => {
    const journey = await climbTo(path);
    assert.deepEqual([journey.end, journey.walk, journey.warnings], [end, walk, warnings]);
  });
}

test('each visit that gets in reads the story', async () => {
  for (const path of ['/lab/address', '/lab/vendor', '/lab/challenge', '/lab/shell', '/lab/shell/address']) {
    assert.match((await climbTo(path)).text, /forty sacks of rye/, path);
  }
});

test('a slow first byte escalates to the next tier if time remains, and is a timeout otherwise', async () => {
  const late = await climbTo('/lab/never', { timeoutMs: 3_000, tiers: ['http', 'browser'] });
  assert.deepEqual([late.end, late.walk], ['timeout', ['http timeout']]);
  const served = await climbTo('/slow?ms=700', { timeoutMs: 15_000, tiers: ['http'] });
  assert.deepEqual([served.end, served.walk], ['http', ['http ok']]);
});

test('the last tier waits for the first byte until the visit ends, and others up to their limit', async () => {
  const { guard } = guardWith({ allow: new URL(site.origin).host });
  const http = createHttp({
    guard,
    limits: { ...DEFAULT_LIMITS, firstByteMs: 150 },
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const tierVisits = { ...openTiers(), http: http.tier };
  const alone = await climbTo('/slow?ms=700', { tierVisits, tiers: ['http'] });
  assert.deepEqual([alone.end, alone.walk], ['http', ['http ok']]);
  const followed = await climbTo('/slow?ms=700', { tierVisits, tiers: ['http', 'browser'] });
  assert.deepEqual([followed.end, followed.walk], ['browser', ['http timeout', 'browser ok']]);
  await http.close();
});

test('with HTTP only, each page that needs a stronger tier ends with its own outcome', async () => {
  const tierVisits: TierVisits = { http: direct.tier };
  for (const [path, end, warnings] of [
    ['/lab/address', 'target_blocked', []],
    ['/lab/challenge', 'target_blocked', []],
    ['/lab/shell', 'http', ['thin_content', 'tier_unavailable']],
  ] as const) {
    const journey = await climbTo(path, { tierVisits });
    assert.deepEqual([journey.end, journey.warnings], [end, warnings], path);
  }
});
