import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import { OBJECT_LIMITS, type ObjectStoreOptions, type ObjectStore, openObjectStore } from '#store/objects.ts';
import { type Bucket, openBucket, parseStorageUrl } from '../support/bucket.ts';
import { startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

const KINDS = ['normal', 'full', 'bucket'] as const;

let bucket: Bucket;
before(async () => {
  bucket = await openBucket();
});
after(async () => bucket.close());

type Limits = Omit<ObjectStoreOptions, 'sync' | 'clock'>;

async function open(place: ArtifactStorage, sync: 'normal' | 'full' = 'normal', limits: Limits = OBJECT_LIMITS) {
  const objects = await openObjectStore(place, { sync, ...limits, clock: SYSTEM_CLOCK });
  if (objects === null) throw new Error('no objects');
  return objects;
}

/** Runs work on an empty location of each kind. */
async function withObjects(kind: Kind, title: string, work: (objects: ObjectStore) => Promise<void>) {
  if (kind === 'bucket') return work(await open(bucket.place(`/${title.replaceAll(/\W+/g, '-')}`)));
  return inTemporaryFolder(async (folder) =>
    work(await open({ kind: 'folder', folder: join(folder, 'artifacts') }, kind)),
  );
}

async function listKeys(objects: ObjectStore, folder: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const batch of objects.list(folder)) {
    assert.ok(batch.length <= 1000);
    keys.push(...batch);
  }
  return keys;
}

type Kind = (typeof KINDS)[number];

function objectTest(kind: Kind, title: string, work: (objects: ObjectStore) => Promise<void>): void {
  test(title, async () => withObjects(kind, title, work));
}

for (const kind of KINDS) {
  suite(`objects, ${kind}`, () => {
    objectTest(kind, 'an object is read as it was written, and only if it has the expected size', async (objects) => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
      await objects.put('a/b/one.zst', bytes);
      assert.deepEqual(Buffer.from((await objects.read('a/b/one.zst', bytes.length)) ?? []), Buffer.from(bytes));
      assert.equal(await objects.read('a/b/one.zst', bytes.length - 1), null);
      assert.equal(await objects.read('a/b/one.zst', bytes.length + 1), null);
      assert.equal(await objects.read('a/b/two.zst', 1), null);
    });

    objectTest(kind, 'what is deleted is gone, and deleting it again is no failure', async (objects) => {
      for (const key of ['a/b/c/1', 'a/b/c/2', 'a/b/d/1']) await objects.put(key, Buffer.from('x'));
      await objects.delete('a/b/c/1');
      await objects.delete('a/b/c/1');
      assert.deepEqual(await listKeys(objects, 'a'), ['a/b/c/2', 'a/b/d/1']);
      await objects.deleteAll('a/b/c');
      await objects.deleteAll('a/b/c');
      assert.deepEqual(await listKeys(objects, 'a'), ['a/b/d/1']);
    });

    objectTest(kind, 'keys of one folder are listed in order, at any depth', async (objects) => {
      assert.deepEqual(await listKeys(objects, 'a'), []);
      const keys = ['a/b/c/2', 'a/b/c/1', 'a/a/z/1', 'ab/c/d/1'];
      for (const key of keys) await objects.put(key, Buffer.from('x'));
      assert.deepEqual(await listKeys(objects, 'a'), ['a/a/z/1', 'a/b/c/1', 'a/b/c/2']);
    });
  });
}

/** A listing response of a bucket, with or without a continuation token. */
function toListing(keys: readonly string[], token: string | null): string {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`);
  const next = token === null ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`;
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`;
}

test('all responses of a paginated bucket listing are read', async () => {
  const tokens: (string | null)[] = [];
  await using site = await startHttpServer((request, response) => {
    const token = new URL(request.url ?? '/', 'http://x').searchParams.get('continuation-token');
    tokens.push(token);
    const listing = token === null ? toListing(['own/a/b/1', 'own/a/b/2'], 'more') : toListing(['own/a/c/1'], null);
    response.setHeader('content-type', 'application/xml').end(listing);
  });
  const objects = await open(parseStorageUrl(`s3://id:secret@results/own?endpoint=${site.origin}`));
  assert.deepEqual(await listKeys(objects, 'a'), ['a/b/1', 'a/b/2', 'a/c/1']);
  assert.deepEqual(tokens, [null, 'more']);
});

test('a folder with more keys than one batch is listed in batches', async () => {
  await inTemporaryFolder(async (folder) => {
    const objects = await open({ kind: 'folder', folder });
    const keys = Array.from({ length: 1100 }, (_, at) => `a/b/${String(at).padStart(4, '0')}`);
    for (const key of keys) await objects.put(key, Buffer.from('x'));
    assert.deepEqual(await listKeys(objects, 'a'), keys);
  });
});

test('empty folders are removed during listing, and foreign files stay', async () => {
  await inTemporaryFolder(async (folder) => {
    const objects = await open({ kind: 'folder', folder });
    await objects.put('a/old/job/1', Buffer.from('x'));
    await objects.delete('a/old/job/1');
    await writeFile(join(folder, 'a/notes.txt'), '');
    await mkdir(join(folder, 'a/kept/deep/deeper'), { recursive: true });
    assert.deepEqual(await listKeys(objects, 'a'), []);
    assert.deepEqual((await readdir(join(folder, 'a'))).toSorted(), ['kept', 'notes.txt']);
  });
});

test('a store that accepts the connection but never responds is unavailable after the timeout', async () => {
  await using silent = await startSocketServer(() => undefined);
  const place = parseStorageUrl(`s3://id:secret@results?endpoint=${silent.origin}`);
  const objects = await open(place, 'normal', { callMs: 100, deleteAllMs: 100 });
  const calls = [
    objects.put('a/1', Buffer.from('x')),
    objects.read('a/1', 1),
    objects.delete('a/1'),
    objects.deleteAll('a'),
    listKeys(objects, 'a'),
  ];
  for (const call of calls) await assert.rejects(call, StoreUnavailable);
});

test('a folder that cannot be written is unavailable', async () => {
  await inTemporaryFolder(async (folder) => {
    await writeFile(join(folder, 'file'), '');
    const objects = await open({ kind: 'folder', folder: join(folder, 'file') });
    await assert.rejects(objects.put('a/1', Buffer.from('x')), StoreUnavailable);
  });
});
