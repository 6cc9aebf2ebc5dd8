import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { CommandProcess } from '#demo/service.ts';
import type { Queryable, StoreKind } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { isEmpty, until, withFleet } from '#support/fleet.ts';
import { KEY } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';

const MONITORS = 6;
const MINUTE_MS = 60_000;
/** A minute passes in three seconds: leases of 30 s expire after one and a half. */
const TIMES = 20;
const EVENT = 'webhook-id';
/** The page that is missing at every second visit. */
const GONE = '/0';
const SETTINGS = { QUERN_ALLOW_TARGETS: '127.0.0.0/8', QUERN_JOB_SLOTS: '4' };

const WRONG = `select 'a run without its one charge' as what, count(*) as n from monitor_runs where status = 'completed'
    and (select count(*) from ledger where key = 'job:' || monitor_runs.id and kind = 'charge') <> 1
  union all select 'a charge without a completed run', count(*) from ledger where key like 'job:run%'
    and not exists (select 1 from monitor_runs where key = 'job:' || monitor_runs.id and status = 'completed')
  union all select 'a run that says it changed, without its one change', count(*) from monitor_runs where changed = 1
    and (select count(*) from monitor_changes where run_id = monitor_runs.id) <> 1
  union all select 'a change of a run that says it did not', count(*) from monitor_changes
    where not exists (select 1 from monitor_runs where id = run_id and changed = 1 and change_id = monitor_changes.id)
  union all select 'a change without its one delivery', count(*) from monitor_changes
    where (select count(*) from deliveries where delivery_ids = '["' || deliveries.id || '"]') <> 1
  union all select 'a delivery without a change', count(*) from deliveries
    where type = 'monitor.change_detected' and not exists (select 1 from monitor_changes where delivery_ids = '["' || deliveries.id || '"]')
  union all select 'an active run without its job, or the other way round', count(*) from monitor_runs
    where (status = 'queued') <> exists (select 1 from jobs where jobs.id = monitor_runs.id)`;
const TICKS = `select monitor_id, min(scheduled_for) as first, max(scheduled_for) as last,
    sum(coalesce(missed_ticks, 1)) as ticks
  from monitor_runs where started_by in ('schedule', 'catch_up') group by monitor_id`;
const ENDED = `select id, monitor_id, status from monitor_runs where status in ('completed', 'failed')
  order by monitor_id, id`;
const STATES = "select type, body from deliveries where type <> 'monitor.change_detected'";
const FOUND_CHANGE = 'select id from monitor_changes limit 1';
const CHANGES = 'select monitor_id, record from monitor_changes order by monitor_id, id';

const Wrong = z.object({ what: z.string(), n: z.number() });
const Ticks = z.object({ first: z.number(), last: z.number(), ticks: z.number() });
const Entry = z.object({ previous_value: z.number(), new_value: z.number() });
const Changed = z.object({
  monitor_id: z.string(),
  record: z.string().transform((record) => z.object({ changes: z.array(Entry) }).parse(JSON.parse(record))),
});

const EndedRun = z.object({ id: z.string(), monitor_id: z.string(), status: z.enum(['completed', 'failed']) });
const StateEvent = z.object({
  type: z.string(),
  body: z.string().transform((body) => z.object({ run_id: z.string() }).parse(JSON.parse(body))),
});

/** Consecutive failed runs before a monitor reports that it is failing. */
const FAILING_AFTER = 1;

export type Survived = {
  readonly runs: number;
  readonly changes: number;
  readonly states: number;
  readonly received: number;
};

/**
 * Kills processes whose monitors watch a price that always changes, and a page that comes and goes. Each change,
 * failure and recovery must be detected and sent exactly once.
 */
