import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { checkBooks } from '#support/engine/queue.ts';
import { runHere } from '#support/command.ts';
import { isEmpty, until, withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import { writePlans } from '#support/plans.ts';
import type { RunningService } from '#support/quern.ts';

const OPEN = "select id from jobs where status in ('queued', 'running')";
const CREDITS = 40;
const CALLS = 60;
const WAVES = [1, 100, 400];
const LINES = 16;

const Made = z.object({ key: z.string() });
const End = z.object({ status: z.string(), error: z.object({ code: z.string() }).nullable() });

test('services that compete for the last credits with jobs and inline calls spend exactly the balance', async () => {
  await withFleet({ kind: 'postgres', time: 'real' }, async (fleet) => {
    const settings = { QUERN_PLANS_FILE: await writePlans(fleet.folder, { credits_per_month: CREDITS }) };
    const services = await Promise.all(['one', 'two'].map(async (name) => fleet.serve(name, settings)));
    const asStarter = ['keys', 'create', '--plan', 'starter', '--name', 'shared', '--json'];
    const made = await runHere(fleet.folder, asStarter, { ...fleet.settings, ...settings });
    const { key } = Made.parse(JSON.parse(made.out));
    const calls = Array.from({ length: CALLS }, async (_, at) => {
      const input = { url: `${fleet.site.origin}/${at}` };
      const service = services[at % services.length];
      // Two jobs for each inline call, so that there are more of each than the balance can pay for.
      if (at % 3 === 0) return service?.call('/v1/fetch', input, key);
      return service?.call('/v1/jobs', { kind: 'fetch', input }, key);
    });
    const answers = await Promise.all(calls);
    await until('every job has ended', async () => isEmpty(fleet, OPEN));
    const served = answers.filter((answer) => answer?.status === 200).length;
    const [service] = services;
    const records = answers.filter((answer) => answer?.status === 202).map((answer) => textAt(answer?.body, 'id'));
    const ends = await Promise.all(
      records.map(async (id) => {
        const record = await service?.call(`/v1/jobs/${id}`, undefined, key);
        const { status, error } = End.parse(record?.body);
        return error?.code ?? status;
      }),
    );
    assert.deepEqual(new Set(ends).difference(new Set(['completed', 'credits_exhausted'])), new Set());
    assert.equal(2 * (served + ends.filter((end) => end === 'completed').length), CREDITS);
    const usage = await service?.call('/v1/usage', undefined, key);
    assert.deepEqual([usage?.body['credits_used'], usage?.body['credits_reserved']], [CREDITS, 0]);
    await fleet.look(async (db) => checkBooks({ db }));
  });
});

test('waves of 1, 100 and 400 jobs empty the queue, and each job runs once in one process', async () => {
  await withFleet({ kind: 'postgres', time: 'real' }, async (fleet) => {
    const services = await Promise.all(['one', 'two'].map(async (name) => fleet.serve(name)));
    await fleet.work('three');
    for (const size of WAVES) {
      await submitWave(services, { origin: fleet.site.origin, size });
      await until('the queue is empty', async () => isEmpty(fleet, OPEN));
      for (let at = 0; at < size; at += 1) assert.equal(fleet.site.visits(`/wave/${size}/${at}`), 1);
    }
    await fleet.look(async (db) => {
      await checkBooks({ db });
      assert.deepEqual(await db.query("select id from jobs where status <> 'completed' or attempt <> 1"), []);
    });
  });
});

/** Submits a job for each page of a wave, at once on all services. */
async function submitWave(
  services: readonly RunningService[],
  wave: { readonly origin: string; readonly size: number },
) {
  let next = 0;
  async function line(service: RunningService): Promise<void> {
    for (let at = next++; at < wave.size; at = next++) {
      const input = { url: `${wave.origin}/wave/${wave.size}/${at}` };
      assert.equal((await service.call('/v1/jobs', { kind: 'fetch', input })).status, 202);
    }
  }
  await Promise.all(services.flatMap((service) => Array.from({ length: LINES }, async () => line(service))));
}
