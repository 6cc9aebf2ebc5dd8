import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { Firecrawl } from '@mendable/firecrawl-js';
import { z } from 'zod';
import { until } from '#support/fleet.ts';
import { KEY, type RunningService, serveQuern } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const PAGES = 12;

const Event = z.object({
  success: z.boolean(),
  type: z.string(),
  id: z.string(),
  webhookId: z.uuid(),
  data: z.array(
    z.looseObject({
      markdown: z.string().optional(),
      metadata: z.looseObject({ sourceURL: z.string(), statusCode: z.number(), title: z.string() }),
    }),
  ),
  metadata: z.record(z.string(), z.string()).optional(),
  error: z.string().optional(),
});
type Event = z.output<typeof Event>;

const Shown = z.looseObject({
  request: z.object({ body: z.string(), headers: z.record(z.string(), z.string()), method: z.literal('POST') }),
});

type Delivered = { readonly event: Event; readonly headers: Readonly<Record<string, unknown>>; readonly body: string };

function isSigned({ headers, body }: Delivered, secret: string): boolean {
  return headers['x-firecrawl-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Sorts events by their type, those of failures first. */
function sortEvents(all: readonly Delivered[]): readonly Event[] {
  const toKey = ({ type, success }: Event): string => `${type} ${success}`;
  return all.map(({ event }) => event).toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

suite('webhooks for the client of Firecrawl', () => {
  const stack = new AsyncDisposableStack();
  const delivered: Delivered[] = [];
  const faults: unknown[] = [];
  let client: Firecrawl;
  let service: RunningService;
  let site: string;

  before(async () => {
    const server = stack.use(
      await startHttpServer((request, response) => {
        const { url = '/', method, headers } = request;
        if (method === 'POST') {
          text(request)
            .then((body) => delivered.push({ event: Event.parse(JSON.parse(body)), headers, body }))
            .catch((error: unknown) => faults.push(error))
            .finally(() => response.end());
          return;
        }
        const at = url === '/' ? 0 : Number(/^\/p(\d+)$/.exec(url)?.[1]);
        response.writeHead(Number.isNaN(at) ? 404 : 200, { 'content-type': 'text/html' });
        const links = Array.from({ length: PAGES }, (_, n) => `<a href="/p${n}">to</a>`).join(' ');
        response.end(`<title>Grain ${at}</title><main><p>Grain number ${at} of the mill.</p></main>${links}`);
      }),
    );
    site = server.origin;
    const folder = await mkdtemp(join(tmpdir(), 'quern-webhooks-'));
    stack.defer(async () => rm(folder, { recursive: true, force: true }));
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    service = stack.use(await serveQuern(data, { QUERN_ALLOW_TARGETS: '127.0.0.1' }));
    client = new Firecrawl({ apiKey: KEY, apiUrl: `${service.origin}/firecrawl` });
  });
  after(async () => stack.disposeAsync());

  const listEvents = (id: string): readonly Delivered[] => delivered.filter(({ event }) => event.id === id);

  /** Waits for so many events of a crawl: they may arrive in another order than they were queued. */
  async function untilDelivered(id: string, most: number): Promise<readonly Delivered[]> {
    await until(`${most} events`, async () => faults.length > 0 || listEvents(id).length === most);
    assert.deepEqual(faults, []);
    return listEvents(id);
  }

  test('startCrawl sends the start, each page as a document, and the end, signed', async () => {
    const webhook = {
      url: `${site}/hook`,
      headers: { 'x-mill': 'north' },
      metadata: { order: '77' },
      secret: SECRET,
    };
    const { id } = await client.startCrawl(site, { limit: PAGES, webhook });
    const events = await untilDelivered(id, PAGES + 2);
    assert.ok(events.every((one) => isSigned(one, SECRET) && one.headers['x-mill'] === 'north'));
    assert.ok(events.every(({ headers }) => headers['webhook-signature'] === undefined));
    assert.ok(events.every(({ event }) => event.success && event.metadata?.['order'] === '77'));
    assert.equal(new Set(events.map(({ event }) => event.webhookId)).size, events.length);
    const pages = events.filter(({ event }) => event.type === 'crawl.page').map(({ event }) => event.data);
    assert.deepEqual(
      [pages.length, new Set(pages.flat().map(({ metadata }) => metadata.sourceURL)).size],
      [PAGES, PAGES],
    );
    for (const documents of pages) {
      assert.equal(documents.length, 1);
      assert.match(documents[0]?.markdown ?? '', /^Grain number \d+ of the mill/);
      assert.match(documents[0]?.metadata.title ?? '', /^Grain \d+$/);
    }
    const others = sortEvents(events).filter(({ type }) => type !== 'crawl.page');
    assert.deepEqual(
      others.map(({ type, data }) => [type, data]),
      [
        ['crawl.completed', []],
        ['crawl.started', []],
      ],
    );
  });

  test('a batch sends only the chosen events, and a page that failed is no success', async () => {
    const urls = [`${site}/p1`, `${site}/nowhere`];
    const started = await client.startBatchScrape(urls, { webhook: { url: site, events: ['page'], headers: {} } });
    const events = await untilDelivered(started.id, 2);
    const outcomes = sortEvents(events).map(({ type, success, error, data }) => [type, success, error, data.length]);
    assert.deepEqual(outcomes, [
      ['batch_scrape.page', false, 'the target answered 404', 0],
      ['batch_scrape.page', true, undefined, 1],
    ]);
  });

  test('without a secret of its own a webhook has that of the tenant, which the answer shows', async () => {
    const post = async () => {
      const answer = await service.call('/firecrawl/v2/crawl', { url: site, limit: 1, webhook: `${site}/hook` });
      return z.object({ id: z.string(), webhookSecret: z.string() }).parse(answer.body);
    };
    const [first, second] = [await post(), await post()];
    assert.match(first.webhookSecret, /^whsec_/);
    assert.equal(first.webhookSecret, second.webhookSecret);
    const events = await untilDelivered(first.id, 3);
    assert.ok(events.every((one) => isSigned(one, first.webhookSecret)));
    // The log shows what was sent.
    const { body } = await service.call('/v1/deliveries?limit=3');
    const [listed] = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(body).data;
    const { request } = Shown.parse((await service.call(`/v1/deliveries/${listed?.id}`)).body);
    assert.ok(delivered.some((one) => one.body === request.body));
    assert.deepEqual(Object.keys(request.headers), ['content-type']);
  });

  test('a crawl that fails sends its error', async () => {
    const closed = await startHttpServer(() => undefined);
    await closed[Symbol.asyncDispose]();
    const { id } = await client.startCrawl(closed.origin, { limit: 1, webhook: `${site}/hook` });
    const events = await untilDelivered(id, 3);
    const outcomes = sortEvents(events).map(({ type, success, error = '' }) => [type, success, /refused/.test(error)]);
    assert.deepEqual(outcomes, [
      ['crawl.failed', false, true],
      ['crawl.page', false, true],
      ['crawl.started', true, false],
    ]);
  });

  test('a webhook that cannot be served is refused at the start', async () => {
    const cases: readonly (readonly [object | string, RegExp])[] = [
      ['https://10.0.0.1/', /^webhook\.url: .*QUERN_ALLOW_TARGETS/],
      ['http://hooks.example/', /^webhook\.url: .*QUERN_ALLOW_TARGETS/],
      [{ url: site, headers: { 'X-Firecrawl-Signature': 'sha256=0' } }, /^webhook\.headers\.x-firecrawl-signature: /],
      [{ url: site, headers: { 'transfer-encoding': 'x' } }, /^webhook\.headers\.transfer-encoding: /],
      [{ url: site, events: ['done'] }, /^webhook\.events\.0: /],
      [{ url: site, secret: 'short' }, /^webhook\.secret: /],
      [{ headers: {} }, /^webhook/],
    ];
    for (const [webhook, message] of cases)
      for (const path of ['crawl', 'batch/scrape']) {
        const { status, body } = await service.call(`/firecrawl/v2/${path}`, { url: site, urls: [site], webhook });
        assert.deepEqual([status, body['success'], body['code']], [400, false, 'BAD_REQUEST'], JSON.stringify(webhook));
        assert.match(String(body['error']), message);
      }
  });
});
