import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openSite } from '#demo/site.ts';
import type { Site } from '#demo/site.ts';
import { listAt, textAt } from '../support/members.ts';
import { KEY, runQuern, serveQuern } from '../support/quern.ts';
import { inTemporaryFolder } from '../support/store.ts';

let site: Site;
before(async () => {
  site = await openSite({ port: 0 });
});
after(async () => site.close());

function settings(): Readonly<Record<string, string>> {
  return { QUERN_ALLOW_TARGETS: new URL(site.origin).host };
}

suite('jobs on the command line', { concurrency: 3 }, () => {
  test('--job without a server runs the job here: progress on standard error, the result on standard output', async () => {
    await inTemporaryFolder(async (folder) => {
      const url = `${site.origin}/articles/a-year-at-the-mill`;
      const { code, out, err } = await runQuern(folder, ['fetch', url, '--job'], settings());
      assert.equal(code, 0, err);
      assert.match(out, /^# /);
      assert.match(err, /quern: job_\w+ goes on without this command: quern jobs show job_\w+\n/);
      assert.match(err, /quern: completed: 1 of 1 done, 0 failed\n/);
      assert.match(err, /quern: 2 credits \(http\)\n/);
      const list: unknown = JSON.parse((await runQuern(folder, ['jobs', 'list', '--status', 'completed'])).out);
      const [first] = listAt(list, 'data');
      const id = textAt(first, 'id');
      assert.equal(textAt(JSON.parse((await runQuern(folder, ['jobs', 'show', id])).out), 'status'), 'completed');
      assert.match((await runQuern(folder, ['jobs', 'result', id])).out, /"markdown":/);
      assert.equal((await runQuern(folder, ['jobs', 'cancel', id])).code, 0);
      assert.match((await runQuern(folder, ['jobs', 'result', id])).err, /result_expired/);
    });
  });

  test('a fetch beyond the inline limit is followed like one with --job, and its failure is the exit code', async () => {
    await inTemporaryFolder(async (folder) => {
      const args = ['fetch', `${site.origin}/articles/a-year-at-the-mill`, '--timeout-ms', '200000'];
      const { code, out, err } = await runQuern(folder, args, settings());
      assert.equal(code, 0, err);
      assert.match(out, /^# /);
      const refused = await runQuern(folder, ['fetch', 'http://10.0.0.1/', '--job'], settings());
      assert.equal(refused.code, 2);
      assert.match(refused.err, /invalid_request/);
    });
  });

  test('with QUERN_URL the server runs the job, and DELETE reaches it', async () => {
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, settings());
      const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const ran = await runQuern(folder, ['fetch', `${site.origin}/articles/a-year-at-the-mill`, '--job'], remote);
      assert.equal(ran.code, 0, ran.err);
      assert.match(ran.out, /^# /);
      const { body } = await service.call('/v1/jobs');
      const [job] = listAt(body, 'data');
      const cancelled = await runQuern(folder, ['jobs', 'cancel', textAt(job, 'id')], remote);
      assert.equal(cancelled.code, 0, cancelled.err);
      assert.equal((await service.call(`/v1/jobs/${textAt(job, 'id')}/result`)).status, 410);
    });
  });
});
