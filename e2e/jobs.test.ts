import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { z } from 'zod';
import { KEY } from '#support/quern.ts';
import { textAt } from '#support/members.ts';
import { openWorld, type World } from '#support/world.ts';

let world: World;

before(async () => {
  world = await openWorld();
});
after(async () => world.close());

const ARTICLE = '/articles/a-year-at-the-mill';
const Event = z.object({ name: z.string(), id: z.number(), data: z.looseObject({ status: z.string() }) });

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

async function send(path: string, init: Init = {}): Promise<Response> {
  return fetch(world.service.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(120_000),
  });
}

async function submit(path = ARTICLE): Promise<string> {
  const { status, body } = await world.call('/v1/jobs', { kind: 'fetch', input: { url: world.site + path } });
  assert.equal(status, 202);
  return textAt(body, 'id');
}

/** The events of a whole stream. */
function toEvents(text: string): readonly z.output<typeof Event>[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [name = '', id = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
      return Event.parse({ name, id: Number(id), data: JSON.parse(data) });
    });
}

suite('jobs over HTTP', { concurrency: 4 }, () => {
  test('a job can be submitted, awaited, read and deleted', async () => {
    const id = await submit();
    const { status, body } = await world.call(`/v1/jobs/${id}?wait_ms=30000`);
    assert.equal(status, 200);
    assert.equal(body['status'], 'completed');
    const result = await world.call(`/v1/jobs/${id}/result`);
    assert.equal(result.status, 200);
    assert.match(textAt(result.body, 'markdown'), /mill/i);
    assert.equal(result.headers.get('x-credits-used'), '0');
    const gone = await send(`/v1/jobs/${id}`, { method: 'DELETE' });
    assert.equal(gone.status, 204);
    assert.equal(await gone.text(), '');
    assert.equal((await world.call(`/v1/jobs/${id}/result`)).status, 410);
  });

  test('a fetch beyond the inline limit becomes a job with a Location', async () => {
    const answer = await world.fetch(ARTICLE, { timeout_ms: 200_000 });
    assert.equal(answer.status, 202);
    const location = answer.headers.get('location') ?? '';
    assert.equal(location, `/v1/jobs/${textAt(answer.body, 'id')}`);
    assert.equal(textAt((await world.call(`${location}?wait_ms=30000`)).body, 'status'), 'completed');
  });

  test('events report progress with increasing ids, then the end, and resume after the last seen id', async () => {
    const id = await submit();
    const live = await send(`/v1/jobs/${id}/events`);
    assert.equal(live.headers.get('content-type'), 'text/event-stream');
    const events = toEvents(await live.text());
    assert.equal(events.at(-1)?.name, 'end');
    assert.equal(events.at(-1)?.data.status, 'completed');
    assert.equal(events.filter(({ name }) => name === 'end').length, 1);
    assert.deepEqual(
      events.map((event) => event.id),
      events.map((event) => event.id).toSorted((a, b) => a - b),
    );
    assert.doesNotMatch(JSON.stringify(events), /"result":/);
    const again = await send(`/v1/jobs/${id}/events`, { headers: { 'last-event-id': String(events[0]?.id) } });
    assert.equal(toEvents(await again.text()).at(-1)?.name, 'end');
    assert.equal((await send('/v1/jobs/job_unknown/events')).status, 404);
  });

  test('a repeated call with the same key gets the same response, and is not charged', async () => {
    const init = {
      method: 'POST',
      body: JSON.stringify({ url: world.site + ARTICLE }),
      headers: { 'idempotency-key': 'over-http' },
    };
    const first = await send('/v1/fetch', init);
    const body = await first.text();
    assert.equal(first.headers.get('idempotent-replayed'), null);
    const second = await send('/v1/fetch', init);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
    assert.deepEqual(JSON.parse(await second.text()), JSON.parse(body));
    const other = await send('/v1/fetch', { ...init, body: JSON.stringify({ url: `${world.site}/other` }) });
    assert.equal(other.status, 409);
    assert.match(await other.text(), /idempotency_conflict/);
  });

  test('every route returns 404 for a job that does not exist', async () => {
    for (const path of ['', '/result', '/events'])
      assert.equal((await world.call(`/v1/jobs/job_x${path}`)).status, 404);
    assert.equal((await send('/v1/jobs/job_x', { method: 'DELETE' })).status, 404);
    assert.equal((await send('/v1/jobs/job_x', { method: 'DELETE', body: '{}' })).status, 400);
    assert.equal((await send('/v1/jobs/job_x?wait_ms=30001')).status, 400);
    assert.equal((await send('/v1/jobs/job_x', { method: 'PUT' })).status, 405);
  });
});
