import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { attemptTier } from '#access/tiers/attempt.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type MemoryShare, createMemoryBudget } from '#kernel/memory-budget.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { createVisitor } from '#testkit/visitor.ts';

const MIB = 1024 * 1024;
/** Enough numbers that compression does not make them small. */
const PAGE = Buffer.from(Array.from({ length: 600_000 }, (_, at) => String(at)).join(' '));

/** A site with a large page, compressed or not. */
async function openLarge(coding: string) {
  return startHttpServer((_request, response) => {
    response.setHeader('content-type', 'text/plain');
    if (coding !== '') response.setHeader('content-encoding', coding);
    response.end(coding === '' ? PAGE : gzipSync(PAGE));
  });
}

test('large pages are loaded one after the other if the shared memory is full, compressed or not', async () => {
  for (const coding of ['', 'gzip']) {
    await using site = await openLarge(coding);
    await using visitor = createVisitor({ allow: new URL(site.origin).host });
    const room = createMemoryBudget(MIB);
    const first = room.createShare('one');
    assert.ok(first.tryGrow(MIB));
    const share = room.createShare('two');
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
    assert.equal(room.usedBytes(), MIB);
    first.release();
    const { body } = await page;
    assert.deepEqual([body.byteLength, room.usedBytes()], [PAGE.byteLength, PAGE.byteLength]);
    share.release();
  }
});

test('a page that waits for memory ends at its timeout, and small pages need no shared memory', async () => {
  await using site = await startHttpServer(({ url }, response) => void response.end(url === '/small' ? 'stone' : PAGE));
  await using visitor = createVisitor({ allow: new URL(site.origin).host });
  const room = createMemoryBudget(MIB);
  assert.ok(room.createShare('one').tryGrow(MIB));
  const share = room.createShare('two');
  assert.equal((await visitor.visit(`${site.origin}/small`, { share })).body.byteLength, 5);
  assert.equal(room.usedBytes(), MIB);
  await assert.rejects(visitor.visit(site.origin, { share, ms: 300 }), /in time/);
});

test('the time of an attempt is paused while its page waits for memory', async () => {
  for (const coding of ['', 'gzip']) {
    await using site = await openLarge(coding);
    await using visitor = createVisitor({ allow: new URL(site.origin).host });
    const room = createMemoryBudget(MIB);
    const first = room.createShare('one');
    assert.ok(first.tryGrow(MIB));
    const request = { url: new URL(site.origin), headers: {}, cookies: [], share: room.createShare('two') };
    const clock = SYSTEM_CLOCK;
    const { signal } = new AbortController();
    const parts = { timeoutMs: 60_000, startedAt: 0, clock, random: () => 0, signal, attempts: [] };
    const sliceMs = 500;
    clock.after(2 * sliceMs, first.release);
    const { outcome, page } = await attemptTier(parts, { tier: 'http', visit: visitor.tier, request, sliceMs });
    assert.deepEqual([outcome, page?.body.byteLength, page?.warnings], ['ok', PAGE.byteLength, []]);
  }
});
