/** Renders pages with the `browser` tier of the service, including guard and egress proxy. */
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import { createUpstreams } from '#access/proxy/proxy-pool.ts';
import { findConfiguredBrowsers, openBrowserAccess } from '#compose/browsers.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { createGuardFor } from '../guard.ts';
import { RenderOrder, renderAll } from './render-all.ts';

/** More than the number of page slots, so that all slots are always busy. */
const CONCURRENCY = 8;
const PAGE_TIMEOUT_MS = 60_000;

const { addresses, hosts, binary, form } = RenderOrder.parse(JSON.parse(process.argv[2] ?? ''));
const clock = SYSTEM_CLOCK;
const { config } = loadConfig({ QUERN_CHROMIUM: binary }, null);
const guard = createGuardFor(hosts);
const upstreams = createUpstreams(config, { clock, random: Math.random, isOpened: guard.isAllowed });
const egress = await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock: SYSTEM_CLOCK });
const browsing = openBrowserAccess({
  config,
  find: () => findConfiguredBrowsers(config),
  guard,
  upstreams,
  clock,
  warn: (line) => void process.stderr.write(`${line}\n`),
  egress,
});
const visits = browsing.visits();
if (visits === null) throw new Error(`${binary} is no browser`);
const { direct } = visits;

async function render(url: string): Promise<string> {
  const request = {
    url: guard.parseTarget(url),
    headers: {},
    cookies: [],
    ...(form === 'job' ? { job: 'bench' } : {}),
  };
  return Buffer.from((await direct(request, AbortSignal.timeout(PAGE_TIMEOUT_MS))).page.body).toString();
}

await renderAll({ addresses, atOnce: CONCURRENCY, render });
await browsing.close();
await egress.close();
process.exit();
