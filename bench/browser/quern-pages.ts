/** The tier `browser` of the service, guard and egress proxy included: the HTML of each page, checked for its text. */
import { once } from 'node:events';
import { EGRESS_LIMITS } from '#access/egress-passes.ts';
import { openEgressProxy } from '#access/egress-proxy.ts';
import { openUpstreams } from '#access/upstreams.ts';
import { browsersOf, openBrowsing } from '#compose/browsing.ts';
import { loadConfig } from '#kernel/config.ts';
import { openGuardFor } from '../guard.ts';
import { Order } from './order.ts';

/** More than there are places for pages, so that none of them is ever free. */
const AT_ONCE = 8;
const PAGE_MS = 60_000;

const { addresses, hosts, binary, form } = Order.parse(JSON.parse(process.argv[2] ?? ''));
const clock = { now: () => performance.now() };
const { config } = loadConfig({ QUERN_CHROMIUM: binary }, null);
const guard = openGuardFor(hosts);
const upstreams = openUpstreams(config, { clock, random: Math.random });
const egress = await openEgressProxy({ guard, limits: EGRESS_LIMITS });
const browsing = openBrowsing({
  config,
  find: () => browsersOf(config),
  guard,
  upstreams,
  clock,
  warn: (line) => void process.stderr.write(`${line}\n`),
  egress,
});
const visits = browsing.visits();
if (visits === null) throw new Error(`${binary} is no browser`);
const { direct } = visits;
const left = [...addresses];
let right = 0;
let firstAt: number | null = null;
let lastAt = 0;

async function work(): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const request = {
      url: guard.readTarget(next.url),
      headers: {},
      cookies: [],
      ...(form === 'job' ? { job: 'bench' } : {}),
    };
    const page = await direct(request, AbortSignal.timeout(PAGE_MS));
    if (Buffer.from(page.body).includes(next.marker)) right += 1;
    else process.stderr.write(`${next.url} has not the text ${next.marker}\n`);
    lastAt = clock.now();
    if (firstAt === null) process.stdout.write('first\n');
    firstAt ??= lastAt;
  }
}

process.stdout.write('ready\n');
await once(process.stdin, 'data');
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.stdout.write(`${JSON.stringify({ right, seconds: (lastAt - (firstAt ?? lastAt)) / 1000 })}\n`);
await once(process.stdin, 'data');
await browsing.close();
await egress.close();
process.exit();
