import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HostPace, HostPaces } from '#engine/politeness/host-pace.ts';
import { buildIdleLoadPace } from '#testkit/load-pace.ts';
import { clockAt } from '../support/clock.ts';

const HOST = 'shop.example';
const GOOD = { status: 200, latencyMs: 20, retryAfter: null };
const STEP_MS = 5;

/** Simulates crawls of one host with a driven clock. */
function openHost() {
  let now = Date.UTC(2026, 10, 21);
  const clock = clockAt(() => now);
  const paces = new HostPaces({ clock, leases: null, load: buildIdleLoadPace(clock) });
  const running: { readonly until: number; readonly end: () => void }[] = [];
  const crawls: {
    readonly pace: HostPace;
    readonly takesMs: number;
    readonly status: number | null;
    starts: number;
  }[] = [];
  return {
    /** Adds a crawl that starts a visit whenever the pace allows one. Each visit has the given duration and status; null is no response. */
    crawl(tenant: string, { delayMs = null, takesMs = 20, status = 200 }: Partial<CrawlRules> = {}) {
      const pace = paces.open(HOST, { delayMs, party: { tenant, weight: 1 } });
      const crawl = { pace, takesMs, status, starts: 0 };
      crawls.push(crawl);
      return crawl;
    },
    pass(ms: number): void {
      for (const until = now + ms; now < until; now += STEP_MS) {
        for (const visit of running.filter((one) => one.until <= now)) {
          running.splice(running.indexOf(visit), 1);
          visit.end();
        }
        for (const crawl of crawls) {
          if (crawl.pace.computeWaitMs() !== 0) continue;
          const visit = crawl.pace.begin();
          crawl.starts += 1;
          running.push({ until: now + crawl.takesMs, end: () => visit.end({ ...GOOD, status: crawl.status }) });
        }
      }
    },
  };
}

type CrawlRules = { readonly delayMs: number | null; readonly takesMs: number; readonly status: number | null };

test('a crawl with a longer delay gets its visits despite a faster crawl of another tenant', () => {
  const host = openHost();
  const fast = host.crawl('fast');
  const polite = host.crawl('polite', { delayMs: 1000 });
  host.pass(20_000);
  assert.ok(polite.starts >= 18 && polite.starts <= 20, `${polite.starts} visits`);
  assert.ok(fast.starts > 60, `${fast.starts} visits`);
});

test('visits that never end leave a slot for other tenants', () => {
  const host = openHost();
  host.crawl('stuck', { takesMs: 30_000, status: null });
  host.pass(5_000);
  const other = host.crawl('other');
  host.pass(6_000);
  assert.ok(other.starts >= 15, `${other.starts} visits`);
});

test('slow answers to one tenant do not delay a tenant that arrives later', () => {
  const host = openHost();
  const slow = host.crawl('slow', { takesMs: 2_000, status: null });
  host.pass(120_000);
  const other = host.crawl('other');
  const before = slow.starts;
  host.pass(6_000);
  assert.ok(other.starts >= 10, `${other.starts} visits`);
  assert.ok(slow.starts > before);
});

test('tenants at one host get equal numbers of visits, divided among their crawls', () => {
  const host = openHost();
  const [one, two] = [host.crawl('one'), host.crawl('one')];
  const other = host.crawl('other');
  host.pass(30_000);
  const share = other.starts / (one.starts + two.starts + other.starts);
  assert.ok(share > 0.4 && share < 0.6, `${one.starts} ${two.starts} ${other.starts}`);
});

test('a delay that a host requests applies to all tenants', () => {
  const host = openHost();
  const refused = host.crawl('refused');
  host.pass(STEP_MS);
  refused.pace.recordRefusal({ status: 429, latencyMs: 10, retryAfter: '60' });
  const other = host.crawl('other');
  host.pass(30_000);
  assert.equal(other.starts, 0);
});

test('a slot released with the answer is free for another visit', () => {
  let now = Date.UTC(2026, 10, 21);
  const clock = clockAt(() => now);
  const paces = new HostPaces({ clock, leases: null, load: buildIdleLoadPace(clock) });
  const pace = paces.open(HOST, { delayMs: 50, party: { tenant: 'mill', weight: 1 } });
  const [first] = [pace.begin(), pace.begin()];
  now += 1000;
  assert.equal(pace.computeWaitMs(), null);
  first?.releasePlace();
  first?.releasePlace();
  assert.equal(pace.computeWaitMs(), 0);
  first?.takePlace();
  assert.equal(pace.computeWaitMs(), null);
  first?.end(GOOD);
  assert.equal(pace.computeWaitMs(), 0);
});
