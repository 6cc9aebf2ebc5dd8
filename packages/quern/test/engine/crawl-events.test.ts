import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { PageEnd } from '#features/crawl/crawl-page.ts';
import { openPageEvents } from '#features/crawl/frontier/page-events.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildRobots, hangsAt, serves, type Site } from '../support/engine/crawl-modes.ts';
import { withSending } from '../support/engine/deliveries.ts';
import { checkBooks, getOperation, openJobTools, runClaimed } from '../support/engine/queue.ts';
import { textAt } from '../support/members.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';

const HOOK = 'https://hooks.example/in';
const PAGES = 90;

const Event = z.looseObject({
  id: z.string(),
  type: z.string(),
  job_id: z.string(),
  kind: z.string().optional(),
  data: z.looseObject({
    pages: z
      .array(
        z.looseObject({
          seq: z.number(),
          state: z.string(),
          url: z.string(),
          markdown: z.string().optional(),
          metadata: z.looseObject({ title: z.string().nullable() }).optional(),
          error: z.object({ code: z.string() }).optional(),
          result_url: z.string().optional(),
          truncated: z.boolean().optional(),
        }),
      )
      .default([]),
  }),
});

/** Pages in groups, each linking to the next ten; one of them is missing, and one is long. */
const mill: Site = (path) => {
  if (path === '/robots.txt') return buildRobots('User-agent: *');
  const at = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1]);
  if (Number.isNaN(at) || at === 13) return null;
  const links = Array.from({ length: 10 }, (_, step) => at + step + 1).filter((n) => n < PAGES);
  return {
    links: links.map((n) => `/p${n}`),
    ...(at === 7 ? { says: `Grain ${'rye '.repeat(50_000)}` } : {}),
  };
};

function toFailedEnd(seq: number): PageEnd {
  const claim = {
    seq,
    url: `${SITE}p${seq}`,
    host: 'mill.example',
    depth: 0,
    parentUrl: null,
    isBarren: false,
    tries: 0,
  };
  return {
    claim,
    reservedCredits: 0,
    links: [],
    skippedLinks: {},
    baseUrl: null,
    fate: { kind: 'failed', statusCode: null, code: 'timeout', message: 'no answer', isTemporary: true },
    hashRoute: null,
  };
}

async function submit(gate: Gate, webhook: unknown, kind = 'crawl', input: object = { url: SITE, max_pages: 1000 }) {
  const raw = { kind, input: { delay_ms: 0, ...input }, webhook };
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), raw);
  if (answer === null) throw error ?? new Error('no answer');
  return textAt(answer.body, 'id');
}

async function runNext(gate: Gate, signal?: AbortSignal): Promise<string> {
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  return runClaimed(gate, claimed, signal);
}

async function readEvents({ db }: Gate) {
  const rows = await db.query('select event_id, type, body from deliveries order by id');
  return rows.map((row) => {
    const event = Event.parse(JSON.parse(textAt(row, 'body')));
    assert.deepEqual([event.id, event.type], [row['event_id'], row['type']]);
    assert.ok(Buffer.byteLength(textAt(row, 'body')) <= 256 * 1024);
    return event;
  });
}

