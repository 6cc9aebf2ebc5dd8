import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { CommandProcess } from '#demo/service.ts';
import type { JobStatus } from '#engine/jobs/job-record.ts';
import type { StoreKind } from '#store/db.ts';
import { checkBooks, checkEnded } from '#support/engine/queue.ts';
import { type Fleet, isEmpty, until, withFleet } from '#support/fleet.ts';
import { checkLoad, type Load, type Outcome, pageOfCall, startLoad } from '#support/load.ts';
import type { RunningService } from '#support/quern.ts';

/** The embedded store has one service, PostgreSQL several processes. */
const MEMBERS: Readonly<Record<StoreKind, readonly Member[]>> = {
  sqlite: [{ role: 'serve', name: 'one' }],
  postgres: [
    { role: 'serve', name: 'one' },
    { role: 'serve', name: 'two' },
    { role: 'work', name: 'three' },
    { role: 'work', name: 'four' },
  ],
};
const SETTINGS = { QUERN_JOB_SLOTS: '4', QUERN_SEARCH_INDEX: 'on' };
const AT_ONCE = 4;
/**
 * The speed of time of the fleet: on PostgreSQL the leases of dead processes must expire, while the next process on the
 * embedded store gets its jobs back immediately. Without backoff each process would start the same jobs again.
 */
const TIMES: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 10 };
const TIMES_AT_END = 10;

export type Kills = Outcome & {
  readonly kills: number;
  /** Kills that interrupt a call or a page visit. */
  readonly met: number;
};

/** Kills processes under load, each at a random time, and checks the credit books against every invariant. */
export async function surviveKills(kind: StoreKind, kills: number): Promise<Kills> {
  return withFleet({ kind, time: 'rehearsed', delayMs: () => Math.random() * 40 }, async (fleet) => {
    const members = MEMBERS[kind].map((member) => keepMember(fleet, member));
    const alive = (): readonly RunningService[] =>
      members.map((member) => member.living()?.service ?? null).filter((one) => one !== null);
    await Promise.all(members.map(async (member) => member.restart()));
    fleet.time.run(TIMES[kind]);
    const load = startLoad({ origin: fleet.site.origin, services: alive, atOnce: AT_ONCE });
    const ended = new Map<string, JobStatus>();
    const restarts: Promise<void>[] = [];
    let met = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await until('a process lives', async () => members.some((member) => member.living() !== null));
      // Alternates between after a page request, often the first of a process, and after a response to a call.
      const count = kill % 2 === 0 ? (): number => fleet.site.visits() : (): number => load.answers.size;
      const before = count();
      await until('something goes on', async () => count() > before);
      await wait(10 + Math.random() * 120);
      const victim = pick(members.filter((member) => member.living() !== null));
      const service = victim.living()?.service ?? null;
      const calls = service === null ? 0 : load.underWay(service);
      const cut = fleet.site.cut();
      await victim.kill();
      if (calls > 0 || fleet.site.cut() > cut) met += 1;
      restarts.push(victim.restart());
      restarts.at(-1)?.catch(() => undefined);
      await fleet.look(async (db) => {
        await checkBooks({ db });
        await checkEnded(db, ended);
      });
    }
    await Promise.all(restarts);
    fleet.time.run(TIMES_AT_END);
    load.end();
    await load.done;
    const outcome = await checkLoad(fleet, load, alive);
    await fleet.look(async (db) => checkEnded(db, ended));
    await checkFound(fleet, load, { services: alive, kills });
    return { kills, met, ...outcome };
  });
}

const FoundPages = z.looseObject({
  meta_data: z.looseObject({ has_more: z.boolean() }),
  organic_results: z.array(z.looseObject({ url: z.string() })),
});

/**
 * Waits until a search finds each page of a job once, and each page of a call except one per kill: a response does not
 * wait until its page is indexed, which the kill may interrupt.
 */
async function checkFound(
  fleet: Fleet,
  { answers }: Load,
  { services, kills }: { readonly services: () => readonly RunningService[]; readonly kills: number },
): Promise<void> {
  const rows = await fleet.look(async (db) => db.query("select id from jobs where status <> 'completed'"));
  const givenUp = new Set(rows.map(({ id }) => id));
  const ofJobs: string[] = [];
  const ofCalls = new Set<string>();
  for (const [key, { id }] of answers) {
    if (id === undefined) ofCalls.add(pageOfCall(key));
    else if (!givenUp.has(id)) ofJobs.push(pageOfCall(key));
  }
  await until('every copy is read', async () => isEmpty(fleet, 'select file from cached_pages where indexed = 0'));
  let found: readonly string[] = [];
  await until('every page that was fetched is found', async () => {
    const [service] = services();
    if (service === undefined) return false;
    found = await findAll(service);
    const isMissing = (page: string): boolean => !found.includes(page);
    return !ofJobs.some(isMissing) && [...ofCalls].filter(isMissing).length <= kills;
  });
  assert.deepEqual(found.toSorted(), [...new Set(found)].toSorted(), 'no page is found twice');
}

async function findAll(service: RunningService): Promise<readonly string[]> {
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await service.call(`/v1/fast-search?search=mill&page=${page}`);
    const { organic_results: results, meta_data: meta } = FoundPages.parse(body);
    found.push(...results.map(({ url }) => new URL(url).pathname));
    if (!meta.has_more) return found;
  }
}

/** One line of a table. */
export function toLine(kind: StoreKind, { kills, met, inline, jobs, begunAgain, givenUp }: Kills): string {
  return `${kind}: ${kills} kills, ${met} met work under way; ${inline} calls, ${jobs} jobs, ${begunAgain} begun again, ${givenUp} given up; lost 0, charged twice 0`;
}

type Member = { readonly role: 'serve' | 'work'; readonly name: string };
type Living = { readonly process: CommandProcess; /** Null for a worker. */ readonly service: RunningService | null };

function keepMember(fleet: Fleet, { role, name }: Member) {
  let living: Living | null = null;

  async function open(): Promise<Living> {
    if (role === 'work') return { process: await fleet.work(name, SETTINGS), service: null };
    const service = await fleet.serve(name, SETTINGS);
    return { process: service, service };
  }

  return {
    living: () => living,
    async restart(): Promise<void> {
      living = await open();
    },
    async kill(): Promise<void> {
      const killed = living?.process;
      living = null;
      killed?.signal('SIGKILL');
      await killed?.ended;
    },
  };
}

function pick<T>(list: readonly T[]): T {
  const one = list[Math.floor(Math.random() * list.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}
