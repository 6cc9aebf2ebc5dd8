import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import { checkBooks } from './engine/queue.ts';
import { type Fleet, isEmpty, until } from './fleet.ts';
import { KEY, type RunningService } from './quern.ts';

const CALL_MS = 8000;
const PAUSE_MS = 20;
const PAGES = 40;

type Call = { readonly key: string; readonly path: string; readonly body: unknown };

const Answered = z.looseObject({ id: z.string().optional(), request_id: z.string() });
type Answered = z.output<typeof Answered>;

/** Sequential calls with a key each on `atOnce` connections; each is repeated until it has a response. */
export type Load = {
  readonly answers: ReadonlyMap<string, Answered>;
  /** The number of calls in progress. */
  readonly underWay: (service: RunningService) => number;
  /** Resolves when all calls have a response. */
  readonly done: Promise<void>;
  /** Stops starting calls. */
  readonly end: () => void;
};

/** Starts half jobs, half inline calls on any live service; ends after `most` calls if given. */
export function startLoad(facts: {
  readonly origin: string;
  readonly services: () => readonly RunningService[];
  readonly atOnce: number;
  readonly most?: number;
}): Load {
  const { origin, services, atOnce, most = Number.POSITIVE_INFINITY } = facts;
  const answers = new Map<string, Answered>();
  const busy = new Map<RunningService, number>();
  const again: Call[] = [];
  let made = 0;
  let ending = false;

  function next(): Call | undefined {
    const isOver = ending || made >= most;
    // Waiting calls must not accumulate while no service is running.
    if (again.length > 0 && (isOver || again.length >= atOnce || Math.random() < 0.5)) return again.shift();
    if (isOver) return undefined;
    made += 1;
    const key = `call-${made}`;
    const input = { url: origin + pageOfCall(key) };
    return made % 2 === 0
      ? { key, path: '/v1/jobs', body: { kind: 'fetch', input } }
      : { key, path: '/v1/fetch', body: input };
  }

  async function line(): Promise<void> {
    for (let call = next(); call !== undefined; call = next()) {
      const alive = services();
      const service = alive[Math.floor(Math.random() * alive.length)];
      const answer = service === undefined ? null : await counted(service, call);
      if (answer === null) again.push(call);
      else answers.set(call.key, answer);
      await wait(PAUSE_MS);
    }
  }

  async function counted(service: RunningService, call: Call): Promise<Answered | null> {
    busy.set(service, (busy.get(service) ?? 0) + 1);
    try {
      return await tryOnce(service, call);
    } finally {
      busy.set(service, (busy.get(service) ?? 0) - 1);
    }
  }

  const done = Promise.all(Array.from({ length: atOnce }, line)).then(() => undefined);
  // The caller that awaits the end gets a failure; until then it is ignored.
  done.catch(() => undefined);
  return {
    answers,
    underWay: (service) => busy.get(service) ?? 0,
    done,
    end: () => void (ending = true),
  };
}

/** The path of the page that a call requests. */
export function pageOfCall(key: string): string {
  return `/page/${Number(key.replace('call-', '')) % PAGES}`;
}

/** Makes one call with its key; null if it has no response yet. */
async function tryOnce(service: RunningService, { key, path, body }: Call): Promise<Answered | null> {
  const answered = await fetch(service.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_MS),
  })
    .then(async (response) => ({ status: response.status, body: await response.text() }))
    // A dead or frozen service does not respond.
    .catch(() => null);
  if (answered === null || answered.status === 409 || answered.status === 503) return null;
  assert.ok(answered.status < 300, `${path} answered ${answered.status}: ${answered.body}`);
  return Answered.parse(JSON.parse(answered.body));
}

const Job = z.object({ id: z.string(), status: z.string(), attempt: z.number() });
const Charge = z.object({ key: z.string(), credits: z.number() });

/** The outcome of a load. */
export type Outcome = {
  readonly inline: number;
  readonly jobs: number;
  /** Jobs with more than one attempt. */
  readonly begunAgain: number;
  /** Jobs without a result because all five attempts were used. */
  readonly givenUp: number;
};

/** Waits until every job has ended and nothing is reserved, and compares the credit books with the responses. */
export async function checkLoad(
  fleet: Fleet,
  { answers }: Load,
  services: () => readonly RunningService[],
): Promise<Outcome> {
  await until('no job is left', async () => isEmpty(fleet, OPEN));
  await until('nothing is held', async () => {
    // A readiness check releases what dead processes held.
    for (const service of services()) await service.call('/readyz');
    return isEmpty(fleet, HELD);
  });
  return fleet.look(async (db) => {
    await checkBooks({ db });
    const jobs = readRows(Job, await db.query('select id, status, attempt from jobs'));
    const said = [...answers.values()];
    const promised = said.map(({ id }) => id).filter((id) => id !== undefined);
    assert.deepEqual(jobs.map(({ id }) => id).toSorted(), promised.toSorted(), 'the jobs are those that were promised');
    const completed = jobs.filter(({ status }) => status === 'completed');
    for (const { id, status, attempt } of jobs) {
      assert.ok(status === 'completed' || attempt === 5, `job ${id} is ${status} after ${attempt} attempts`);
    }
    const inline = said.filter(({ id }) => id === undefined).map(({ request_id: id }) => id);
    const charges = readRows(Charge, await db.query("select key, credits from ledger where kind = 'charge'"));
    assert.deepEqual(
      charges.map(({ key }) => key).toSorted(),
      [...inline, ...completed.map(({ id }) => `job:${id}`)].toSorted(),
      'what was answered is what was charged',
    );
    assert.deepEqual([...new Set(charges.map(({ credits }) => credits))], [2]);
    return {
      inline: inline.length,
      jobs: jobs.length,
      begunAgain: jobs.filter(({ attempt }) => attempt > 1).length,
      givenUp: jobs.length - completed.length,
    };
  });
}

const OPEN = "select id from jobs where status in ('queued', 'running')";
const HELD = 'select key from reservations';