onEveryStore('each page of a crawl is in one event, with its metadata and a link to the stored page', async (store) => {
  await withGate({ store, tierVisits: { http: serves(mill) } }, async (gate) => {
    const id = await submit(gate, { url: HOOK, events: ['crawl.started', 'crawl.page', 'job.completed'] });
    assert.equal(await runNext(gate), 'ok');
    const events = await readEvents(gate);
    const types = events.map(({ type }) => type);
    assert.deepEqual(types.filter((type) => type !== 'crawl.page').toSorted(), ['crawl.started', 'job.completed']);
    assert.equal(new Set(events.map((event) => event.id)).size, events.length);
    assert.ok(events.every((event) => event.job_id === id));
    const told = events.filter(({ type }) => type === 'crawl.page');
    assert.ok(told.every(({ kind, data }) => kind === 'crawl' && data.pages.length <= 64));
    // Pages that end together are one event, and none waits for more after the end.
    assert.equal(told.length, Math.ceil(PAGES / 64));
    assert.deepEqual(await gate.db.query('select id from deliveries where due_at > $1', [gate.clock.now()]), []);
    const pages = told.flatMap(({ data }) => data.pages);
    assert.equal(new Set(pages.map(({ url }) => url)).size, PAGES);
    assert.equal(pages.length, PAGES);
    assert.deepEqual(
      pages.filter(({ state }) => state === 'failed').map(({ url, error }) => [url, error?.code]),
      [[`${SITE}p13`, 'not_found']],
    );
    for (const { url, state, result_url: link, markdown, metadata } of pages) {
      assert.equal(markdown, undefined);
      if (state === 'failed') continue;
      assert.equal(metadata?.title, `Page ${new URL(url).pathname}`);
      const { pathname, searchParams } = new URL(link ?? '', SITE);
      assert.equal(pathname, `/v1/jobs/${id}/page`);
      const stored = await gate.ask(getOperation('jobs.page'), { id, place: searchParams.get('place') });
      assert.equal(stored.answer?.body['url'], url);
    }
    await checkBooks(gate);
  });
});

onEveryStore('an event of a batch contains outputs on request, but not those of a long page', async (store) => {
  await withGate({ store, tierVisits: { http: serves(mill) } }, async (gate) => {
    const urls = [1, 7, 13].map((n) => `${SITE}p${n}`);
    const webhook = { url: HOOK, events: ['crawl.page'], page_outputs: true, pages_per_event: 1 };
    const id = await submit(gate, webhook, 'fetch.batch', { urls });
    const shown = await openJobTools(gate).show(id);
    assert.deepEqual([shown.webhook?.page_outputs, shown.webhook?.pages_per_event], [true, 1]);
    assert.equal(await runNext(gate), 'ok');
    const events = await readEvents(gate);
    assert.deepEqual(
      events.map(({ kind, data }) => [kind, data.pages.length]),
      urls.map(() => ['fetch.batch', 1]),
    );
    const pages = new Map(events.flatMap(({ data }) => data.pages).map((page) => [page.url, page]));
    const [plain, long, failed] = urls.map((url) => pages.get(url));
    assert.match(plain?.markdown ?? '', /On \/p1/);
    assert.deepEqual([long?.markdown, long?.truncated, long?.metadata?.title], [undefined, true, 'Page /p7']);
    assert.equal(failed?.error?.code, 'not_found');
    // A failed page of a batch has a result, too.
    assert.ok([plain, long, failed].every((page) => page?.result_url !== undefined));
  });
});

onEveryStore('a crawl whose worker dies sends each page once, also one that is given up', async (store) => {
  const { visit, death } = hangsAt('/p60', serves(mill));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    await submit(gate, { url: HOOK, events: ['crawl.started', 'crawl.page'] });
    const stop = new AbortController();
    const running = runNext(gate, stop.signal);
    await death.came;
    const before = (await readEvents(gate)).length;
    assert.ok(before > 1);
    await gate.db.query("update crawl_urls set deaths = 100 where url like '%/p60'");
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    assert.equal(await runNext(gate), 'ok');
    stop.abort(new JobStopped('cancelled'));
    death.end();
    await running;
    const events = await readEvents(gate);
    assert.ok(events.length > before);
    assert.equal(events.filter(({ type }) => type === 'crawl.started').length, 1);
    const pages = events.flatMap(({ data }) => data.pages);
    assert.deepEqual([pages.length, new Set(pages.map(({ seq }) => seq)).size], [PAGES, PAGES]);
    assert.equal(pages.find(({ url }) => url === `${SITE}p60`)?.error?.code, 'internal_error');
    await checkBooks(gate);
  });
});

