import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startSite, type DemoSite } from '#demo/site.ts';
import { runHere } from '#support/command.ts';
import { listAt, textAt } from '#support/members.ts';
import { KEY, runQuern, serveQuern, startQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';

let site: DemoSite;
before(async () => {
  site = await startSite({ port: 0 });
});
after(async () => site.close());

function settings(): Readonly<Record<string, string>> {
  return { QUERN_ALLOW_TARGETS: new URL(site.origin).host };
}

suite('jobs on the command line', { concurrency: 3 }, () => {
  test('--job without a server runs the job locally, with progress on stderr and the result on stdout', async () => {
    await inTemporaryFolder(async (folder) => {
      const url = `${site.origin}/articles/a-year-at-the-mill`;
      const { code, out, err } = await runQuern(folder, ['fetch', url, '--job', '--timeout-ms', '100000'], settings());
      assert.equal(code, 0, err);
      assert.match(out, /^# /);
      assert.match(err, /quern: following job_\w+; Ctrl-C leaves it running\n/);
      assert.match(err, /quern: job_\w+ completed: 1 of 1 done, 0 failed\n/);
      assert.match(err, /quern: 2 credits \(http\)\n/);
      const list: unknown = JSON.parse(
        (await runHere(folder, ['jobs', 'list', '--status', 'completed', '--json'])).out,
      );
      const [first] = listAt(list, 'data');
      const id = textAt(first, 'id');
      assert.equal(textAt(JSON.parse((await runHere(folder, ['jobs', 'show', id])).out), 'status'), 'completed');
      assert.match((await runHere(folder, ['jobs', 'result', id])).out, /"markdown":/);
      const deleted = await runHere(folder, ['jobs', 'cancel', id]);
      assert.deepEqual(deleted, { code: 0, out: '', err: 'quern: The job had ended; its result is deleted\n' });
      assert.match((await runHere(folder, ['jobs', 'result', id])).err, /result_expired/);
    });
  });

  test('a fetch beyond the inline limit is followed as with --job, and its failure sets the exit code', async () => {
    await inTemporaryFolder(async (folder) => {
      const args = ['fetch', `${site.origin}/articles/a-year-at-the-mill`, '--timeout-ms', '200000'];
      const { code, out, err } = await runHere(folder, args, settings());
      assert.equal(code, 0, err);
      assert.match(out, /^# /);
      const refused = await runHere(folder, ['fetch', 'http://10.0.0.1/', '--job'], settings());
      assert.equal(refused.code, 2);
      assert.match(refused.err, /invalid_request/);
    });
  });

  test('with QUERN_URL, the server runs the job, and jobs cancel deletes its result', async () => {
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, settings());
      const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const ran = await runHere(folder, ['fetch', `${site.origin}/articles/a-year-at-the-mill`, '--job'], remote);
      assert.equal(ran.code, 0, ran.err);
      assert.match(ran.out, /^# /);
      const { body } = await service.call('/v1/jobs');
      const [job] = listAt(body, 'data');
      const cancelled = await runHere(folder, ['jobs', 'cancel', textAt(job, 'id')], remote);
      assert.equal(cancelled.code, 0, cancelled.err);
      assert.equal((await service.call(`/v1/jobs/${textAt(job, 'id')}/result`)).status, 410);
    });
  });

  test('after Ctrl-C a local job stays queued with a warning, and the next service runs it', async () => {
    await inTemporaryFolder(async (folder) => {
      const url = `${site.origin}/slow?ms=90000`;
      await using command = startQuern(folder, ['fetch', url, '--job', '--timeout-ms', '100000'], settings());
      await command.waitForOutput('running: ');
      command.signal('SIGINT');
      assert.equal(await command.ended, 130);
      assert.equal(command.out(), '');
      const id = /(job_\w+) waits in the queue until a service runs it: quern serve, then quern jobs show \1\n/.exec(
        command.err(),
      )?.[1];
      assert.ok(id !== undefined, command.err());
      const [shown, listed] = await Promise.all([
        runHere(folder, ['jobs', 'show', id]),
        runHere(folder, ['jobs', 'list']),
      ]);
      assert.deepEqual([textAt(JSON.parse(shown.out), 'status'), shown.code], ['queued', 0]);
      const unserved = 'quern: no service runs queued jobs: quern serve starts one\n';
      assert.deepEqual([shown.err, listed.err], [unserved, unserved]);
      assert.match(listed.out, /^id +kind +status +progress +age\njob_\w+ +fetch +queued +0 of 1 +\d+[sm]\n$/);
      {
        await using service = await serveQuern(folder, settings());
        // The first key of a service belongs to another tenant than its command line.
        assert.deepEqual(listAt((await service.call('/v1/jobs')).body, 'data'), []);
        const served = await runHere(folder, ['jobs', 'list']);
        assert.deepEqual([served.code, served.err], [0, '']);
        assert.match(served.out, /\njob_\w+ +fetch +(running|queued) /);
        assert.equal((await runHere(folder, ['jobs', 'cancel', id])).code, 0);
      }
      assert.equal((await runHere(folder, ['jobs', 'result', id])).code, 2);
    });
  });

  test('after Ctrl-C a job on a server continues', async () => {
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, settings());
      const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const url = `${site.origin}/slow?ms=90000`;
      await using command = startQuern(folder, ['fetch', url, '--job', '--timeout-ms', '100000'], remote);
      await command.waitForOutput('running: ');
      command.signal('SIGINT');
      assert.equal(await command.ended, 130);
      const id = /(job_\w+) continues: quern jobs show \1\n/.exec(command.err())?.[1];
      assert.ok(id !== undefined, command.err());
      const shown = await runHere(folder, ['jobs', 'show', id], remote);
      assert.equal(shown.err, '');
      assert.match(textAt(JSON.parse(shown.out), 'status'), /^(running|queued)$/);
      const early = await runHere(folder, ['jobs', 'result', id], remote);
      assert.deepEqual([early.code, early.out], [2, '']);
      assert.match(early.err, /^quern: job_not_finished: /);
      const table = await runHere(folder, ['jobs', 'list'], remote);
      assert.match(table.out, /^id .*\njob_\w+ +fetch +(running|queued) +0 of 1 +\d+[sm]\n$/);
      const cancelled = await runHere(folder, ['jobs', 'cancel', id], remote);
      assert.match(cancelled.out, /"cancel_requested": true/);
    });
  });
});
