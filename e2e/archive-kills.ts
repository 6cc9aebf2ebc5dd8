import assert from 'node:assert/strict';
import { z } from 'zod';
import type { CommandProcess } from '#demo/service.ts';
import type { StoreKind } from '#store/db.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { type Fleet, until, withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import { type Answered, KEY, type RunningService, type Settings } from '#support/quern.ts';
import { type WarcEntry, readWarc } from '#support/warc.ts';

const PAGES = 120;
const Pages = z.looseObject({ pages: z.array(z.looseObject({ url: z.string() })) });

/** The whole archive of a job over HTTP, as bytes. */
export async function download({ origin }: RunningService, id: string, query = ''): Promise<Response> {
  return fetch(`${origin}/v1/jobs/${id}/result?format=warc${query}`, {
    headers: { authorization: `Bearer ${KEY}` },
    signal: AbortSignal.timeout(60_000),
  });
}

export async function fetchArchive(service: RunningService, id: string, query = ''): Promise<readonly WarcEntry[]> {
  const answer = await download(service, id, query);
  assert.equal(answer.status, 200);
  return readWarc(answer.body ?? new Blob().stream());
}

function submit(service: RunningService, origin: string) {
  const urls = Array.from({ length: PAGES }, (_, n) => `${origin}/p${n}`);
  return service.call('/v1/crawl', { urls, archive: true, delay_ms: 0 });
}

type Life = { readonly victim: CommandProcess; readonly service: RunningService };

/** The process that works and is killed, and the one that gets the requests; the same on the embedded store. */
export async function openLives(
  fleet: Fleet,
  kind: StoreKind,
  settings: Settings = {},
): Promise<(name: string) => Promise<Life>> {
  if (kind === 'postgres') {
    const service = await fleet.serve('api', { ...settings, QUERN_JOB_SLOTS: '0' });
    return async (name) => ({ victim: await fleet.work(name, settings), service });
  }
  return async (name) => {
    const service = await fleet.serve(name, settings);
    return { victim: service, service };
  };
}

type KilledJob = {
  readonly kills: number;
  /** Number of its visits. */
  readonly pages: number;
  readonly submit: (service: RunningService) => Promise<Answered>;
};

/** Submits a job, kills its process `kills` times while it visits pages, and waits until the job has ended. */
export async function completeWithKills(
  fleet: Fleet,
  kind: StoreKind,
  { kills, pages, submit: submitJob }: KilledJob,
): Promise<{ readonly service: RunningService; readonly id: string }> {
  const { site } = fleet;
  const open = await openLives(fleet, kind);
  let life = await open('one');
  // On PostgreSQL the leases of killed processes must expire first.
  fleet.time.run(kind === 'sqlite' ? 1 : 10);
  const asked = await submitJob(life.service);
  assert.equal(asked.status, 202);
  const id = textAt(asked.body, 'id');
  for (let n = 0; n < kills; n += 1) {
    const before = site.visits();
    await site.until(() => site.visits() >= before + pages / (kills + 2));
    life.victim.signal('SIGKILL');
    await life.victim.ended;
    life = await open(`next ${n}`);
  }
  const { service } = life;
  await until('the job has ended', async () => {
    const { body } = await service.call(`/v1/jobs/${id}?wait_ms=1000`);
    return body['status'] === 'completed';
  });
  return { service, id };
}

/** Kills the process of a crawl with an archive `kills` times, and compares the archive with the stored pages. */
export async function surviveArchiveKills(kind: StoreKind, kills: number): Promise<void> {
  await withFleet({ kind, time: 'rehearsed', delayMs: () => 40 }, async (fleet) => {
    const { site } = fleet;
    const submitted = async (service: RunningService) => submit(service, site.origin);
    const { service, id } = await completeWithKills(fleet, kind, { kills, pages: PAGES, submit: submitted });
    const { body } = await service.call(`/v1/jobs/${id}/result?limit=1000`);
    const { pages } = Pages.parse(body);
    assert.equal(pages.length, PAGES);
    const archive = await fetchArchive(service, id);
    for (const { url } of pages) {
      const kept = archive.filter(({ type, uri }) => type === 'response' && uri === url);
      assert.deepEqual(
        kept.map(({ payload }) => payload.toString()),
        [`<p>The page ${new URL(url).pathname} of the mill.`],
      );
    }
    assert.ok(archive.some(({ uri }) => uri.endsWith('/robots.txt')));
    await fleet.look(async (db) => checkBooks({ db }));
  });
}
