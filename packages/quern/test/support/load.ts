import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import { checkBooks } from './engine/queue.ts';
import { type Fleet, isEmpty, until } from './fleet.ts';
import { KEY, type Served } from './quern.ts';

const CALL_MS = 8000;
const PAUSE_MS = 20;
const PAGES = 40;

type Call = { readonly key: string; readonly path: string; readonly body: unknown };

const Answered = z.looseObject({ id: z.string().optional(), request_id: z.string() });
type Answered = z.output<typeof Answered>;

/** Calls with a key each, one after the other on each of `atOnce` lines; each is repeated until it is answered. */
export type Load = {
  readonly answers: ReadonlyMap<string, Answered>;
  /** Calls that a service has now. */
  readonly underWay: (service: Served) => number;
  /** Resolves when all calls are answered. */
  readonly done: Promise<void>;
  /** Begins nothing new. */
  readonly end: () => void;
};

/** Starts half jobs, half inline calls on whichever service lives; ends by itself after `most`, if that is given. */
export function startLoad(facts: {
  readonly origin: string;
  readonly services: () => readonly Served[];
  readonly atOnce: number;
  readonly most?: number;
}): Load {
  const { origin, services, atOnce, most = Number.POSITIVE_INFINITY } = facts;
  const answers = new Map<string, Answered>();
  const busy = new Map<Served, number>();
  const again: Call[] = [];
  let made = 0;
  let ending = false;

  function next(): Call | undefined {
    const isOver = ending || made >= most;
    // Calls that wait for their answer must not pile up while nobody lives to give it.
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

  async function counted(service: Served, call: Call): Promise<Answered | null> {
    busy.set(service, (busy.get(service) ?? 0) + 1);
    try {
      return await tryOnce(service, call);
    } finally {
      busy.set(service, (busy.get(service) ?? 0) - 1);
    }
  }

  const done = Promise.all(Array.from({ length: atOnce }, line)).then(() => undefined);
  // Whoever waits for the end hears of a failure; until then it is nobody's.
  done.catch(() => undefined);
  return {
    answers,
    underWay: (service) => busy.get(service) ?? 0,
    done,
    end: () => void (ending = true),
  };
}

/** The path of the page that a call asks for. */
export function pageOfCall(key: string): string {
  return `/page/${Number(key.replace('call-', '')) % PAGES}`;
}

/** One call under its key; null when it has no answer yet. */
async function tryOnce(service: Served, { key, path, body }: Call): Promise<Answered | null> {
  const answered = await fetch(service.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_MS),
  })
    .then(async (response) => ({ status: response.status, body: await response.text() }))
    // A service that died, or was frozen, says nothing.
    .catch(() => null);
  if (answered === null || answered.status === 409 || answered.status === 503) return null;
  assert.ok(answered.status < 300, `${path} answered ${answered.status}: ${answered.body}`);
  return Answered.parse(JSON.parse(answered.body));
}

const Job = z.object({ id: z.string(), status: z.string(), attempt: z.number() });
const Charge = z.object({ key: z.string(), credits: z.number() });

/** What became of a load. */
export type Outcome = {
  readonly inline: number;
  readonly jobs: number;
  /** Jobs that were begun more than once. */
  readonly begunAgain: number;
  /** Jobs that ended without a result because they were begun five times. */
  readonly givenUp: number;
};

/** Waits until every job has ended and nothing is held any more, and holds the books against what was answered. */
export async function checkLoad(fleet: Fleet, { answers }: Load, services: () => readonly Served[]): Promise<Outcome> {
  await until('no job is left', async () => isEmpty(fleet, OPEN));
  await until('nothing is held', async () => {
    // Who is asked whether it is ready frees what the dead held.
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
