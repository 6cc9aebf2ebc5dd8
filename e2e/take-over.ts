import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { checkBooks } from '#support/engine/queue.ts';
import { type Blackhole, openBlackhole } from '#support/blackhole.ts';
import { type FleetOptions, isEmpty, until, withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import type { RunningService, Settings } from '#support/quern.ts';

const PAGE = '/held/page';
const JOBS = 3;
const LEASE_MS = 31_000;
const FIRST_BACKOFF_MS = 2000;
const FROZEN_MS = 40_000;
/** A job as a long dead worker leaves it. */
const DIE = `update jobs set status = 'running', attempt = 1, started_at = due_at, lease_token = 'lost', lease_until = 0,
    worker_id = 'dead' where id = $1 and status = 'queued'`;
const FIRST_BEGINNINGS = "select id from jobs where status = 'running' and attempt = 1";

/** How a worker with running jobs becomes silent. */
export const SILENCES = ['SIGKILL', 'SIGSTOP', 'half-open link'] as const;
export type Silence = (typeof SILENCES)[number];

/**
 * A worker with running jobs becomes silent, and another takes the jobs over when their leases have expired. If the
 * first wakes again, its actions have no effect. Returns the ms from the silence until the other has started all jobs.
 */
export async function takeOver(silence: Silence, time: FleetOptions['time']): Promise<number> {
  return withFleet({ kind: 'postgres', time }, async (fleet) => {
    await using link = await openBlackhole(Number(new URL(fleet.url()).port));
    const api = await fleet.serve('api', { QUERN_JOB_SLOTS: '0' });
    const first = await fleet.work('first', silence === 'half-open link' ? through(link, fleet.url()) : {});
    const ids = await submit(api, fleet.site.origin + PAGE, JOBS);
    await fleet.site.until(() => fleet.site.visits(PAGE) === JOBS);
    const since = performance.now();
    if (silence === 'half-open link') link.swallow();
    else first.signal(silence);
    const second = await fleet.work('second');
    fleet.time.skip(LEASE_MS);
    await until('the jobs are taken from the first', async () => isEmpty(fleet, FIRST_BEGINNINGS));
    fleet.time.skip(FIRST_BACKOFF_MS);
    await fleet.site.until(() => fleet.site.visits(PAGE) === 2 * JOBS);
    const tookMs = performance.now() - since;
    if (time === 'real') await wait(Math.max(0, FROZEN_MS - tookMs));
    // The first gets its pages when it wakes, and has written everything when it has stopped.
    fleet.site.letGo(PAGE, JOBS);
    link.heal();
    if (silence === 'SIGSTOP') first.signal('SIGCONT');
    if (silence !== 'SIGKILL') assert.equal(await first.close(), 0);
    const { body } = await api.call('/v1/usage');
    assert.deepEqual([body['credits_used'], body['credits_reserved']], [0, 2 * JOBS]);
    fleet.site.letGo(PAGE);
    await checkCompleted(api, ids, { attempt: 2 });
    assert.equal(await second.close(), 0);
    await fleet.look(async (db) => checkBooks({ db }));
    assert.equal(fleet.site.visits(PAGE), 2 * JOBS);
    return tookMs;
  });
}

/** Sets the clock of a process ahead of the system clock by these ms, or behind it if negative. */
function ahead(ms: number): Settings {
  const shift = `const wall = Date.now; Date.now = () => wall() + ${ms};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` };
}

/** How many ms the clocks of two workers are ahead of the system clock. */
export type Clocks = { readonly first: number; readonly second: number };

/**
 * A worker runs a job, and another with a different clock looks for jobs of dead workers: it takes one of a dead
 * worker, and not the running one.
 */
export async function leaveTheLiving(clocks: Clocks): Promise<void> {
  await withFleet({ kind: 'postgres', time: 'real' }, async (fleet) => {
    const api = await fleet.serve('api', { QUERN_JOB_SLOTS: '0' });
    const first = await fleet.work('first', { QUERN_JOB_SLOTS: '1', ...ahead(clocks.first) });
    const [living = ''] = await submit(api, fleet.site.origin + PAGE, 1);
    await fleet.site.until(() => fleet.site.visits(PAGE) === 1);
    // From here only the other process can take a job from a worker.
    first.signal('SIGSTOP');
    const [dead = ''] = await submit(api, fleet.site.origin + PAGE, 1);
    await fleet.look(async (db) => db.query(DIE, [dead]));
    await fleet.work('second', ahead(clocks.second));
    await fleet.site.until(() => fleet.site.visits(PAGE) === 2);
    const rows = await fleet.look(async (db) => db.query('select id, attempt from jobs order by id'));
    assert.deepEqual(
      new Map(rows.map(({ id, attempt }) => [id, attempt])),
      new Map([
        [living, 1],
        [dead, 2],
      ]),
    );
    first.signal('SIGCONT');
    fleet.site.letGo(PAGE);
    for (const id of [living, dead]) {
      const { body } = await api.call(`/v1/jobs/${id}?wait_ms=30000`);
      assert.deepEqual([body['status'], body['attempt']], ['completed', id === living ? 1 : 2]);
    }
    await fleet.look(async (db) => checkBooks({ db }));
  });
}

/** Submits jobs for one page; returns their ids. */
export async function submit(service: RunningService, url: string, count: number): Promise<readonly string[]> {
  const order = { kind: 'fetch', input: { url } };
  const answers = await Promise.all(Array.from({ length: count }, async () => service.call('/v1/jobs', order)));
  return answers.map(({ body }) => textAt(body, 'id'));
}

/** Waits for the only jobs of the service, and checks that each was charged once. */
export async function checkCompleted(
  service: RunningService,
  ids: readonly string[],
  { attempt }: { readonly attempt: number },
): Promise<void> {
  for (const id of ids) {
    const { body } = await service.call(`/v1/jobs/${id}?wait_ms=30000`);
    assert.deepEqual([body['status'], body['attempt']], ['completed', attempt], JSON.stringify(body['error']));
  }
  const { body } = await service.call('/v1/usage');
  assert.deepEqual([body['credits_used'], body['credits_reserved']], [2 * ids.length, 0]);
}

/** The database through a separate link; after 3 s of silence it counts as dead. */
function through({ port }: Blackhole, database: string): Settings {
  const url = new URL(database);
  url.port = String(port);
  url.searchParams.set('query_timeout', '3000');
  return { QUERN_DATABASE_URL: url.href };
}
