import assert from 'node:assert/strict';
import { z } from 'zod';
import { onEveryStore } from '../support/store.ts';
import { SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, openWorker, getOperation, runClaimed } from '../support/engine/queue.ts';
import { hangsAt, serves, buildSite } from '../support/engine/crawl-modes.ts';

const site = buildSite({ '/': { links: ['/a', '/b'] }, '/a': { links: [] }, '/b': { links: [] } });
const HOUR_MS = 3_600_000;
const Ended = z.object({ status: z.string(), attempt: z.number() });

onEveryStore(
  'a worker whose clock is set forward keeps its own job, and takes over only those of others',
  async (store) => {
    const { visit, death } = hangsAt(
      '/held',
      serves(() => ({ links: [] })),
    );
    await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
      const jobs = openJobTools(gate);
      const abandoned = await jobs.queued();
      assert.equal((await gate.queue.leases.claim('another', 1)).length, 1);
      const held = await jobs.queued({ url: `${SITE}held` });
      const worker = openWorker(gate, 'w1', 2);
      await death.came;
      gate.clock.pass(HOUR_MS);
      const signal = AbortSignal.timeout(60_000);
      const taken = await gate.queue.jobs.waitForEnd(gate.tenant, abandoned, { ms: 60_000, signal });
      assert.deepEqual(Ended.parse(taken.record), { status: 'completed', attempt: 2 });
      death.end();
      const kept = await gate.queue.jobs.waitForEnd(gate.tenant, held, { ms: 60_000, signal });
      assert.deepEqual(Ended.parse(kept.record), { status: 'completed', attempt: 1 });
      await worker.drain();
      await checkBooks(gate);
    });
  },
);

onEveryStore('a crawl continues under its lease when its clock is set forward', async (store) => {
  const { visit, death } = hangsAt('/a', serves(site));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const order = { kind: 'crawl', input: { url: SITE, delay_ms: 0 } };
    assert.equal((await gate.ask(getOperation('jobs.submit'), order)).code, 'ok');
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    const running = runClaimed(gate, claimed);
    await death.came;
    gate.clock.pass(60_000);
    death.end();
    assert.equal(await running, 'ok');
    assert.deepEqual(await gate.spent(), [6, 0]);
    await checkBooks(gate);
  });
});
