import assert from 'node:assert/strict';
import type { Visit } from '#access/page.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, isBlocked, SITE, withGate } from './gate.ts';
import { checkBooks, runClaimed } from '../support/engine/queue.ts';
import { createMonitorCalls } from '../support/engine/monitoring.ts';
import { hangsAt, serves, type Site } from '../support/engine/crawl-modes.ts';

/** Each page links to the next. */
const chain: Site = (path) => {
  const at = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1]);
  return Number.isNaN(at) || at > 9 ? null : { links: [`/p${at + 1}`] };
};
const buildTiers = (visit: Visit) => ({ http: isBlocked, browser: isBlocked, proxy: visit });
const TARGETS = [
  { operation: 'crawl', input: { url: SITE, delay_ms: 0, max_pages: 20 } },
  { operation: 'map', input: { url: SITE, delay_ms: 0, sources: ['links'], max_depth: 20 } },
] as const;

/** A monitor of a crawl, with its first run in progress. */
async function begin(gate: Gate, target: (typeof TARGETS)[number], death: ReturnType<typeof hangsAt>['death']) {
  const monitors = createMonitorCalls(gate);
  const { answer, error } = await monitors.ask('create', { target, cron: '0 * * * *' });
  if (answer === null) throw error ?? new Error('no answer');
  const id = String(answer.body['id']);
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  const stop = new AbortController();
  const running = runClaimed(gate, claimed, stop.signal);
  await death.came;
  const [charged] = await gate.db.query('select sum(credits) as credits from ledger');
  assert.ok(Number(charged?.['credits']) > 0, 'nothing is charged yet');
  return { monitors, id, claimed, stop, running };
}

for (const target of TARGETS) {
  const { operation } = target;

  onEveryStore(`a run of a ${operation} that is cancelled midway costs nothing`, async (store) => {
    const { visit, death } = hangsAt('/p5', serves(chain));
    await withGate({ store, tierVisits: buildTiers(visit) }, async (gate) => {
      const { monitors, id, stop, running } = await begin(gate, target, death);
      await monitors.ask('delete', { id });
      stop.abort(new JobStopped('cancelled'));
      death.end();
      await running;
      assert.deepEqual(await gate.spent(), [0, 0]);
      const [run] = await gate.db.query('select status, usage from monitor_runs');
      assert.deepEqual({ ...run }, { status: 'cancelled', usage: null });
      await checkBooks(gate);
    });
  });

  onEveryStore(`a run of a ${operation} that is cancelled while it waits costs nothing`, async (store) => {
    const { visit, death } = hangsAt('/p5', serves(chain));
    await withGate({ store, tierVisits: buildTiers(visit) }, async (gate) => {
      const { monitors, id, stop, running } = await begin(gate, target, death);
      stop.abort(new JobStopped('drained'));
      death.end();
      await running;
      assert.ok((await gate.spent())[0] > 0);
      await monitors.ask('delete', { id });
      assert.deepEqual(await gate.spent(), [0, 0]);
      await checkBooks(gate);
    });
  });

  onEveryStore(`a run of a ${operation} whose worker keeps dying fails and costs nothing`, async (store) => {
    const { visit, death } = hangsAt('/p5', serves(chain));
    await withGate({ store, tierVisits: buildTiers(visit) }, async (gate) => {
      const { monitors, id, running } = await begin(gate, target, death);
      for (let life = 0; life < 6 && (await monitors.latestRun(id)).status !== 'failed'; life += 1) {
        gate.clock.pass(31_000);
        await gate.queue.leases.recover(null, async () => gate.plan);
        gate.clock.pass(1000);
        await gate.queue.leases.claim(`w${life}`, 1);
      }
      death.end();
      assert.equal(await running, 'lost');
      assert.equal((await monitors.latestRun(id)).status, 'failed');
      assert.deepEqual((await gate.spent())[0], 0);
      await checkBooks(gate);
    });
  });
}

onEveryStore('a run of an interrupted crawl fails and is free', async (store) => {
  const { visit, death } = hangsAt('/p5', serves(chain));
  await withGate({ store, tierVisits: { http: visit }, limits: { credits_per_month: 40 } }, async (gate) => {
    const { monitors, id, stop, running } = await begin(gate, TARGETS[0], death);
    stop.abort(new JobStopped('drained'));
    death.end();
    await running;
    while ((await gate.fetch()).code === 'ok');
    const [spent] = await gate.spent();
    const [again] = await gate.queue.leases.claim('w2', 1);
    assert.ok(again !== undefined);
    await runClaimed(gate, again);
    assert.match((await monitors.latestRun(id)).status, /^(?:failed|skipped)$/);
    assert.ok((await gate.spent())[0] < spent);
    await checkBooks(gate);
  });
});
