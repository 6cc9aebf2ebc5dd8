import assert from 'node:assert/strict';
import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { MonitorRecord } from '#features/monitors/store/monitor-record.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { openJobTools, getOperation } from '../support/engine/queue.ts';
import { createMonitorCalls } from '../support/engine/monitoring.ts';

const DAY_MS = 24 * 3600 * 1000;
const Jobs = z.object({ data: z.array(JobRecord), next_cursor: z.string().nullable() });
const Monitors = z.object({ data: z.array(MonitorRecord), next_cursor: z.string().nullable() });

/** A fetch input with the given number of fields of 1000 characters, and a secret. */
function longInput(fields: number) {
  const selector = `.${'a'.repeat(999)}`;
  const named = Array.from({ length: fields }, (_, at) => [`field_${at}`, { selector }]);
  return {
    cookies: [{ name: 'a', value: 's3cret' }],
    extract: { fields: Object.fromEntries(named) },
    output: ['json'],
  };
}

async function pageOfJobs(gate: Gate, more: object) {
  const { answer } = await gate.ask(getOperation('jobs.list'), { limit: 1000, ...more });
  const text = JSON.stringify(answer?.body);
  return { text, ...Jobs.parse(answer?.body) };
}

onEveryStore(
  'a job list truncates long inputs and masks secrets, and the job itself has its whole input',
  async (store) => {
    await withGate({ store }, async (gate) => {
      const jobs = openJobTools(gate);
      const short = await jobs.queued();
      const long = await jobs.queued(longInput(49));
      const { data, text } = await pageOfJobs(gate, {});
      const shown = new Map(data.map((job) => [job.id, job]));
      assert.deepEqual(shown.get(short)?.input, { url: SITE });
      assert.equal(shown.get(short)?.summarized, undefined);
      assert.equal(shown.get(long)?.summarized, true);
      assert.equal(shown.get(long)?.input?.['url'], SITE);
      assert.ok(text.length < 8000, `${text.length} characters`);
      assert.ok(!text.includes('s3cret'));
      const whole = await jobs.show(long);
      assert.ok(JSON.stringify(whole.input).length > 49_000);
      assert.equal(whole.summarized, undefined);
      await jobs.cancel(long);
      await jobs.cancel(long);
      assert.equal((await pageOfJobs(gate, {})).data.find(({ id }) => id === long)?.input, null);
      const [kept] = await gate.db.query('select summary from jobs where id = $1', [long]);
      assert.equal(kept?.['summary'], null);
    });
  },
);

onEveryStore('a page of a list ends before it is too large, and its cursor continues with the rest', async (store) => {
  await withGate({ store, limits: { queued_jobs: null } }, async (gate) => {
    const jobs = openJobTools(gate);
    const ids = await Promise.all(Array.from({ length: 220 }, async () => jobs.queued(longInput(40))));
    await gate.db.query("update jobs set error_message = $1, error_code = 'timeout'", ['e'.repeat(9000)]);
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof pageOfJobs>> = await pageOfJobs(gate, cursor === null ? {} : { cursor });
      assert.ok(page.text.length < 1.1 * 1024 * 1024, `${page.text.length} characters`);
      pages.push(page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(pages.flat(), ids.toSorted().toReversed());
    assert.ok(pages.length > 1);
  });
});

onEveryStore('the plan limits the input size of jobs and monitors', async (store) => {
  await withGate({ store, limits: { input_bytes: 5000 } }, async (gate) => {
    const long = longInput(20);
    const refused = await openJobTools(gate).submit(long);
    assert.equal(refused.code, 'invalid_request');
    assert.match(refused.error?.message ?? '', /^input: .*input_bytes/);
    const monitors = createMonitorCalls(gate);
    const watched = { cron: null, active: false, extract: long.extract };
    const refusedMonitor = await monitors.create(watched);
    assert.match(refusedMonitor.error?.message ?? '', /^extract: .*input_bytes/);
    const id = await monitors.made({ cron: null, active: false });
    const { error } = await monitors.ask('update', { id, extract: long.extract });
    assert.match(error?.message ?? '', /^extract: .*input_bytes/);
  });
});

onEveryStore('the plan limits the number of monitors, including inactive ones', async (store) => {
  await withGate({ store, limits: { monitors: 3 } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const watched = { active: false, extract: longInput(40).extract };
    const codes = await Promise.all(Array.from({ length: 6 }, async () => (await monitors.create(watched)).code));
    assert.equal(codes.filter((code) => code === 'ok').length, 3);
    assert.equal(codes.filter((code) => code === 'plan_upgrade_required').length, 3);
    const { answer } = await monitors.ask('list', {});
    const { data } = Monitors.parse(answer?.body);
    assert.ok(JSON.stringify(answer?.body).length < 20_000);
    assert.deepEqual(
      data.map(({ summarized, url }) => [summarized, url]),
      data.map(() => [true, SITE]),
    );
    const [first] = data;
    await monitors.ask('delete', { id: first?.id });
    assert.equal((await monitors.create(watched)).code, 'ok');
  });
});

onEveryStore('the plan limits the jobs and input bytes within the retention time of results', async (store) => {
  const limits = { kept_jobs: 5, kept_input_bytes: 30_000, results_kept_days: 2 };
  await withGate({ store, limits }, async (gate) => {
    const jobs = openJobTools(gate);
    const callForCodes = async (times: number, input: object) =>
      Promise.all(Array.from({ length: times }, async () => (await jobs.submit({ ...input })).code));
    assert.deepEqual((await callForCodes(3, longInput(12))).toSorted(), ['ok', 'ok', 'queue_full']);
    assert.deepEqual(await callForCodes(2, {}), ['ok', 'ok']);
    gate.clock.pass(10);
    assert.deepEqual((await callForCodes(3, {})).toSorted(), ['ok', 'queue_full', 'queue_full']);
    const refused = await jobs.submit();
    assert.match(refused.error?.message ?? '', /kept_jobs/);
    const other = await gate.tenants.create('other', 'starter');
    assert.equal((await jobs.submit({}, { as: other })).code, 'ok');
    gate.clock.pass(2 * DAY_MS + 1000);
    assert.deepEqual((await callForCodes(6, {})).toSorted(), ['ok', 'ok', 'ok', 'ok', 'ok', 'queue_full']);
  });
});
