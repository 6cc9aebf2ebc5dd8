import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { declareRawControl } from '#engine/call/operation.ts';
import type { PerformOperation } from '#engine/call/ask.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { operations } from '#features/operations.ts';
import { callServer } from '#transports/cli/remote.ts';
import { TIMEOUTS } from '#transports/http/server-parts.ts';
import { type Gate, withGate } from '../engine/gate.ts';
import { begin, commit, listing, noise, readLines } from '../support/engine/listing.ts';
import { runClaimed } from '../support/engine/queue.ts';
import { call, callerWith, getErrorCode, KEY, PLAIN, startService } from './service.ts';

const PIECE = `${'x'.repeat(64 * 1024 - 1)}\n`;
const MAX_PIECES = 4000;

const lines = declareRawControl({
  id: 'lines',
  route: 'GET /v1/lines',
  summary: 'Lines without an end',
  errors: [],
  input: z.strictObject({}),
  output: z.looseObject({}),
  successes: [
    { status: 200, meaning: 'A body', type: 'application/json' },
    { status: 200, meaning: 'Lines', type: 'application/x-ndjson' },
  ],
  example: {},
});

/** A source that reports when it was started and closed, and the number of its chunks. */
function openSource(fails: boolean) {
  const freed = Promise.withResolvers<void>();
  let given = 0;
  async function* text(): AsyncGenerator<string> {
    try {
      for (; given < MAX_PIECES; given += 1) {
        if (fails && given === 3) throw new Error('the rest is gone');
        yield PIECE;
      }
    } finally {
      freed.resolve();
    }
  }
  const perform: PerformOperation = async () => ({
    ...PLAIN,
    body: {},
    stream: { type: 'application/x-ndjson', pieces: text() },
    usage: null,
    remaining: null,
    deprecated: [],
  });
  return { perform, freed: freed.promise, given: () => given };
}

/** Requests the lines and reads only the first bytes. */
async function ask(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /v1/lines HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('a disconnecting reader releases the source', async () => {
  const source = openSource(false);
  await using service = await startService({ operations: [lines], perform: source.perform });
  const socket = await ask(service.port);
  socket.destroy();
  await source.freed;
  assert.ok(source.given() < MAX_PIECES);
});

test('a stalled reader pauses the source and is disconnected when it stalls too long', async () => {
  const source = openSource(false);
  const timeouts = { ...TIMEOUTS, stalled: 300 };
  await using service = await startService({ operations: [lines], perform: source.perform, timeouts });
  const socket = await ask(service.port);
  await source.freed;
  assert.ok(source.given() < MAX_PIECES / 4, `${source.given()} pieces went nowhere`);
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
});

test('revoking a key ends its list in the middle', async () => {
  const source = openSource(false);
  const caller = callerWith(loadPlans(null).unlimited);
  let isRevoked = false;
  const findCaller = async () => (isRevoked ? null : caller);
  await using service = await startService({ operations: [lines], perform: source.perform, findCaller });
  const socket = await ask(service.port);
  isRevoked = true;
  await source.freed;
  assert.ok(source.given() < MAX_PIECES);
  socket.destroy();
});

/** Reads a body in the background; `text` is the part received so far. */
function follow(response: Response): { readonly text: () => string; readonly ended: Promise<string> } {
  let text = '';
  const read = async (): Promise<string> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    return text;
  };
  return { text: () => text, ended: read() };
}

test('above the stream limit of a tenant, its oldest event stream ends with a reason and can be resumed', async () => {
  await withGate({ more: [listing] }, async (gate) => {
    const claimed = await begin(gate);
    const { free } = loadPlans(null);
    const options = {
      operations: routed(gate),
      perform: gate.perform,
      findCaller: async (key: string) => ({ tenant: gate.tenant, keyId: key, plan: free }),
    };
    await using service = await startService(options);
    const url = `${service.url}/v1/jobs/${claimed.row.id}/events`;
    const open = async (key: string, seen = '') => {
      const headers = { authorization: `Bearer ${key}`, ...(seen === '' ? {} : { 'last-event-id': seen }) };
      const response = await fetch(url, { headers });
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream']);
      return follow(response);
    };
    const streams = [await open(KEY)];
    // Another key of the tenant has no additional slots.
    for (let n = 1; n < 22; n += 1) streams.push(await open(`${KEY.slice(0, -1)}${n % 2 === 0 ? 'a' : 'b'}`));
    const [first = '', second = ''] = await Promise.all(streams.slice(0, 2).map(async ({ ended }) => ended));
    for (const text of [first, second]) {
      assert.match(text, /^event: progress\nid: \d+\n/);
      assert.match(text, /\n\n: ended early: [^\n]+\nretry: \d+\n\n$/);
    }
    const resumed = await open(KEY, /id: (\d+)/.exec(first)?.[1]);
    assert.match((await streams[2]?.ended) ?? '', /: ended early/);
    await runClaimed(gate, claimed);
    for (const { ended } of [...streams.slice(3), resumed]) assert.match(await ended, /event: end\n.*\n\n$/s);
    assert.doesNotMatch((await resumed.ended).split('event: ')[1] ?? '', /"finished_at":null/);
  });
});

