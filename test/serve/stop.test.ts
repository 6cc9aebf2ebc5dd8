import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { serveQuern } from '../support/quern.ts';
import type { Served } from '../support/quern.ts';
import { openSite } from '../support/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

type Held = {
  readonly service: Served;
  readonly folder: string;
  /** The file of the service's time. */
  readonly clock: string;
  readonly url: string;
  /** Resolves when the page is wanted. */
  readonly asked: Promise<void>;
  readonly release: () => void;
};

/** Work with a service and a page that is not answered before `release`. */
async function withHeldPage(work: (held: Held) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using site = await openSite((_request, response) => {
      asked.resolve();
      void released.promise.then(() => response.end('<h1>At last</h1>'));
    });
    const clock = join(folder, 'clock');
    await writeFile(clock, '2031-02-03T04:05:06Z');
    const settings = { QUERN_ALLOW_TARGETS: new URL(site.origin).host, QUERN_CLOCK_FILE: clock };
    await using service = await serveQuern(folder, settings);
    await work({ service, folder, clock, url: site.origin, asked: asked.promise, release: released.resolve });
  });
}

suite('stopping', { concurrency: true }, () => {
  test('a running request is answered before the service stops', async () => {
    await withHeldPage(async ({ service, url, asked, release }) => {
      const answer = service.call('/v1/fetch', { url });
      await asked;
      service.signal('SIGTERM');
      await service.untilSaid('stopping');
      release();
      assert.equal((await answer).status, 200);
      assert.equal(await service.ended, 0);
    });
  });

  test('a second signal stops at once, without waiting for the running request', async () => {
    await withHeldPage(async ({ service, url, asked }) => {
      const lost = assert.rejects(service.call('/v1/fetch', { url }));
      await asked;
      service.signal('SIGTERM');
      await service.untilSaid('stopping');
      service.signal('SIGTERM');
      assert.equal(await service.ended, 1);
      await lost;
    });
  });

  test('row 170: what a killed service held is free when it runs again, and nothing was charged', async () => {
    await withHeldPage(async ({ service, folder, clock, url, asked }) => {
      const lost = assert.rejects(service.call('/v1/fetch', { url }));
      await asked;
      service.signal('SIGKILL');
      await lost;
      await service.ended;
      await using next = await serveQuern(folder, { QUERN_CLOCK_FILE: clock });
      const { body } = await next.call('/v1/usage');
      assert.deepEqual([body['credits_used'], body['credits_reserved']], [0, 0]);
    });
  });
});
