import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { checkBooks } from '#support/engine/queue.ts';
import { until, withFleet } from '#support/fleet.ts';
import { checkLoad, startLoad } from '#support/load.ts';
import { runStatement, startPostgres } from '#testkit/postgres.ts';
import type { RunningService } from '#support/quern.ts';

const CUTS = 8;
const CUT_EVERY_MS = 60;
const CUT =
  'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null';

/** Waits until the readiness of each service has the given status. */
async function untilReadiness(services: readonly RunningService[], status: 200 | 503): Promise<void> {
  await until(`/readyz says ${status}`, async () => {
    const answers = await Promise.all(services.map(async (service) => service.call('/readyz')));
    return answers.every((answer) => answer.status === status);
  });
}

test('repeated connection losses and a database restart lose nothing and charge nothing twice', async () => {
  const server = await startPostgres();
  try {
    await withFleet({ kind: 'postgres', time: 'rehearsed', delayMs: () => 10, server: server.url }, async (fleet) => {
      const services = await Promise.all(
        ['one', 'two'].map(async (name) => fleet.serve(name, { QUERN_JOB_SLOTS: '4' })),
      );
      await fleet.work('three', { QUERN_JOB_SLOTS: '4' });
      fleet.time.run(10);
      const load = startLoad({ origin: fleet.site.origin, services: () => services, atOnce: 6 });
      for (let cut = 0; cut < CUTS; cut += 1) {
        await runStatement(server.url, CUT);
        await wait(CUT_EVERY_MS);
      }
      await fleet.look(async (db) => checkBooks({ db }));
      await server.pause();
      try {
        await untilReadiness(services, 503);
      } finally {
        await server.resume();
      }
      await untilReadiness(services, 200);
      const before = load.answers.size;
      await until('calls are answered again', async () => load.answers.size > before);
      load.end();
      await load.done;
      const { givenUp } = await checkLoad(fleet, load, () => services);
      assert.equal(givenUp, 0);
    });
  } finally {
    await server.stop();
  }
});

test('all callers are served when they far outnumber the database connections', async () => {
  await withFleet({ kind: 'postgres', time: 'real' }, async (fleet) => {
    const services = [await fleet.serve('one')];
    const load = startLoad({ origin: fleet.site.origin, services: () => services, atOnce: 150, most: 300 });
    await load.done;
    const { inline, jobs, begunAgain } = await checkLoad(fleet, load, () => services);
    assert.deepEqual({ inline, jobs, begunAgain }, { inline: 150, jobs: 150, begunAgain: 0 });
  });
});
