import assert from 'node:assert/strict';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Page, PageRequest } from '#access/page.ts';
import { MAX_CACHE_AGE_MS, PageCache } from '#engine/visits/page-cache.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createSealer } from '#kernel/sealer.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { openTestClock, type TestClock } from '../support/clock.ts';
import { inTemporaryFolder, onEveryStore, withStoreKind } from '../support/store.ts';

const HOUR_MS = 3600 * 1000;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/** The cache of one machine and its files. */
type Machine = { readonly cache: PageCache; readonly folder: string; readonly files: () => Promise<readonly string[]> };

type Machines = { readonly db: Db; readonly clock: TestClock; readonly one: Machine; readonly two: Machine };

/** Two machines with separate folders and one store. */
async function withMachines(store: StoreKind, work: (machines: Machines) => Promise<void>): Promise<void> {
  await withStoreKind(store, async (db) =>
    inTemporaryFolder(async (folder) => {
      // Later than the files on the disk can be.
      const clock = openTestClock(new Date(Date.now() + HOUR_MS).toISOString());
      const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
      const sealer = createSealer(new Uint8Array(32), 'test');
      const open = (id: string): Machine => {
        const location = join(folder, id);
        const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
        const cache = new PageCache({ db, inTurn, disk, location, sealer, folder: id, clock, fileClock: SYSTEM_CLOCK });
        return { cache, folder: location, files: async () => readdir(location).catch(() => []) };
      };
      await work({ db, clock, one: open('one'), two: open('two') });
    }),
  );
}

/** Ages the files of a machine by its own clock. */
async function grow({ folder, files }: Machine): Promise<void> {
  for (const name of await files()) await utimes(join(folder, name), LONG_AGO, LONG_AGO);
}

function buildRequest(path: string): PageRequest {
  return { url: new URL(path, 'https://example.com'), headers: {}, cookies: [] };
}

function buildPage(path: string, text: string): Page {
  const body = new TextEncoder().encode(text);
  return {
    url: new URL(path, 'https://example.com').href,
    status: 200,
    headers: { 'content-type': 'text/html' },
    contentType: 'text/html',
    body,
    wireBytes: body.length,
    warnings: [],
  };
}

async function lookUpText({ cache }: Machine, path: string, maxAgeMs = HOUR_MS): Promise<string | null> {
  const found = await cache.find('ten_1', buildRequest(path), maxAgeMs);
  return found === null ? null : new TextDecoder().decode(found.page.body);
}

async function keep({ cache }: Machine, path: string, text: string): Promise<void> {
  await cache.store('ten_1', buildRequest(path), buildPage(path, text));
}

onEveryStore('a cached page is found until it is too old, by its own tenant only', async (store) => {
  await withMachines(store, async ({ one, clock }) => {
    await keep(one, '/a', 'first');
    assert.equal(await lookUpText(one, '/a'), 'first');
    assert.equal(await one.cache.find('ten_2', buildRequest('/a'), HOUR_MS), null);
    clock.pass(10_000);
    assert.equal((await one.cache.find('ten_1', buildRequest('/a'), 10_000))?.ageMs, 10_000);
    assert.equal(await lookUpText(one, '/a', 9_999), null);
    await keep(one, '/a', 'second');
    assert.equal(await lookUpText(one, '/a', 0), 'second');
    assert.equal((await one.files()).length, 1);
  });
});

onEveryStore('a page cached on another machine is a miss here, and both can cache it', async (store) => {
  await withMachines(store, async ({ one, two, db }) => {
    await keep(one, '/a', 'of one');
    assert.equal(await lookUpText(two, '/a'), null);
    await keep(two, '/a', 'of two');
    assert.deepEqual([await lookUpText(one, '/a'), await lookUpText(two, '/a')], ['of one', 'of two']);
    assert.equal((await db.query('select file from cached_pages')).length, 2);
    assert.equal(await one.cache.measureBytes(), (await db.query('select bytes from cached_pages'))[0]?.['bytes']);
  });
});

onEveryStore('freeing space deletes only the oldest pages of this machine', async (store) => {
  await withMachines(store, async ({ one, two, clock }) => {
    await keep(two, '/oldest', 'of two');
    for (const path of ['/a', '/b', '/c']) {
      clock.pass(1000);
      await keep(one, path, path);
    }
    await one.cache.evict(Math.ceil(((await one.cache.measureBytes()) * 2) / 3));
    assert.deepEqual(await Promise.all(['/a', '/b', '/c'].map(async (path) => lookUpText(one, path))), [
      null,
      '/b',
      '/c',
    ]);
    assert.equal(await lookUpText(two, '/oldest'), 'of two');
    assert.deepEqual([(await one.files()).length, (await two.files()).length], [2, 1]);
  });
});

onEveryStore('rows of a removed machine are deleted when its pages are too old to be used', async (store) => {
  await withMachines(store, async ({ one, two, clock, db }) => {
    await keep(two, '/a', 'of two');
    clock.pass(MAX_CACHE_AGE_MS);
    await one.cache.evict(Number.MAX_SAFE_INTEGER);
    assert.equal((await db.query('select file from cached_pages')).length, 1);
    clock.pass(1);
    await one.cache.evict(Number.MAX_SAFE_INTEGER);
    assert.equal((await db.query('select file from cached_pages')).length, 0);
    await grow(two);
    await two.cache.sweep(new AbortController().signal);
    assert.deepEqual(await two.files(), []);
  });
});

onEveryStore('files without a row are deleted, except those that may be getting a row now', async (store) => {
  await withMachines(store, async ({ one }) => {
    await keep(one, '/a', 'kept');
    await writeFile(join(one.folder, 'orphan.zst'), '');
    await one.cache.sweep(new AbortController().signal);
    assert.equal((await one.files()).length, 2);
    await grow(one);
    await one.cache.sweep(new AbortController().signal);
    assert.equal((await one.files()).length, 1);
    assert.equal(await lookUpText(one, '/a', 2 * HOUR_MS), 'kept');
  });
});
