import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { withFleet } from '#support/fleet.ts';
import { checkCompleted, leaveTheLiving, SILENCES, submit, takeOver } from './take-over.ts';

suite('jobs of a process that has stopped', { concurrency: 3 }, () => {
  for (const silence of SILENCES) {
    test(`${silence}: another worker takes the jobs over, and each is charged once`, async () => {
      await takeOver(silence, 'rehearsed');
    });
  }

  for (const kind of STORE_KINDS) {
    test(`${kind}: SIGTERM requeues running jobs unchanged, and the next process completes them`, async () => {
      await withFleet({ kind, time: 'real' }, async (fleet) => {
        const page = '/held/page';
        const first = await fleet.serve('first');
        const ids = await submit(first, fleet.site.origin + page, 3);
        await fleet.site.until(() => fleet.site.visits(page) === 3);
        assert.equal(await first.close(), 0);
        const second = await fleet.serve('second');
        await fleet.site.until(() => fleet.site.visits(page) === 6);
        fleet.site.letGo(page);
        await checkCompleted(second, ids, { attempt: 1 });
        await fleet.look(async (db) => checkBooks({ db }));
      });
    });
  }

  test('a worker whose clock is 45 s ahead takes no job from a live worker', async () => {
    await leaveTheLiving({ first: 0, second: 45_000 });
  });

  test('no job is taken from a live worker whose clock is 45 s behind', async () => {
    await leaveTheLiving({ first: -45_000, second: 0 });
  });

  test('two workers with one job slot each run one of two jobs each', async () => {
    await withFleet({ kind: 'postgres', time: 'real' }, async (fleet) => {
      const page = '/held/page';
      const api = await fleet.serve('api', { QUERN_JOB_SLOTS: '0' });
      await Promise.all(['one', 'two'].map(async (name) => fleet.work(name, { QUERN_JOB_SLOTS: '1' })));
      const ids = await submit(api, fleet.site.origin + page, 2);
      await fleet.site.until(() => fleet.site.visits(page) === 2);
      fleet.site.letGo(page);
      await checkCompleted(api, ids, { attempt: 1 });
      assert.equal(fleet.site.visits(page), 2);
    });
  });
});
