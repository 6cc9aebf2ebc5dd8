import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostPaces } from '#engine/politeness/host-pace.ts';
import { LoadPace, createUtilizationReader } from '#engine/politeness/load-pace.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import { clockAt } from '../support/clock.ts';

/** A machine with a load, and the tenants that have work. */
function openMachine({ utilization, tenants }: { readonly utilization: number; readonly tenants: readonly string[] }) {
  let now = Date.UTC(2026, 10, 28);
  const clock = clockAt(() => now);
  const active = new ActiveTenants(clock);
  for (const tenant of tenants) active.noteActivity(tenant);
  const load = new LoadPace({ active, clock, readUtilization: () => utilization });
  return { clock, load, pass: (ms: number) => void (now += ms) };
}

/** The visits that crawls of a tenant start per second at a fast host; each visit takes no time. */
function countStarts({ clock, load, pass }: ReturnType<typeof openMachine>, tenant: string): number {
  const pace = new HostPaces({ clock, leases: null, load }).open('shop.example', {
    delayMs: 0,
    party: { tenant, weight: 1 },
  });
  let starts = 0;
  for (let ms = 0; ms < 1000; ms += 1) {
    if (pace.computeWaitMs() === 0) {
      pace.begin().end({ status: 200, latencyMs: 1, retryAfter: null });
      starts += 1;
    }
    pass(1);
  }
  return starts;
}

test('crawls of a tenant start 25 visits a second while the event loop is busy and others have work', () => {
  const machine = openMachine({ utilization: 0.9, tenants: ['mill', 'bakery'] });
  assert.equal(countStarts(machine, 'mill'), 25);
});

test('crawls of the only active tenant do not wait for the event loop', () => {
  const machine = openMachine({ utilization: 0.9, tenants: ['mill'] });
  assert.equal(countStarts(machine, 'mill'), 1000);
});

test('crawls do not wait while the event loop is idle enough, even if other tenants are active', () => {
  const machine = openMachine({ utilization: 0.5, tenants: ['mill', 'bakery'] });
  assert.equal(countStarts(machine, 'mill'), 1000);
});

test('the crawls of two tenants each have their own visits', () => {
  const { load } = openMachine({ utilization: 0.9, tenants: ['mill', 'bakery'] });
  load.recordStart('mill');
  assert.ok(load.computeWaitMs('mill') > 0);
  assert.equal(load.computeWaitMs('bakery'), 0);
});

test('the utilization covers the time since the previous call', async () => {
  const read = createUtilizationReader();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const idle = read();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const busy = read();
  assert.ok(busy > idle && busy <= 1, `${idle} then ${busy}`);
});
