import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite, test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { runHere } from '#support/command.ts';
import { type Fleet, until, withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd, type Settings } from '#support/quern.ts';
import { readWarc } from '#support/warc.ts';
import { fetchArchive, download, surviveArchiveKills } from './archive-kills.ts';

/** On each store; `npm run test:long` has ten times as many, in several crawls. */
const KILLS = 2;

suite('crawl archives in real processes', { concurrency: 2, timeout: 600_000 }, () => {
  for (const kind of STORE_KINDS) {
    test(`${kind}: after kill -9 during a crawl, each stored page is in the archive once, with the served bytes`, async () => {
      await surviveArchiveKills(kind, KILLS);
    });
  }

  test('an archive downloads as .warc.gz, also during the crawl, and the command line writes the same file', async () => {
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
        const part = await fetchArchive(service, id, '&partial=true');
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

  test('the command line writes the archive of a crawl that it runs locally', async () => {
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

/** The file that the command line writes. */
async function saved({ folder }: Fleet, id: string, settings: Settings): Promise<Buffer> {
  const file = join(folder, 'site.warc.gz');
  const command = `"${process.execPath}" "${ROOT}/packages/quern/bin/quern.mjs" jobs result ${id} --format warc > "${file}"`;
  const { code, err } = await runToEnd('/bin/sh', ['-c', command], {
    cwd: folder,
    settings: { QUERN_DATA_DIR: folder, ...settings },
  });
  assert.equal(code, 0, err);
  return readFile(file);
}
