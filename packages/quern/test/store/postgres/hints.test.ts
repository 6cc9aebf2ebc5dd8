import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { openPostgresHints } from '#store/postgres-hints.ts';
import { openPostgres, POSTGRES_LIMITS } from '#store/postgres.ts';
import { openBlackhole } from '../../support/blackhole.ts';
import { withSchema } from '../../support/schema.ts';
import { ignore } from '../../support/store.ts';

const PATIENCE_MS = 60_000;
const CUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'quern hints' and query like 'listen%' and query like $1`;

/** One process: its store and its listener. */
async function openEar(url: string) {
  const db = openPostgres(url, { ...POSTGRES_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
  const hints = await openPostgresHints({ url, db, clock: SYSTEM_CLOCK });
  const heard: string[] = [];
  hints.onHint((topic) => heard.push(topic));
  return { db, hints, heard, [Symbol.asyncDispose]: async () => hints.close().then(async () => db.close()) };
}

type Ear = Awaited<ReturnType<typeof openEar>>;

/** Sends until it is received: a listener may still be connecting or reconnecting. */
async function untilHeard(from: Ear, to: Ear, topic: string): Promise<void> {
  const late = performance.now() + PATIENCE_MS;
  while (!to.heard.includes(topic)) {
    assert.ok(performance.now() < late, `${topic} was not heard`);
    from.hints.send(topic);
    await wait(20);
  }
}

test('a notification reaches every other process on the same data and nobody else', async () => {
  await withSchema(async (url) =>
    withSchema(async (other) => {
      await using one = await openEar(url);
      await using two = await openEar(url);
      await using stranger = await openEar(other);
      await untilHeard(one, two, 'job_1');
      await untilHeard(two, one, 'queue');
      assert.ok(!one.heard.includes('job_1'));
      const many = Array.from({ length: 1000 }, (_, at) => `job_${at}`);
      for (const topic of many) one.hints.send(topic);
      await untilHeard(one, two, 'last');
      assert.deepEqual(new Set(many).difference(new Set(two.heard)), new Set());
      assert.deepEqual(stranger.heard, []);
    }),
  );
});

test('reconnects after the LISTEN connection drops, and ignores foreign notifications in the channel', async () => {
  await withSchema(async (url) => {
    await using one = await openEar(url);
    await using two = await openEar(url);
    await untilHeard(one, two, 'before');
    const [row] = await one.db.query(
      "select query from pg_stat_activity where application_name = 'quern hints' and query like 'listen%' limit 1",
    );
    const channel = /"(quern_[0-9a-f]{16})"/.exec(String(row?.['query']))?.[1] ?? '';
    for (const payload of ['', 'no json', '{"from":1}', '{"from":"x","topics":[1]}']) {
      await one.db.query('select pg_notify($1, $2)', [channel, payload]);
    }
    await one.db.query(CUT, [`%${channel}%`]);
    await untilHeard(one, two, 'after');
    await untilHeard(two, one, 'back');
  });
});

test('closes the LISTEN connection even if its link has gone silent', async () => {
  await withSchema(async (schema) => {
    await using blackhole = await openBlackhole(Number(new URL(schema).port));
    const url = new URL(schema);
    url.port = String(blackhole.port);
    await using direct = await openEar(schema);
    const ear = await openEar(url.href);
    await untilHeard(direct, ear, 'before');
    blackhole.swallow();
    await ear.hints.close();
    await ear.db.close();
  });
});
