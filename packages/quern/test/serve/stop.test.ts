import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '#store/sqlite.ts';
import { KEY, type RunningService, serveQuern } from '../support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

type Held = {
  readonly service: RunningService;
  readonly folder: string;
  /** The clock file of the service. */
  readonly clock: string;
  readonly url: string;
  /** Resolves when the page is requested. */
  readonly asked: Promise<void>;
  readonly release: () => void;
};

/** Runs work with a service and a page that responds only after `release`. */
async function withHeldPage(work: (held: Held) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using site = await startHttpServer((_request, response) => {
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
      await service.waitForOutput('stopping');
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
      await service.waitForOutput('stopping');
      const again = setInterval(() => service.signal('SIGTERM'), 100);
      assert.equal(await service.ended, 1);
      clearInterval(again);
      await lost;
    });
  });

  test('a Ctrl-C received from both the terminal and npm counts once, and the running request is answered', async () => {
    await withHeldPage(async ({ service, url, asked, release }) => {
      const answer = service.call('/v1/fetch', { url });
      await asked;
      // Two signals of one kind may be merged.
      service.signal('SIGINT');
      service.signal('SIGTERM');
      await service.waitForOutput('stopping');
      release();
      assert.equal((await answer).status, 200);
      assert.equal(await service.ended, 0);
    });
  });

  test('resources of a killed service are free after its restart, and nothing was charged', async () => {
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

  test('a call charged before the service died is answered when repeated, and charged once', async () => {
    await withHeldPage(async ({ service, folder, clock, url, asked, release }) => {
      const key = 'Idempotency-Key: before the answer';
      const body = JSON.stringify({ url });
      // The response of the first service is not read.
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
      socket.pause();
      socket.write(
        `POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await asked;
      release();
      const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
      while ((await db.query('select key from ledger')).length === 0) await wait(1);
      service.signal('SIGKILL');
      await service.ended;
      socket.destroy();
      await db.close();
      await using next = await serveQuern(folder, { QUERN_CLOCK_FILE: clock });
      const again = await fetch(`${next.origin}/v1/fetch`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          'idempotency-key': 'before the answer',
        },
        body,
        signal: AbortSignal.timeout(120_000),
      });
      assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
      assert.match(await again.text(), /At last/);
      const { body: usage } = await next.call('/v1/usage');
      assert.deepEqual([usage['credits_used'], usage['credits_reserved']], [2, 0]);
    });
  });
});