export async function surviveMonitorKills(kind: StoreKind, kills: number): Promise<Survived> {
  await using market = await openMarket();
  // Awaited here, so that the shop is not closed earlier.
  return await withFleet({ kind, time: 'rehearsed' }, async (fleet) => {
    const open = [
      async () => fleet.serve('one', SETTINGS),
      ...(kind === 'sqlite' ? [] : [async () => fleet.work('two', SETTINGS)]),
    ];
    const living: CommandProcess[] = [];
    const service = await fleet.serve('one', SETTINGS);
    living.push(service);
    for (const start of open.slice(1)) living.push(await start());
    await createAll(service.origin, market.origin);
    fleet.time.run(TIMES);
    for (let kill = 0; kill < kills; kill += 1) {
      const before = market.visits();
      // One tick of all monitors has passed, and the next is running.
      await until('pages are asked for', async () => market.visits() > before + MONITORS);
      await wait(Math.random() * 120);
      const at = kill % living.length;
      living[at]?.signal('SIGKILL');
      await living[at]?.ended;
      const again = await open[at]?.();
      if (again !== undefined) living[at] = again;
      await fleet.look(async (db) => check(db));
    }
    // All visits before a kill may be from one tick, and a change needs two.
    await until('a change is found', async () => !(await isEmpty(fleet, FOUND_CHANGE)));
    await until('a page is gone or back', async () => !(await isEmpty(fleet, STATES)));
    fleet.time.run(0);
    await fleet.look(async (db) => db.query('update monitors set next_run_at = null, due_at = null'));
    fleet.time.run(TIMES);
    await until('all runs have ended', async () => isEmpty(fleet, 'select id from jobs limit 1'));
    const waits = "select id from deliveries where status in ('pending', 'delivering') limit 1";
    await until('all events are delivered', async () => isEmpty(fleet, waits));
    return fleet.look(async (db) => {
      await check(db);
      await checkBooks({ db });
      await checkTicks(db);
      const changes = await checkChain(db);
      const states = await checkStates(db);
      if (market.received.size !== changes + states)
        throw new Error(`${changes} changes and ${states} states, ${market.received.size} events received`);
      const runs = await db.query("select id from monitor_runs where status = 'completed'");
      return { runs: runs.length, changes, states, received: market.received.size };
    });
  });
}

/** A shop with another price at each visit and a page that comes and goes, and the receiver of the events. */
async function openMarket() {
  let visits = 0;
  let goneVisits = 0;
  const received = new Set<string>();
  const site = await startHttpServer((request, response) => {
    if (request.method === 'GET') {
      visits += 1;
      response.setHeader('content-type', 'text/html');
      if (request.url === GONE && goneVisits++ % 2 === 1) response.statusCode = 404;
      response.end(`<h1>Rye flour</h1><p class="price">${visits}.00 EUR</p><p>${'Milled fresh. '.repeat(20)}</p>`);
      return;
    }
    text(request).then(
      () => received.add(String(request.headers[EVENT])) && response.end(),
      () => response.destroy(),
    );
  });
  return { ...site, visits: () => visits, received };
}

async function createAll(origin: string, shop: string): Promise<void> {
  for (let n = 0; n < MONITORS; n += 1) {
    const answer = await fetch(`${origin}/v1/monitors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `${shop}/${n}`,
        extract: { price: { selector: '.price', type: 'money' } },
        cron: '* * * * *',
        watch: { failing_after: FAILING_AFTER },
        webhook: `${shop}/hook`,
      }),
    });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  }
}

async function check(db: Queryable): Promise<void> {
  const wrong = readRows(Wrong, await db.query(WRONG)).filter(({ n }) => n > 0);
  if (wrong.length > 0) throw new Error(wrong.map(({ what, n }) => `${what}: ${n}`).join('; '));
}

/** Each minute has its row, or is counted by the run that replaced it. */
async function checkTicks(db: Queryable): Promise<void> {
  const monitors = readRows(Ticks, await db.query(TICKS));
  for (const { first, last, ticks } of monitors) {
    const least = Math.round((last - first) / MINUTE_MS) + 1;
    // The first row may also stand for earlier ticks.
    if (ticks < least) throw new Error(`${least} ticks, of which ${ticks} are known`);
  }
}

/** Each long enough series of failed runs has one event, and so has the run that ends it; returns their number. */
async function checkStates(db: Queryable): Promise<number> {
  const runs = readRows(EndedRun, await db.query(ENDED));
  const expected: string[] = [];
  for (const ended of Map.groupBy(runs, ({ monitor_id: id }) => id).values()) {
    let failures = 0;
    for (const { id, status } of ended) {
      if (status === 'completed' && failures >= FAILING_AFTER) expected.push(`monitor.recovered ${id}`);
      failures = status === 'completed' ? 0 : failures + 1;
      if (failures === FAILING_AFTER) expected.push(`monitor.failing ${id}`);
    }
  }
  const rows = readRows(StateEvent, await db.query(STATES));
  const sent = rows.map(({ type, body }) => `${type} ${body.run_id}`);
  if (expected.toSorted().join() !== sent.toSorted().join()) {
    throw new Error(`events of states: expected ${expected.join()}; sent ${sent.join()}`);
  }
  return sent.length;
}

/** Each change begins with the value that the last one ended with; returns their number. */
async function checkChain(db: Queryable): Promise<number> {
  const rows = readRows(Changed, await db.query(CHANGES));
  for (const changes of Map.groupBy(rows, ({ monitor_id: id }) => id).values()) {
    const entries = changes.flatMap(({ record }) => record.changes);
    for (const [at, entry] of entries.entries()) {
      const before = entries[at - 1];
      if (before !== undefined && before.new_value !== entry.previous_value) throw new Error('a change was lost');
    }
  }
  return rows.length;
}
