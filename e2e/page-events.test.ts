import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { STORE_KINDS, type StoreKind } from '#store/db.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { type Fleet, isEmpty, until, withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import type { RunningService } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const PAGES = 150;
const KILLS = 3;

const Event = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({
    pages: z.array(z.looseObject({ seq: z.number(), url: z.string(), result_url: z.string() })).default([]),
  }),
});
type Event = z.output<typeof Event>;

/** A receiver that verifies events and stores them by their id. */
async function openReceiver() {
  const events = new Map<string, Event>();
  const faults: unknown[] = [];
  const server = await startHttpServer((request, response) => {
    const pick = (name: string): string => String(request.headers[name]);
    const signed = {
      'webhook-id': pick('webhook-id'),
      'webhook-signature': pick('webhook-signature'),
      'webhook-timestamp': pick('webhook-timestamp'),
    };
    // The service is killed in the middle of some requests.
    text(request)
      .then((body) => {
        // The clock of the service is set by the test, so only the signature is checked.
        const signature = new Webhook(SECRET).sign(
          signed['webhook-id'],
          new Date(Number(signed['webhook-timestamp']) * 1000),
          body,
        );
        if (signature !== signed['webhook-signature']) throw new Error('wrong signature');
        const event = Event.parse(JSON.parse(body));
        if (event.id !== signed['webhook-id']) throw new Error('wrong id');
        return events.set(event.id, event);
      })
      .catch((error: unknown) => request.complete && faults.push(error))
      .finally(() => response.end());
  });
  return { ...server, events, faults };
}

type Life = { readonly kill: () => Promise<void>; readonly service: RunningService };

/** Opens the process that works and is killed. On PostgreSQL another service takes the requests and sends the events. */
async function openLives(fleet: Fleet, kind: StoreKind, allowed: string): Promise<(name: string) => Promise<Life>> {
  const settings = { QUERN_ALLOW_TARGETS: `${fleet.site.host},${allowed}` };
  const service = kind === 'sqlite' ? null : await fleet.serve('api', { ...settings, QUERN_JOB_SLOTS: '0' });
  return async (name) => {
    const opened = service === null ? await fleet.serve(name, settings) : null;
    const victim = opened ?? (await fleet.work(name, settings));
    return {
      service: opened ?? service ?? assert.fail('no service'),
      async kill() {
        victim.signal('SIGKILL');
        await victim.ended;
      },
    };
  };
}

suite('events of pages', { concurrency: 2, timeout: 300_000 }, () => {
  for (const kind of STORE_KINDS) {
    test(`${kind}: after ${KILLS} times kill -9, each page of a crawl is in one event, and every event arrives`, async () => {
      await using receiver = await openReceiver();
      await withFleet({ kind, time: 'rehearsed', delayMs: () => 40 }, async (fleet) => {
        const { site } = fleet;
        const open = await openLives(fleet, kind, new URL(receiver.origin).host);
        let life = await open('one');
        // On PostgreSQL the leases of killed processes must expire first.
        fleet.time.run(kind === 'sqlite' ? 1 : 10);
        const urls = Array.from({ length: PAGES }, (_, n) => `${site.origin}/p${n}`);
        const { status, body } = await life.service.call('/v1/jobs', {
          kind: 'crawl',
          input: { urls, delay_ms: 0 },
          webhook: {
            url: `${receiver.origin}/hook`,
            secret: SECRET,
            events: ['crawl.started', 'crawl.page', 'job.completed'],
          },
        });
        assert.equal(status, 202);
        const id = textAt(body, 'id');
        for (let n = 0; n < KILLS; n += 1) {
          const before = site.visits();
          await site.until(() => site.visits() >= before + PAGES / (KILLS + 2));
          await life.kill();
          life = await open(`next ${n}`);
        }
        await until('the crawl has ended', async () => {
          const { body: job } = await life.service.call(`/v1/jobs/${id}?wait_ms=1000`);
          return job['status'] === 'completed';
        });
        await until('every event is sent', async () =>
          isEmpty(fleet, "select id from deliveries where status <> 'succeeded'"),
        );
        const queued = await fleet.look(async (db) => db.query('select body from deliveries order by id'));
        const events = queued.map((row) => Event.parse(JSON.parse(textAt(row, 'body'))));
        const pages = events.flatMap(({ data }) => data.pages);
        assert.deepEqual(pages.map(({ url }) => url).toSorted(), urls.toSorted());
        assert.deepEqual(
          events.filter(({ type }) => type !== 'crawl.page').map(({ type }) => type),
          ['crawl.started', 'job.completed'],
        );
        assert.deepEqual(receiver.faults, []);
        assert.deepEqual([...receiver.events.keys()].toSorted(), events.map((event) => event.id).toSorted());
        for (const { url, result_url: path } of pages.slice(0, 10))
          assert.equal((await life.service.call(path)).body['url'], url);
        await fleet.look(async (db) => checkBooks({ db }));
      });
    });
  }
});
