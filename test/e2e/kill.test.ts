import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { openSite } from '#demo/site.ts';
import { openSqlite } from '#store/sqlite.ts';
import { readRows } from '#store/rows.ts';
import { checkBooks } from '../engine/queue.ts';
import { KEY, serveQuern } from '../support/quern.ts';
import type { Served } from '../support/quern.ts';
import { inTemporaryFolder } from '../support/store.ts';

const KILLS = 25;
const JOBS = 100;
const INLINE = 100;
const PATHS = ['/articles/a-year-at-the-mill', '/shop/whole-rye-flour', '/articles/grain-prices-this-autumn'];
const AT_ONCE = 6;

const Answered = z.looseObject({ id: z.string().optional(), request_id: z.string(), usage: z.unknown() });
const Job = z.object({ id: z.string(), status: z.string(), attempt: z.number() });
const Charge = z.object({ key: z.string(), credits: z.number() });
type Answered = z.output<typeof Answered>;

/** One call under its key; null when the service died or has not ended the call that it began. */
async function tryOnce(service: Served, { path, key, body }: Call): Promise<Answered | null> {
  try {
    const response = await fetch(service.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    });
    const answer = Answered.parse(await response.json());
    return response.ok ? answer : null;
  } catch {
    return null;
  }
}

type Call = { readonly path: string; readonly key: string; readonly body: unknown };

/** Works off the calls until they are all answered or the service is gone. */
async function drive(service: Served, open: Map<string, Call>, answers: Map<string, Answered>): Promise<void> {
  const waiting = [...open.values()];
  async function next(): Promise<void> {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const answer = await tryOnce(service, call);
      if (answer === null) continue;
      answers.set(call.key, answer);
      open.delete(call.key);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

test(
  `after ${KILLS} kills -9 each call and each job has one result and one charge`,
  { timeout: 120_000 },
  async (t) => {
    await inTemporaryFolder(async (folder) => {
      const site = await openSite({ port: 0 });
      t.after(async () => site.close());
      const clockFile = join(folder, 'clock');
      let interrupted = 0;
      let now = Date.parse('2026-11-21T12:00:00Z');
      const pass = (ms: number): void => writeFileSync(clockFile, new Date((now += ms)).toISOString());
      pass(0);
      const settings = {
        QUERN_ALLOW_TARGETS: new URL(site.origin).host,
        QUERN_CLOCK_FILE: clockFile,
        QUERN_LOG_LEVEL: 'silent',
      };
      const open = new Map<string, Call>();
      for (let at = 0; at < JOBS + INLINE; at += 1) {
        const input = { url: site.origin + (PATHS[at % PATHS.length] ?? '/') };
        const key = `call-${at}`;
        const isJob = at % 2 === 0;
        open.set(key, { key, path: isJob ? '/v1/jobs' : '/v1/fetch', body: isJob ? { kind: 'fetch', input } : input });
      }
      const answers = new Map<string, Answered>();
      const ended = new Map<string, string>();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const service = await serveQuern(folder, settings);
        const driving = drive(service, open, answers);
        await wait(10 + Math.random() * 120);
        service.signal('SIGKILL');
        await Promise.all([service.ended, driving]);
        if (open.size > 0) interrupted += 1;
        // Backoffs and dead holders have their time while nothing runs.
        pass(20_000);
        await inspect(folder, ended);
      }
      await using service = await serveQuern(folder, settings);
      while (open.size > 0) await drive(service, open, answers);
      for (const [key, { id }] of answers) {
        if (id === undefined) continue;
        for (let record = await service.call(`/v1/jobs/${id}?wait_ms=300`); ;) {
          if (['completed', 'failed'].includes(String(record.body['status']))) break;
          pass(2000);
          record = await service.call(`/v1/jobs/${id}?wait_ms=300`);
        }
        assert.match(key, /^call-/);
      }
      await inspect(folder, ended);
      await checkEnd(folder, answers);
      t.diagnostic(`${interrupted} of ${KILLS} kills met calls under way`);
    });
  },
);

/** I1, I2, I4, I7 between two lives of the service, and I11: what had ended stays as it ended. */
async function inspect(folder: string, ended: Map<string, string>): Promise<void> {
  const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
  try {
    await checkBooks({ db });
    for (const { id, status } of readRows(Job, await db.query('select id, status, attempt from jobs'))) {
      const before = ended.get(id);
      if (before !== undefined) assert.equal(status, before);
      if (!['queued', 'running'].includes(status)) ended.set(id, status);
    }
  } finally {
    await db.close();
  }
}

/** I3 and I13: what was answered is what was charged, each once. */
async function checkEnd(folder: string, answers: ReadonlyMap<string, Answered>): Promise<void> {
  const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
  try {
    const jobs = readRows(Job, await db.query('select id, status, attempt from jobs'));
    assert.equal(jobs.length, JOBS);
    // Only a job whose worker died five times may fail.
    for (const { status, attempt } of jobs) assert.ok(status === 'completed' || attempt === 5, `${status} ${attempt}`);
    const charges = readRows(Charge, await db.query("select key, credits from ledger where kind = 'charge'"));
    const inline = [...answers.values()].filter(({ id }) => id === undefined).map(({ request_id: id }) => id);
    const done = jobs.filter(({ status }) => status === 'completed').map(({ id }) => `job:${id}`);
    assert.equal(inline.length, INLINE);
    assert.deepEqual(charges.map(({ key }) => key).toSorted(), [...inline, ...done].toSorted());
    assert.equal(
      charges.every(({ credits }) => credits === 2),
      true,
    );
    assert.equal((await db.query('select key from reservations')).length, 0);
    const results = await db.query('select job_id from result_segments where seq = 0');
    assert.equal(results.length, done.length);
  } finally {
    await db.close();
  }
}
