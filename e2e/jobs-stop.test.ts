import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSite } from '#demo/site.ts';
import { textAt } from '#support/members.ts';
import { KEY, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';

test('a shutdown during a job ends its event stream and requeues it, and the next start runs it', async (t) => {
  await inTemporaryFolder(async (folder) => {
    const site = await startSite({ port: 0 });
    t.after(async () => site.close());
    const settings = { QUERN_ALLOW_TARGETS: new URL(site.origin).host };
    const input = { url: `${site.origin}/slow?ms=7000` };
    let id = '';
    {
      await using first = await serveQuern(folder, settings);
      const { body } = await first.call('/v1/jobs', { kind: 'fetch', input });
      id = textAt(body, 'id');
      const events = await fetch(`${first.origin}/v1/jobs/${id}/events`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      const told = events.text();
      for (;;) if (textAt((await first.call(`/v1/jobs/${id}`)).body, 'status') === 'running') break;
      assert.equal(await first.close(), 0);
      assert.doesNotMatch(await told, /event: end/);
    }
    await using second = await serveQuern(folder, settings);
    const { body } = await second.call(`/v1/jobs/${id}?wait_ms=30000`);
    assert.equal(textAt(body, 'status'), 'completed');
    assert.equal(body['attempt'], 1);
    assert.equal((await second.call('/v1/usage')).body['credits_used'], 2);
  });
});
