import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite, test } from 'node:test';
import { z } from 'zod';
import type { Process } from '#demo/service.ts';
import { STORE_KINDS } from '#store/db.ts';
import type { StoreKind } from '#store/db.ts';
import { checkBooks } from '../engine/queue.ts';
import { runHere } from '../support/command.ts';
import { until, withFleet } from '../support/fleet.ts';
import type { Fleet } from '../support/fleet.ts';
import { textAt } from '../support/members.ts';
import { KEY, ROOT, runToEnd } from '../support/quern.ts';
import type { Served, Settings } from '../support/quern.ts';
import { readWarc } from '../support/warc.ts';
import type { Kept } from '../support/warc.ts';

const PAGES = 120;
const KILLS = 2;
const Pages = z.looseObject({ pages: z.array(z.looseObject({ url: z.string() })) });

/** The whole archive of a job over HTTP, as bytes. */
async function download({ origin }: Served, id: string, query = ''): Promise<Response> {
  return fetch(`${origin}/v1/jobs/${id}/result?format=warc${query}`, {
    headers: { authorization: `Bearer ${KEY}` },
    signal: AbortSignal.timeout(60_000),
  });
}

async function archiveOf(service: Served, id: string, query = ''): Promise<readonly Kept[]> {
  const answer = await download(service, id, query);
  assert.equal(answer.status, 200);
  return readWarc(answer.body ?? new Blob().stream());
}

function submit(service: Served, origin: string) {
  const urls = Array.from({ length: PAGES }, (_, n) => `${origin}/p${n}`);
  return service.call('/v1/crawl', { urls, archive: true, delay_ms: 0 });
}

type Life = { readonly victim: Process; readonly service: Served };

/** Who does the work and dies of it, and who is asked for it: on the embedded store the same one. */
async function openLives(fleet: Fleet, kind: StoreKind): Promise<(name: string) => Promise<Life>> {
  if (kind === 'postgres') {
    const service = await fleet.serve('api', { QUERN_JOB_SLOTS: '0' });
    return async (name) => ({ victim: await fleet.work(name), service });
  }
  return async (name) => {
    const service = await fleet.serve(name);
    return { victim: service, service };
  };
}

suite('archives of crawls in real processes', { concurrency: 2, timeout: 300_000 }, () => {
  for (const kind of STORE_KINDS) {
    test(`${kind}: after kills -9 in the middle each stored page is in the archive once, as it was served`, async () => {
      await withFleet({ kind, time: 'rehearsed', delayMs: () => 40 }, async (fleet) => {
        const { site } = fleet;
        const open = await openLives(fleet, kind);
        let life = await open('one');
        // On PostgreSQL the leases of the dead have to run out.
        fleet.time.run(kind === 'sqlite' ? 1 : 10);
        const asked = await submit(life.service, site.origin);
        assert.equal(asked.status, 202);
        const id = textAt(asked.body, 'id');
        for (let n = 0; n < KILLS; n += 1) {
          const before = site.visits();
          await site.until(() => site.visits() >= before + PAGES / (KILLS + 2));
          life.victim.signal('SIGKILL');
          await life.victim.ended;
          life = await open(`next ${n}`);
        }
        const { service } = life;
        await until('the crawl has ended', async () => {
          const { body } = await service.call(`/v1/jobs/${id}?wait_ms=1000`);
          return body['status'] === 'completed';
        });
        const { body } = await service.call(`/v1/jobs/${id}/result?limit=1000`);
        const { pages } = Pages.parse(body);
        assert.equal(pages.length, PAGES);
        const archive = await archiveOf(service, id);
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
    });
  }

  test('an archive is downloaded as a .warc.gz, in part while its crawl runs, and the command line writes the same', async () => {
    await withFleet({ kind: 'sqlite', time: 'real' }, async (fleet) => {
      const service = await fleet.serve('one');
      const held = {
        urls: [`${fleet.site.origin}/now`, `${fleet.site.origin}/held/later`],
        archive: true,
        delay_ms: 0,
      };
      const id = textAt((await service.call('/v1/crawl', held)).body, 'id');
      await fleet.site.until(() => fleet.site.visits('/held/later') === 1);
      assert.equal((await download(service, id)).status, 409);
      await until('a page is committed', async () => {
        const part = await archiveOf(service, id, '&partial=true');
        return part.some(({ uri }) => uri === `${fleet.site.origin}/now`);
      });
      fleet.site.letGo('/held/later');
      await service.call(`/v1/jobs/${id}?wait_ms=30000`);
      const answer = await download(service, id);
      assert.equal(answer.headers.get('content-type'), 'application/warc');
      assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${id}.warc.gz"`);
      assert.equal(answer.headers.get('content-encoding'), null);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      assert.deepEqual(await saved(fleet, id, remote), bytes);
    });
  });

  test('an archive of the command line’s own crawl is written by it too', async () => {
    await withFleet({ kind: 'sqlite', time: 'real' }, async (fleet) => {
      const page = `${fleet.site.origin}/now`;
      const crawled = await runHere(fleet.folder, ['crawl', page, '--archive', '--delay-ms', '0'], fleet.settings);
      assert.equal(crawled.code, 0, crawled.err);
      const { out } = await runHere(fleet.folder, ['jobs', 'list', '--json'], fleet.settings);
      const id = /job_\w{26}/.exec(out)?.[0] ?? '';
      const archive = await readWarc(Readable.from([await saved(fleet, id, fleet.settings)]));
      assert.equal(archive.filter(({ type, uri }) => type === 'response' && uri === page).length, 1);
    });
  });
});

/** What the command line writes into a file. */
async function saved({ folder }: Fleet, id: string, settings: Settings): Promise<Buffer> {
  const file = join(folder, 'site.warc.gz');
  const command = `"${process.execPath}" "${ROOT}/bin/quern.mjs" jobs result ${id} --format warc > "${file}"`;
  const { code, err } = await runToEnd('/bin/sh', ['-c', command], {
    cwd: folder,
    settings: { QUERN_DATA_DIR: folder, ...settings },
  });
  assert.equal(code, 0, err);
  return readFile(file);
}
