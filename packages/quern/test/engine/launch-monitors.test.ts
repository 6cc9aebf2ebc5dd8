import assert from 'node:assert/strict';
import { buildMovingLaunches } from '#demo/sites/launches.ts';
import type { Visit } from '#access/page.ts';
import { onEveryStore } from '../support/store.ts';
import { readEvents, createSiteMonitorCalls } from '../support/engine/hotels.ts';
import { createMonitorCalls, runAll } from '../support/engine/monitoring.ts';
import { buildTestPage, withGate } from './gate.ts';

const HOST = 'www.producthunt.com';
const WEBHOOK = 'https://hooks.example/launch';

/** A mock launch site for the tier `http`. */
function openLaunches() {
  const { web } = buildMovingLaunches().origins;
  function answer(url: URL, method: string, body = '') {
    return web?.({ method, url, headers: {}, body, visits: 1, origins: {} }) ?? null;
  }
  const visit: Visit = async ({ url }) => {
    const reply = answer(url, 'GET');
    return buildTestPage({ url: url.href, status: reply?.status ?? 404, text: String(reply?.body ?? '') });
  };
  return {
    options: { tierVisits: { http: visit }, allow: HOST },
    rise: (upvotes: number) =>
      answer(new URL(`https://${HOST}/rehearsal/upvotes`), 'POST', JSON.stringify({ upvotes })),
  };
}

onEveryStore('a launch monitor reports when upvotes reach a threshold, with all ten operations', async (store) => {
  const { options, rise } = openLaunches();
  await withGate({ ...options, store }, async (gate) => {
    const launches = createSiteMonitorCalls(gate, 'launches');
    const body = { product: 'mill-planner', watch: { thresholds: { abs: 10 } }, cron: '@hourly', webhook: WEBHOOK };
    const made = await launches.body('create', body);
    const id = String(made['id']);
    assert.deepEqual([made['kind'], made['slug'], made['name']], ['launch', 'mill-planner', 'mill-planner']);
    await runAll(gate);
    assert.deepEqual((await launches.latestRun(id)).values, { upvotes: 512 });
    const trigger = async () => {
      gate.clock.pass(11_000);
      const { answer } = await launches.ask('trigger', { id });
      assert.deepEqual([answer?.status, answer?.body['status']], [202, 'queued']);
      await runAll(gate);
    };
    rise(521);
    await trigger();
    assert.deepEqual(await launches.changes(id), []);
    rise(522);
    await trigger();
    const [change] = await launches.changes(id);
    const changes = [
      { field: 'upvotes', previous_value: 512, new_value: 522, op: 'modified', diff: { abs: 10, pct: 1.9531 } },
    ];
    assert.deepEqual(change?.changes, changes);
    const [event, ...rest] = await readEvents(gate);
    assert.deepEqual([event?.type, event?.data, rest], ['monitor.change_detected', { changes }, []]);
    assert.equal((await createMonitorCalls(gate).show(id)).kind, 'launch');
    const patched = await launches.body('update', { id, watch: { thresholds: { pct: 50 } }, active: false });
    assert.deepEqual([patched['active'], patched['slug']], [false, 'mill-planner']);
    assert.equal((await launches.ask('update', { id, slug: 'other' })).code, 'invalid_request');
    assert.equal((await launches.ask('delete', { id })).answer?.status, 204);
    assert.deepEqual((await launches.body('list', {}))['data'], []);
  });
});