test('a download is never ended for another: one too many is rejected until a slot is free', async () => {
  const sources = new Map<string, ReturnType<typeof openSource>[]>();
  await using service = await startService({
    operations: [lines],
    findCaller: async (key) => ({
      tenant: key,
      keyId: key,
      plan: { ...loadPlans(null).free, requests_per_minute: null },
    }),
    perform: async (operation, raw, asked) => {
      const source = openSource(false);
      sources.set(asked.caller.tenant, [...(sources.get(asked.caller.tenant) ?? []), source]);
      return source.perform(operation, raw, asked);
    },
  });
  const sockets: Socket[] = [];
  for (let n = 0; n < 20; n += 1) sockets.push(await ask(service.port));
  const refused = await call(`${service.url}/v1/lines`);
  assert.deepEqual([refused.status, getErrorCode(refused)], [429, 'concurrency_limit_exceeded']);
  assert.equal(refused.headers.get('retry-after'), '5');
  assert.match(refused.headers.get('content-type') ?? '', /^application\/json/);
  const other = await fetch(`${service.url}/v1/lines`, {
    headers: { authorization: `Bearer ${'qk_other'.padEnd(35, '0')}` },
  });
  assert.equal(other.status, 200);
  await other.body?.cancel();
  sockets[0]?.destroy();
  await sources.get(KEY)?.[0]?.freed;
  let after = await fetch(`${service.url}/v1/lines`, { headers: { authorization: `Bearer ${KEY}` } });
  // The server notices the closed connection a little later.
  while (after.status === 429) {
    await after.body?.cancel();
    after = await fetch(`${service.url}/v1/lines`, { headers: { authorization: `Bearer ${KEY}` } });
  }
  assert.equal(after.status, 200);
  await after.body?.cancel();
  for (const socket of sockets) socket.destroy();
});

test('if the source fails in the middle, the response breaks off instead of looking complete', async () => {
  const source = openSource(true);
  await using service = await startService({ operations: [lines], perform: source.perform });
  const response = await fetch(`${service.url}/v1/lines`, { headers: { authorization: `Bearer ${KEY}` } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  await assert.rejects(response.text());
  await source.freed;
});

test('the command line reads a server stream at its own pace and notices a broken one', async () => {
  for (const fails of [false, true]) {
    const source = openSource(fails);
    await using service = await startService({ operations: [lines], perform: source.perform });
    const remote = { url: service.url, apiKey: KEY };
    const { stream } = await callServer(remote, lines, {}, AbortSignal.timeout(30_000));
    let read = 0;
    const reading = async (): Promise<void> => {
      for await (const text of stream ?? []) {
        read += text.length;
        if (!fails && read > 1_000_000) return;
      }
    };
    if (fails) await assert.rejects(reading, /the stream broke off/);
    else await reading();
    await source.freed;
    assert.ok(source.given() < MAX_PIECES);
  }
});

test('HEAD reads nothing from the source, and a tool call cannot return streams', async () => {
  const source = openSource(false);
  await using service = await startService({ operations: [...operations, lines], perform: source.perform });
  const head = await call(`${service.url}/v1/lines`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/x-ndjson']);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'job', arguments: { action: 'result', id: 'job_1', format: 'jsonl' } },
  };
  const said = await call(`${service.url}/mcp`, {
    body: JSON.stringify(message),
    headers: { accept: 'application/json, text/event-stream' },
  });
  assert.match(said.text, /invalid_request.*format: tools cannot return streams/);
  assert.equal(source.given(), 0);
});

/** The operations of a gate that have an HTTP route. */
function routed({ operations: known }: Gate) {
  return known.filter(({ route }) => route !== null);
}

/** Memory in use after garbage collection. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  // The second collection frees what the first one finalized.
  for (let round = 0; round < 2; round += 1) runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a list of 50 MB is streamed over HTTP in constant memory', async () => {
  await withGate({ more: [listing] }, async (gate) => {
    const claimed = await begin(gate);
    const segments = 56;
    for (let at = 0; at < segments; at += 1) await commit(gate, claimed, [{ n: at, text: noise(900_000) }]);
    await runClaimed(gate, claimed);
    const caller = { tenant: gate.tenant, keyId: 'key_1', plan: loadPlans(null).unlimited };
    const options = { operations: routed(gate), perform: gate.perform, findCaller: async () => caller };
    await using service = await startService(options);
    const before = liveBytes();
    let [peak, bytes, looked] = [0, 0, 0];
    const url = `${service.url}/v1/jobs/${claimed.row.id}/result?format=jsonl`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes < looked + 4_000_000) continue;
      looked = bytes;
      peak = Math.max(peak, liveBytes());
    }
    const grown = (peak - before) / 1e6;
    assert.ok(bytes > 50_000_000, String(bytes));
    assert.ok(grown < 16, `${grown} MB more for ${bytes} bytes`);
  });
});

test('over HTTP a page has a cursor, and an invalid cursor is 400', async () => {
  await withGate({ more: [listing] }, async (gate) => {
    const claimed = await begin(gate, { pages: 30 });
    await runClaimed(gate, claimed);
    const caller = { tenant: gate.tenant, keyId: 'key_1', plan: loadPlans(null).unlimited };
    const options = { operations: routed(gate), perform: gate.perform, findCaller: async () => caller };
    await using service = await startService(options);
    const url = `${service.url}/v1/jobs/${claimed.row.id}/result`;
    const Page = z.object({ pages: z.array(z.unknown()), next_cursor: z.string() });
    const page = Page.parse((await call(`${url}?limit=20`)).body);
    assert.equal(page.pages.length, 20);
    const rest = await call(`${url}?limit=20&cursor=${page.next_cursor}`);
    assert.match(rest.text, /"next_cursor":null/);
    assert.equal(getErrorCode(await call(`${url}?cursor=${page.next_cursor}A`)), 'invalid_request');
    assert.equal(getErrorCode(await call(`${url}?format=jsonl&limit=2`)), 'invalid_request');
    assert.equal((await readLines(gate, claimed.row.id)).length, 30);
  });
});
