import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { z } from 'zod';
import type { PageRequest } from '#access/page.ts';
import { PageCache } from '#engine/visits/page-cache.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createSealer } from '#kernel/sealer.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import { openSqlite } from '#store/sqlite.ts';
import { buildTestPage, SITE, withGate } from '../engine/gate.ts';
import { SECRET } from '../support/archive.ts';
import { oneMinute } from '../support/minute.ts';
import { until } from '../support/fleet.ts';
import { type Answered, runQuern, serveQuern, startQuern } from '../support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { mountSmallVolume, type SmallVolume } from '../support/small-volume.ts';
import { inTemporaryFolder } from '../support/store.ts';

const FULL = { code: 'backend_unavailable', message: 'the store cannot be read or written now: try again' };
const Books = z.object({ used: z.number(), reserved: z.number(), charged: z.number(), held: z.number() });
const BOOKS = `select used, reserved,
    (select coalesce(sum(credits), 0) from ledger) as charged,
    (select count(*) from reservations) as held
  from tenants order by id limit 1`;

/**
 * Runs work on a volume that can be filled. Mounting one needs root on Linux; without it a diagnostic is printed. Then only
 * packages/quern/test/engine/unwritable.test.ts and packages/quern/test/store/full.test.ts test the same rules.
 */
async function onSmallVolume(
  t: Pick<TestContext, 'diagnostic'>,
  work: (volume: SmallVolume) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const mounted = await mountSmallVolume(join(folder, 'volume'), 24);
    if (typeof mounted === 'string') {
      notMounted(t, mounted);
      return;
    }
    await using volume = mounted;
    await work(volume);
  });
}

function notMounted(t: Pick<TestContext, 'diagnostic'>, why: string): void {
  t.diagnostic(`no volume can be mounted here: ${why}`);
  assert.ok(process.platform !== 'linux' || /permi|superuser|privilege|denied|ENOENT/i.test(why), why);
}

function assertFull({ status, headers, body }: Answered): void {
  assert.deepEqual([status, body['error'], headers.get('retry-after')], [503, FULL, '5']);
}

function buildRequest(at: number): PageRequest {
  return { url: new URL(`${SITE}${at}`), headers: {}, cookies: [] };
}

