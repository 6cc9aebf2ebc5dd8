import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { attemptTier } from '#access/tiers/attempt.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type MemoryShare, openMemoryBudget } from '#kernel/memory-budget.ts';
import { openSite } from '#testkit/servers.ts';
import { openVisitor } from '#testkit/visitor.ts';

const MIB = 1024 * 1024;
/** So many numbers that packing does not make them small. */
const PAGE = Buffer.from(Array.from({ length: 600_000 }, (_, at) => String(at)).join(' '));

/** A site whose page is large, packed or not. */
async function openLarge(coding: string) {
  return openSite((_request, response) => {
    response.setHeader('content-type', 'text/plain');
    if (coding !== '') response.setHeader('content-encoding', coding);
    response.end(coding === '' ? PAGE : gzipSync(PAGE));
  });
}

test('large pages come one after the other where the memory of all is full, packed or not', async () => {
  for (const coding of ['', 'gzip']) {
    await using site = await openLarge(coding);
    await using visitor = openVisitor({ allow: new URL(site.origin).host });
    const room = openMemoryBudget(MIB);
    const first = room.enter('one');
    assert.ok(first.tryGrow(MIB));
    const share = room.enter('two');
    const waits = Promise.withResolvers<void>();
    const watched: MemoryShare = {
      ...share,
      async grow(bytes, signal) {
        waits.resolve();
        return share.grow(bytes, signal);
      },
    };
    const page = visitor.visit(site.origin, { share: watched });
    await waits.promise;
    assert.equal(room.held(), MIB);
    first.leave();
    const { body } = await page;
    assert.deepEqual([body.byteLength, room.held()], [PAGE.byteLength, PAGE.byteLength]);
    share.leave();
  }
});

test('a page that waits for memory ends with its time, and small ones take none', async () => {
  await using site = await openSite(({ url }, response) => void response.end(url === '/small' ? 'stone' : PAGE));
  await using visitor = openVisitor({ allow: new URL(site.origin).host });
  const room = openMemoryBudget(MIB);
  assert.ok(room.enter('one').tryGrow(MIB));
  const share = room.enter('two');
  assert.equal((await visitor.visit(`${site.origin}/small`, { share })).body.byteLength, 5);
  assert.equal(room.held(), MIB);
  await assert.rejects(visitor.visit(site.origin, { share, ms: 300 }), /in time/);
});

test('the time of an attempt stands still while its page waits for memory', async () => {
  for (const coding of ['', 'gzip']) {
    await using site = await openLarge(coding);
    await using visitor = openVisitor({ allow: new URL(site.origin).host });
    const room = openMemoryBudget(MIB);
    const first = room.enter('one');
    assert.ok(first.tryGrow(MIB));
    const request = { url: new URL(site.origin), headers: {}, cookies: [], share: room.enter('two') };
    const clock = SYSTEM_CLOCK;
    const { signal } = new AbortController();
    const parts = { timeoutMs: 60_000, startedAt: 0, clock, random: () => 0, signal, attempts: [] };
    const sliceMs = 500;
    clock.after(2 * sliceMs, first.leave);
    const { outcome, page } = await attemptTier(parts, { tier: 'http', visit: visitor.tier, request, sliceMs });
    assert.deepEqual([outcome, page?.body.byteLength, page?.warnings], ['ok', PAGE.byteLength, []]);
  }
});