onEveryStore('an event waits a second for further pages, unless it is full or being sent', async (store) => {
  await withSending(store, {}, async (sending) => {
    const { db, clock, webhooks, notifications } = sending;
    await sending.hook('job_1', { url: HOOK, events: ['crawl.page'], pages_per_event: 3 });
    const parts = { db, clock, webhooks, notifications };
    const events = await openPageEvents(parts, { jobId: 'job_1', operation: 'crawl' });
    assert.ok(events !== null);
    const add = async (...numbers: readonly number[]): Promise<void> => {
      const told = events.prepare(numbers.map(toFailedEnd));
      const open = await db.transaction(async (tx) => events.enqueuePages(tx, told, { first: 0, packed: [] }));
      events.confirm(open);
    };
    const start = clock.now();
    const list = async () => {
      const rows = await db.query('select body, due_at from deliveries order by event_id');
      return rows.map((row) => [
        Event.parse(JSON.parse(textAt(row, 'body'))).data.pages.map(({ seq }) => seq),
        Number(row['due_at']) - start,
      ]);
    };
    await add(1);
    clock.pass(900);
    await add(2);
    assert.deepEqual(await list(), [[[1, 2], 1000]]);
    // Nothing of a transaction that fails is kept.
    const lost = db.transaction(async (tx) => {
      await events.enqueuePages(tx, events.prepare([toFailedEnd(3)]), { first: 0, packed: [] });
      throw new Error('rolled back');
    });
    await assert.rejects(lost, /rolled back/);
    await add(3, 4);
    assert.deepEqual(await list(), [
      [[1, 2, 3], 900],
      [[4], 1900],
    ]);
    await db.query("update deliveries set status = 'delivering' where event_id = 'evt_1_4'");
    await add(5);
    clock.pass(1000);
    await add(6);
    assert.deepEqual((await list()).slice(1), [
      [[4], 1900],
      [[5], 1900],
      [[6], 2900],
    ]);
  });
});

onEveryStore('a webhook that does not list events of crawls gets none', async (store) => {
  await withGate({ store, tierVisits: { http: serves(mill) } }, async (gate) => {
    for (const webhook of [HOOK, { url: HOOK, events: null }, { url: HOOK, events: ['job.completed'] }]) {
      await submit(gate, webhook, 'crawl', { urls: [`${SITE}p1`] });
      assert.equal(await runNext(gate), 'ok');
    }
    const types = (await readEvents(gate)).map(({ type }) => type);
    assert.deepEqual(types, ['job.completed', 'job.completed', 'job.completed']);
  });
});

test('wrong options of events are refused by their names', async () => {
  await withGate({}, async (gate) => {
    const pageEvents = { url: HOOK, events: ['crawl.page'] };
    const wrong: readonly (readonly [object, RegExp, string?])[] = [
      [pageEvents, /^webhook\.events: crawl\.page: only jobs of crawl and fetch\.batch send it/, 'fetch'],
      [{ url: HOOK, page_outputs: true }, /^webhook\.page_outputs: needs crawl\.page in events/],
      [{ ...pageEvents, pages_per_event: 65 }, /^webhook\.pages_per_event: /],
      [{ url: HOOK, format: 'unknown' }, /^webhook\.format: must be one of firecrawl/],
      [{ url: HOOK, metadata: { text: 'x'.repeat(5000) } }, /^webhook\.metadata: must be at most 4096 bytes/],
      [{ ...pageEvents, url: 'https://127.0.0.1/' }, /^webhook\.url: .*QUERN_ALLOW_TARGETS/],
    ];
    for (const [webhook, message, kind] of wrong)
      await assert.rejects(submit(gate, webhook, kind, { url: SITE }), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'invalid_request');
        assert.match(error.message, message);
        return true;
      });
    assert.deepEqual(await gate.db.query('select id from jobs'), []);
  });
});
