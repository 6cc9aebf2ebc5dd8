import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseLost } from '#engine/jobs/lease.ts';
import { StoreUnavailable } from '#store/db.ts';
import { ServiceError } from '#kernel/errors.ts';
import { openBucket, parseStorageUrl } from '../support/bucket.ts';
import { type Gate, withGate } from './gate.ts';
import {
  begin,
  commit,
  complete,
  buildEntries,
  listing,
  noise,
  listStoredObjects,
  Page,
  readLines,
  fetchResult,
  usePlaces,
} from '../support/engine/listing.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';

const places = usePlaces();

const DAY_MS = 24 * 3600 * 1000;
/** Text that is too large for a row even when it is compressed. */
const LARGE = 100_000;
const GOES_ON = new AbortController().signal;

async function countRows({ db }: Gate): Promise<number> {
  return (await db.query('select seq from result_segments')).length;
}

/** Deletes every object directly, so that the store does not know. */
async function lose(gate: Gate): Promise<void> {
  for (const key of await listStoredObjects(gate)) await gate.objects?.delete(key);
}

places.onEvery(
  'large heads and segments are stored as objects, small ones as rows',
  async (gate) => {
    await complete(gate, { pages: 10 });
    assert.deepEqual(await listStoredObjects(gate), []);
    const id = await complete(gate, { pages: 3, chars: LARGE, head: LARGE });
    assert.equal((await listStoredObjects(gate)).length, 2);
    assert.equal((await readLines(gate, id)).length, 3);
    assert.equal(String((await fetchResult(gate, id))['url']).length, LARGE);
    assert.ok((await gate.results.measureBytes()) > 3 * LARGE * 0.7);
  },
  places.beside,
);

places.onEvery(
  'a result whose object is lost or truncated is reported as expired, not as an internal error',
  async (gate) => {
    const jobs = openJobTools(gate);
    const id = await complete(gate, { pages: 3, chars: LARGE });
    const [key = ''] = await listStoredObjects(gate);
    await gate.objects?.put(key, new Uint8Array(10));
    assert.equal((await jobs.result(id)).code, 'result_expired');
    await lose(gate);
    for (const more of [{}, { limit: 1 }, { format: 'jsonl' }]) {
      assert.equal((await jobs.result(id, more)).code, 'result_expired');
    }
    const record = await jobs.show(id);
    assert.deepEqual([record.status, record.result], ['completed', undefined]);
  },
  places.beside,
);

places.onEvery(
  'an object without a committed row is invisible, and deleted when its job has ended',
  async (gate) => {
    const claimed = await begin(gate);
    const { id } = claimed.row;
    const elements = buildEntries(2, LARGE);
    await gate.results.pack(id, elements);
    assert.equal((await listStoredObjects(gate)).length, 1);
    await commit(gate, claimed, elements);
    await gate.results.sweep(GOES_ON);
    assert.equal((await listStoredObjects(gate)).length, 2);
    assert.equal((await readLines(gate, id, { partial: true })).length, 2);
    await runClaimed(gate, claimed);
    await gate.results.sweep(GOES_ON);
    assert.equal((await listStoredObjects(gate)).length, 1);
    assert.deepEqual(await readLines(gate, id), elements);
  },
  places.beside,
);

places.onEvery(
  'objects of unknown jobs are deleted, and foreign objects stay',
  async (gate) => {
    const claimed = await begin(gate);
    await gate.results.pack(claimed.row.id, buildEntries(1, LARGE));
    const theirs = [`${gate.space}/notes.txt`, `${gate.space}x/aaaaa/${claimed.row.id}/a.zst`];
    for (const key of theirs) await gate.objects?.put(key, Buffer.from('x'));
    await gate.db.query('delete from jobs');
    await gate.results.sweep(GOES_ON);
    for (const key of theirs) assert.equal((await gate.objects?.read(key, 1))?.length, 1);
    const own = (await listStoredObjects(gate)).filter(
      (key) => key.endsWith('.zst') && key.startsWith(`${gate.space}/`),
    );
    assert.deepEqual(own, []);
  },
  places.beside,
);

places.onEvery(
  'objects written under a lost lease are deleted, and the other result is used',
  async (gate) => {
    const claimed = await begin(gate, { pages: 2, chars: LARGE });
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    gate.clock.pass(1000);
    const [second] = await gate.queue.leases.claim('w2', 1);
    assert.ok(second !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'lost');
    assert.deepEqual(await listStoredObjects(gate), []);
    assert.equal(await runClaimed(gate, second), 'ok');
    assert.equal((await listStoredObjects(gate)).length, 1);
    assert.equal((await readLines(gate, claimed.row.id)).length, 2);
    await checkBooks(gate);
  },
  places.beside,
);

places.onEvery(
  'a commit repeated after a lost answer does not delete the objects of the first one',
  async (gate) => {
    const claimed = await begin(gate);
    const { id } = claimed.row;
    const segments = await gate.results.pack(id, buildEntries(2, LARGE));
    await gate.db.transaction(async (tx) => gate.results.append(tx, id, segments));
    await gate.results.discard(segments, new LeaseLost());
    assert.equal((await readLines(gate, id, { partial: true })).length, 2);
    const others = await gate.results.pack(id, buildEntries(2, LARGE));
    await gate.results.discard(others, new StoreUnavailable());
    assert.equal((await listStoredObjects(gate)).length, 2);
    await gate.results.discard(others, new LeaseLost());
    assert.equal((await listStoredObjects(gate)).length, 1);
  },
  places.beside,
);

