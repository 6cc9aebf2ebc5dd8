import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { Firecrawl } from '@mendable/firecrawl-js';
import { at, textAt } from '#support/members.ts';
import { KEY, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { openSearchWorld, type SearchWorld } from './search-world.ts';

const UPLOAD_BYTES = 200 * 2 ** 20;
const PIECE = Buffer.alloc(2 ** 20, 0x20);
/** More than the limit of a body, its copies and the noise of the heap. */
const MAX_GROWTH_BYTES = 80 * 2 ** 20;

/** Sends 200 MB until the service answers, and returns the answer; `length` tells the size in advance. */
async function upload(url: string, headers: Readonly<Record<string, string | number>>) {
  const outgoing = request(url, { method: 'POST', headers: { authorization: `Bearer ${KEY}`, ...headers } });
  // The service closes the connection, since it does not read the rest.
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response');
  void sendAll();
  const [answer]: IncomingMessage[] = await answered;
  const pieces: Buffer[] = [];
  for await (const piece of answer ?? []) pieces.push(piece);
  outgoing.destroy();
  return { status: answer?.statusCode, body: JSON.parse(Buffer.concat(pieces).toString()) };

  async function sendAll(): Promise<void> {
    const ended = Promise.race([answered, once(outgoing, 'close')]);
    for (let sent = 0; sent < UPLOAD_BYTES && !outgoing.destroyed; sent += PIECE.length) {
      if (outgoing.write(PIECE)) continue;
      const waiting = new AbortController();
      const drained = once(outgoing, 'drain', { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([drained, ended]);
      waiting.abort();
    }
    outgoing.end();
  }
}

test('uploads of 200 MB are refused in the shape of the interface, without memory for them', async () => {
  await inTemporaryFolder(async (folder) => {
    await using service = await serveQuern(folder);
    const readMemory = async (): Promise<number> => {
      const text = await (await fetch(`${service.origin}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
    };
    const send = async (path: string, headers: Readonly<Record<string, string | number>>) =>
      upload(`${service.origin}/firecrawl${path}`, headers);
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'multipart/form-data; boundary=rye' };
    await send('/v2/scrape', json);
    const start = await readMemory();
    let most = start;
    const over = new AbortController();
    const reading = (async () => {
      while (!over.signal.aborted) most = Math.max(most, await readMemory());
    })();
    try {
      for (const [path, headers] of [
        ['/v2/scrape', json],
        ['/v2/scrape', { ...json, 'content-length': UPLOAD_BYTES }],
        ['/v2/parse', form],
        ['/v2/parse', { ...form, 'content-length': UPLOAD_BYTES }],
      ] as const) {
        const { status, body } = await send(path, headers);
        assert.deepEqual([status, at(body, 'success'), at(body, 'code')], [413, false, 'PAYLOAD_TOO_LARGE'], path);
        assert.ok(textAt(body, 'error').length > 0);
      }
    } finally {
      over.abort();
      await reading;
    }
    assert.ok(most - start < MAX_GROWTH_BYTES, `${(most - start) / 2 ** 20} MiB`);
  });
});

suite('bad input of batches and crawls', () => {
  let world: SearchWorld;
  let client: Firecrawl;
  before(async () => {
    world = await openSearchWorld();
    client = new Firecrawl({ apiKey: KEY, apiUrl: `${world.service.origin}/firecrawl` });
  });
  after(async () => world.close());

  test('10,000 addresses with 9,000 duplicates are 1,000 pages', async () => {
    const urls = Array.from({ length: 10_000 }, (_, n) => `${world.mill}/grain/1?n=${n % 1000}`);
    const { id } = await client.startBatchScrape(urls);
    let { total } = await client.getBatchScrapeStatus(id);
    while (total === 0) ({ total } = await client.getBatchScrapeStatus(id));
    assert.equal(total, 1000);
    await client.cancelBatchScrape(id);
    await assert.rejects(client.startBatchScrape([...urls, `${world.mill}/`]), { status: 400, code: 'BAD_REQUEST' });
  });

  test('the next part of a result is not found with the key of another tenant', async () => {
    const { id } = await client.crawl(world.mill, { limit: 3, pollInterval: 1 });
    const url = `${world.service.origin}/firecrawl/v2/crawl/${id}?limit=1`;
    const own: unknown = await (await fetch(url, { headers: { authorization: `Bearer ${KEY}` } })).json();
    const { key } = await world.makeKey('starter');
    const other = await fetch(textAt(own, 'next'), { headers: { authorization: `Bearer ${key}` } });
    assert.equal(other.status, 404);
    const body: unknown = await other.json();
    assert.deepEqual([at(body, 'success'), at(body, 'code')], [false, 'NOT_FOUND']);
    const forged = await fetch(`${url}&cursor=rye`, { headers: { authorization: `Bearer ${KEY}` } });
    assert.equal(forged.status, 400);
    assert.equal(at(await forged.json(), 'success'), false);
    const limit = await fetch(`${url}0000`, { headers: { authorization: `Bearer ${KEY}` } });
    assert.deepEqual([limit.status, at(await limit.json(), 'success')], [400, false]);
  });

  test('a WebSocket with a wrong key or of another tenant is refused', async () => {
    const { id } = await client.crawl(world.mill, { limit: 1, pollInterval: 1 });
    const { key } = await world.makeKey('starter');
    const open = async (protocol: string): Promise<string> => {
      const url = `${world.service.origin.replace('http', 'ws')}/firecrawl/v2/crawl/${id}`;
      const socket = new WebSocket(url, protocol);
      const first = await new Promise<string>((resolve) => {
        socket.addEventListener('message', ({ data }) => resolve(String(data)));
        socket.addEventListener('error', () => resolve('refused'));
      });
      socket.close();
      return first;
    };
    assert.equal(await open(`qk_${'b'.repeat(32)}`), 'refused');
    assert.match(await open(key), /^\{"type":"error","error":".+"\}$/);
    assert.match(await open(KEY), /^\{"type":"catchup"/);
  });
});