suite('a full disk', { concurrency: 2 }, () => {
  test('returns backend_unavailable without a charge, keeps reads and jobs, and needs no restart', async (t) => {
    await onSmallVolume(t, async (volume) => {
      await using site = await startHttpServer((_, response) => response.end('<p>hello'));
      const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`, QUERN_LOG_LEVEL: 'silent' };
      await using service = await serveQuern(volume.folder, settings);
      const page = { url: `${site.origin}/page` };
      assert.equal((await service.call('/v1/fetch', page)).status, 200);
      await volume.fill();
      for (const _ of [1, 2, 3]) assertFull(await service.call('/v1/fetch', page));
      assertFull(await service.call('/v1/jobs', { kind: 'fetch', input: page }));
      assert.equal((await service.call('/readyz')).status, 503);
      assert.equal((await service.call('/healthz')).status, 200);
      for (const path of ['/v1/usage', '/v1/usage/history', '/v1/jobs', '/v1/requests', '/v1/capabilities'])
        assert.equal((await service.call(path)).status, 200, path);
      assert.equal((await service.call('/v1/usage')).body['credits_used'], 2);
      await volume.empty();
      assert.equal((await service.call('/readyz')).status, 200);
      assert.equal((await service.call('/v1/fetch', page)).status, 200);
      const { body: job } = await service.call('/v1/jobs', { kind: 'fetch', input: page });
      const { body: ended } = await service.call(`/v1/jobs/${String(job['id'])}?wait_ms=20000`);
      assert.equal(ended['status'], 'completed');
      assert.equal(await service.close(), 0);
      const db = openSqlite(join(volume.folder, 'quern.db'), { sync: 'normal' });
      const books = readRow(Books, await db.query(BOOKS));
      await db.close();
      assert.deepEqual(books, { used: 6, reserved: 0, charged: 6, held: 0 });
    });
  });

  test('fails no call if only the cache has no space', async (t) => {
    await inTemporaryFolder(async (folder) => {
      const mounted = await mountSmallVolume(join(folder, 'cache'), 1);
      if (typeof mounted === 'string') {
        notMounted(t, mounted);
        return;
      }
      await using volume = mounted;
      const noise = randomBytes(100_000).toString('base64');
      await using site = await startHttpServer((_, response) => response.end(`<p>${noise}`));
      await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` });
      await volume.fill();
      const page = { url: site.origin, max_age_ms: 60_000 };
      for (const tier of ['http', 'http']) {
        const { status, headers } = await service.call('/v1/fetch', page);
        assert.deepEqual([status, headers.get('x-access-tier')], [200, tier]);
      }
      assert.deepEqual(await readdir(volume.folder), ['filler'], 'no part of a file is left');
      await volume.empty();
      for (const tier of ['http', 'cache']) {
        const { headers } = await service.call('/v1/fetch', page);
        assert.equal(headers.get('x-access-tier'), tier);
      }
    });
  });

  test('is prevented by QUERN_MAX_DISK: the cache is limited to a share of the volume or a size, oldest first', async (t) => {
    await onSmallVolume(t, async (volume) => {
      await writeFile(join(volume.folder, 'others'), Buffer.alloc(8_000_000));
      await withGate({}, async (gate) => {
        const disk = new Disk(new FSDriver({ location: join(volume.folder, 'cache'), visibility: 'private' }));
        const parts = {
          ...gate,
          inTurn: createGroupCommit(gate.db, SYSTEM_CLOCK),
          disk,
          location: join(volume.folder, 'cache'),
          sealer: createSealer(SECRET, 'test'),
          folder: null,
          fileClock: SYSTEM_CLOCK,
        };
        const pageCache = new PageCache(parts);
        for (let at = 0; at < 60; at += 1) {
          await pageCache.store(gate.tenant, buildRequest(at), buildTestPage({ body: randomBytes(100_000) }));
          gate.clock.pass(1000);
        }
        for (const quota of [{ percent: 50 }, { bytes: 1_500_000 }]) {
          assert.deepEqual(await oneMinute(t, { ...gate, pageCache }, { quota, dataDir: volume.folder }), []);
          const { size, free } = await volume.room();
          if ('percent' in quota) assert.ok(size - free <= size / 2, `${size - free} of ${size}`);
          else assert.ok((await pageCache.measureBytes()) <= quota.bytes);
          assert.equal(await pageCache.find(gate.tenant, buildRequest(0), 3_600_000), null);
          assert.notEqual(await pageCache.find(gate.tenant, buildRequest(59), 3_600_000), null);
        }
        assert.ok((await pageCache.measureBytes()) > 1_300_000, 'no more is deleted than must be');
      });
    });
  });

  test('at the start is reported in one line with the folder', async (t) => {
    await onSmallVolume(t, async (volume) => {
      await volume.fill();
      const { code, err } = await runQuern(volume.folder, ['serve'], {
        QUERN_PORT: '0',
        QUERN_STORE_WAIT_SECONDS: '0',
      });
      assert.equal(code, 1);
      assert.match(err, /^quern: [^\n]*\n$/);
    });
  });

  test('delays the start, with a message', async (t) => {
    await onSmallVolume(t, async (volume) => {
      await volume.fill();
      await using service = startQuern(volume.folder, ['serve'], { QUERN_PORT: '0' });
      await until('it waits', async () => service.err().includes('QUERN_STORE_WAIT_SECONDS'));
      await volume.empty();
      await until('it listens', async () => service.out().includes('Quern listens on'));
    });
  });

  test('makes /readyz fail even if the log of the database still has space', async (t) => {
    await onSmallVolume(t, async (volume) => {
      await using service = await serveQuern(volume.folder, { QUERN_LOG_LEVEL: 'silent' });
      // The log file keeps its size.
      for (let at = 0; at < 20; at += 1) assert.equal((await service.call('/readyz')).status, 200);
      await volume.fill();
      await until('it is not ready', async () => (await service.call('/readyz')).status === 503);
      await volume.empty();
      assert.equal((await service.call('/readyz')).status, 200);
    });
  });
});
