import assert from 'node:assert/strict';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { STORE_KINDS } from '#store/db.ts';
import { serveQuern } from '#support/quern.ts';
import { withSchema } from '#support/schema.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const SEALING = Buffer.alloc(32, 7).toString('base64');
const Data = z.object({ type: z.literal('job.completed'), data: z.object({ status: z.literal('completed') }) });

/** A page to fetch, and a receiver at `/hook` that does not respond to its first request. */
async function openWorld() {
  const ids: string[] = [];
  const verified: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const site = await startHttpServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html').end('<h1>Rye</h1>');
      return;
    }
    const pick = (name: string): string => String(request.headers[name]);
    void text(request).then((body) => {
      const signed = {
        'webhook-id': pick('webhook-id'),
        'webhook-timestamp': pick('webhook-timestamp'),
        'webhook-signature': pick('webhook-signature'),
      };
      ids.push(pick('webhook-id'));
      first.resolve();
      if (ids.length === 1) return null;
      verified.push(new Webhook(SECRET).verify(body, signed));
      second.resolve();
      return response.end();
    });
  });
  return { ...site, ids, verified, first: first.promise, second: second.promise };
}

for (const kind of STORE_KINDS) {
  test(`${kind}: a service that is killed during a delivery repeats it with the same webhook-id`, async () => {
    await using site = await openWorld();
    const run = async (folder: string, database: string | null) => {
      const clock = join(folder, 'clock');
      const settings = {
        QUERN_ALLOW_TARGETS: '127.0.0.0/8',
        ...(database === null
          ? {}
          : { QUERN_DATABASE_URL: database, QUERN_SECRET_KEY: SEALING, QUERN_CLOCK_FILE: clock }),
      };
      const began = Date.now();
      await writeFile(clock, new Date(began).toISOString());
      const killed = await serveQuern(folder, settings);
      const webhook = { url: `${site.origin}/hook`, secret: SECRET };
      const { status } = await killed.call('/v1/jobs', {
        kind: 'fetch',
        input: { url: `${site.origin}/page` },
        webhook,
      });
      assert.equal(status, 202);
      await site.first;
      killed.signal('SIGKILL');
      await killed.ended;
      // On a shared database, only the end of a lease shows that its holder is dead.
      await writeFile(clock, new Date(began + 31_000).toISOString());
      await using again = await serveQuern(folder, settings);
      await site.second;
      assert.equal(new Set(site.ids).size, 1);
      Data.parse(site.verified[0]);
      const metrics = await (await fetch(`${again.origin}/metrics`)).text();
      assert.match(metrics, /^quern_webhook_pending \d/m);
      assert.match(metrics, /^# TYPE quern_webhook_attempts_total counter/m);
    };
    await inTemporaryFolder(async (folder) => {
      if (kind === 'sqlite') await run(folder, null);
      else await withSchema(async (url) => run(folder, url));
    });
  });
}