places.onEvery('deleting a job drops rows and objects at once', async (gate) => {
  const kept = await complete(gate, { pages: 2, chars: LARGE });
  const claimed = await begin(gate, { pages: 2, chars: LARGE });
  for (let at = 0; at < 20; at += 1) await commit(gate, claimed, buildEntries(3));
  await runClaimed(gate, claimed);
  assert.equal((await openJobTools(gate).cancel(claimed.row.id)).answer?.status, 204);
  assert.equal((await openJobTools(gate).cancel(claimed.row.id)).answer?.status, 204);
  assert.equal(await countRows(gate), 2);
  assert.equal((await listStoredObjects(gate)).length, gate.objects === null ? 0 : 1);
  assert.equal((await openJobTools(gate).result(claimed.row.id, { partial: true })).code, 'result_expired');
  assert.equal((await readLines(gate, kept)).length, 2);
});

places.onEvery('a list deleted while it is streamed breaks off, and never looks complete', async (gate) => {
  const id = await complete(gate, { pages: 5, chars: 900_000 });
  const { answer } = await openJobTools(gate).result(id, { format: 'jsonl' });
  let read = 0;
  const reading = async (): Promise<void> => {
    for await (const chunk of answer?.stream?.pieces ?? []) {
      read += chunk.length;
      if (read < 1_000_000) await openJobTools(gate).cancel(id);
    }
  };
  await assert.rejects(reading, (error) => error instanceof ServiceError && error.code === 'result_expired');
  assert.ok(read > 0);
});

places.onEvery('expired results are deleted with their objects, even after an interrupted deletion', async (gate) => {
  const id = await complete(gate, { pages: 2, chars: LARGE });
  const claimed = await begin(gate);
  await commit(gate, claimed, buildEntries(2, LARGE));
  await openJobTools(gate).cancel(claimed.row.id);
  await runClaimed(gate, claimed);
  gate.clock.pass(7 * DAY_MS - 1);
  await gate.queue.retention.tidy();
  assert.equal((await readLines(gate, id)).length, 2);
  gate.clock.pass(1);
  // The state after a crash: the job is expired, and its rows still exist.
  await gate.db.query("update jobs set status = 'expired' where id = $1", [id]);
  await gate.queue.retention.tidy();
  assert.deepEqual(
    [await countRows(gate), await listStoredObjects(gate), await gate.results.measureBytes()],
    [0, [], 0],
  );
  gate.clock.pass(90 * DAY_MS);
  await gate.queue.retention.tidy();
  assert.deepEqual(await gate.db.query('select id from jobs'), []);
});

test('while the bucket is unavailable, jobs wait free and results return backend_unavailable', async () => {
  const bucket = await openBucket();
  await withGate({ more: [listing], artifacts: bucket.place('') }, async (gate) => {
    const id = await complete(gate, { pages: 2, chars: LARGE });
    const spent = await gate.spent();
    await bucket.close();
    const jobs = openJobTools(gate);
    assert.equal((await jobs.result(id)).code, 'backend_unavailable');
    assert.equal((await jobs.result(id, { format: 'jsonl' })).code, 'backend_unavailable');
    const claimed = await begin(gate, { pages: 2, chars: LARGE });
    assert.equal(await runClaimed(gate, claimed), 'backend_unavailable');
    const { status, attempt } = await jobs.show(claimed.row.id);
    assert.deepEqual([status, attempt], ['queued', 0]);
    assert.deepEqual(await gate.spent(), spent);
    await checkBooks(gate);
    assert.equal((await jobs.cancel(id)).answer?.status, 204);
    await assert.rejects(gate.results.sweep(GOES_ON), StoreUnavailable);
  });
});

test('a missing bucket or unknown key is rejected with its reason and without the secret', async () => {
  const bucket = await openBucket();
  for (const [from, to, says] of [
    ['quern-results', 'other-bucket', /NoSuchBucket/],
    ['s3://S3RVER:', 's3://nobody:', /InvalidAccessKeyId/],
  ] as const) {
    const artifacts = parseStorageUrl(bucket.url('').replace(from, to));
    await withGate({ more: [listing], artifacts }, async (gate) => {
      const claimed = await begin(gate, { pages: 1, chars: LARGE });
      const failing = gate.results.pack(claimed.row.id, [noise(LARGE)]);
      await assert.rejects(failing, (error) => error instanceof StoreUnavailable && says.test(error.message));
    });
  }
  await bucket.close();
});

test('a page of 10,000 elements in small segments is read without the segments before it', async () => {
  await withGate({ more: [listing] }, async (gate) => {
    const claimed = await begin(gate);
    const elements = buildEntries(10_000);
    for (let at = 0; at < elements.length; at += 64) await commit(gate, claimed, elements.slice(at, at + 64));
    await runClaimed(gate, claimed);
    const { id } = claimed.row;
    const { next_cursor: cursor } = Page.parse(await fetchResult(gate, id, { limit: 1000 }));
    await gate.db.query('delete from result_segments where job_id = $1 and seq between 1 and 10', [id]);
    const second = Page.parse(await fetchResult(gate, id, { limit: 1000, cursor }));
    assert.deepEqual(second.pages, elements.slice(1000, 2000));
    assert.equal((await gate.ask(getOperation('jobs.result'), { id, limit: 1 })).code, 'result_expired');
  });
});
