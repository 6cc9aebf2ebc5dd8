import assert from 'node:assert/strict';
import { after, before, suite } from 'node:test';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import type { EscalationOptions } from '#access/tiers/ladder.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { createUpstreams } from '#access/proxy/proxy-pool.ts';
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import { openBrowserAccess } from '#compose/browsers.ts';
import { openTiers } from '#compose/tiers.ts';
import { startSite } from '#demo/site.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { climbTo as climbWith, JOURNEYS } from '../../support/lab.ts';
import { openHttpProxy, openSocksProxy } from '../../support/proxies.ts';
import { BROWSERS, browserTest } from '../../support/rendered.ts';
import { guardWith } from '#testkit/visitor.ts';

/** The ladder as the service builds it, with the browsers of this machine and two proxies whose exit the lab trusts. */
async function openLadder() {
  await using closing = new AsyncDisposableStack();
  const site = closing.adopt(await startSite({ port: 0 }), async (one) => one.close());
  const datacenter = closing.use(await openSocksProxy());
  const residential = closing.use(await openHttpProxy({ auth: 'rye-us:canary rye-de:canary' }));
  const { config } = loadConfig(
    {
      QUERN_PROXIES_DATACENTER: datacenter.url,
      QUERN_PROXIES_RESIDENTIAL: residential.url.replace('rye-us', 'rye-{country=us}'),
    },
    null,
  );
  const { guard } = guardWith({ allow: new URL(site.origin).host });
  const clock = SYSTEM_CLOCK;
  const upstreams = createUpstreams(config, { clock, random: Math.random, isOpened: guard.isAllowed });
  const egress = closing.adopt(
    await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock: SYSTEM_CLOCK }),
    async (one) => one.close(),
  );
  const browsing = openBrowserAccess({
    config,
    find: () => BROWSERS,
    guard,
    upstreams,
    clock,
    warn: () => undefined,
    egress,
  });
  closing.defer(browsing.close);
  const tiers = closing.adopt(
    openTiers({
      guard,
      profile: DESKTOP_PROFILE,
      upstreams,
      browsing,
      clock: SYSTEM_CLOCK,
      userAgent: null,
      impersonation: null,
    }),
    async (one) => one.close(),
  );
  return { origin: site.origin, tierVisits: tiers.tierVisits(), residential, closing: closing.move() };
}

let ladder: Awaited<ReturnType<typeof openLadder>> | null = null;
before(async () => {
  if (BROWSERS !== null) ladder = await openLadder();
});
after(async () => ladder?.closing.disposeAsync());

async function climbTo(path: string, options: Partial<EscalationOptions> = {}) {
  if (ladder === null) throw new Error('there is no ladder');
  return climbWith(new URL(path, ladder.origin), { tierVisits: ladder.tierVisits, ...options });
}

/** Each of the two browsers waits for a captcha that nobody solves as long as for a challenge. */
const WAITED_FOR: ReadonlySet<string> = new Set(['/blocked/503', '/lab/captcha']);

suite('the lab with real browsers and proxies', { concurrency: 3 }, () => {
  for (const { path, end, walk, warnings = [] } of JOURNEYS.filter((one) => !WAITED_FOR.has(one.path))) {
    browserTest(`${path} ends at ${end}`, async () => {
      const journey = await climbTo(path);
      assert.deepEqual([journey.end, journey.walk, journey.warnings], [end, walk, warnings]);
    });
  }

  browserTest('a country that only residential proxies serve is requested through them', async () => {
    if (ladder === null) return;
    const request = { url: new URL('/lab/address', ladder.origin), headers: {}, cookies: [], country: 'de' };
    const journey = await climbTo('/lab/address', { tiers: ['proxy', 'proxy_browser'], request });
    assert.deepEqual([journey.end, journey.walk], ['proxy_browser', ['proxy_browser ok']]);
    assert.ok(ladder.residential.asked.some(({ by }) => by === 'rye-de:canary'));
  });

  browserTest('cookies earned by the browser are sent by HTTP visits of the same tenant and profile', async () => {
    const hosts = createHostMemory({ clock: SYSTEM_CLOCK });
    const mine = { memory: hosts.of('mine', 'proxy_browser') };
    const walks: (readonly string[])[] = [];
    for (const memory of [mine, mine, { memory: hosts.of('yours', 'proxy_browser') }]) {
      walks.push((await climbTo('/lab/challenge/named', { ...memory, tiers: ['http', 'browser'] })).walk);
    }
    assert.deepEqual(walks, [['http challenge', 'browser ok'], ['http ok'], ['http challenge', 'browser ok']]);
  });

  browserTest('a captcha remains a challenge after its time is up', async () => {
    const journey = await climbTo('/lab/captcha', { tiers: ['http', 'browser'] });
    assert.deepEqual([journey.end, journey.walk], ['target_blocked', ['http challenge', 'browser challenge']]);
  });

  browserTest('each tier that gets in reads the story', async () => {
    for (const path of ['/lab/address', '/lab/vendor', '/lab/challenge/plain', '/lab/shell', '/lab/shell/address']) {
      assert.match((await climbTo(path)).text, /forty sacks of rye/, path);
    }
  });

  browserTest('a page that only resembles a block is not a block in a browser either', async () => {
    for (const { path } of JOURNEYS.filter((one) => one.path.startsWith('/lab/look-alike/'))) {
      const { end, walk } = await climbTo(path, { tiers: ['browser'] });
      const outcome = path.endsWith('/maintenance') ? 'http_error' : 'ok';
      assert.deepEqual([end, walk[0]], ['browser', `browser ${outcome}`], path);
    }
  });

  browserTest('each tier with enough time waits for a first byte that never arrives', async () => {
    const journey = await climbTo('/lab/never', { timeoutMs: 7_000, tiers: ['http', 'browser'] });
    assert.deepEqual([journey.end, journey.walk], ['timeout', ['http timeout', 'browser timeout']]);
  });
});
