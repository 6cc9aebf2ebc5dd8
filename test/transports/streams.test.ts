import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { declareReplies } from '#engine/call/operation.ts';
import type { Perform } from '#engine/call/ask.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { operations } from '#features/operations.ts';
import { askRemote } from '#transports/cli/remote.ts';
import { TIMEOUTS } from '#transports/http/parts.ts';
import { withGate } from '../engine/gate.ts';
import type { Gate } from '../engine/gate.ts';
import { begin, commit, listing, noise, readLines } from '../support/engine/listing.ts';
import { runClaimed } from '../support/engine/queue.ts';
import { call, callerWith, codeOf, KEY, PLAIN, startService } from './service.ts';

const PIECE = `${'x'.repeat(64 * 1024 - 1)}\n`;
const MOST_PIECES = 4000;

const lines = declareReplies({
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
}).runs(async () => ({ ...PLAIN, body: null }));

/** A source that says when it was begun and when it is free again, and how many pieces it gave. */
function openSource(fails: boolean) {
  const freed = Promise.withResolvers<void>();
  let given = 0;
  async function* text(): AsyncGenerator<string> {
    try {
      for (; given < MOST_PIECES; given += 1) {
        if (fails && given === 3) throw new Error('the rest is gone');
        yield PIECE;
      }
    } finally {
      freed.resolve();
    }
  }
  const perform: Perform = async () => ({
    ...PLAIN,
    body: {},
    stream: { type: 'application/x-ndjson', pieces: text() },
    usage: null,
    remaining: null,
    deprecated: [],
  });
  return { perform, freed: freed.promise, given: () => given };
}

/** Asks for the lines and reads nothing of them but the first bytes. */
async function ask(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /v1/lines HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('a reader that leaves frees the source', async () => {
  const source = openSource(false);
  await using service = await startService({ operations: [lines], perform: source.perform });
  const socket = await ask(service.port);
  socket.destroy();
  await source.freed;
  assert.ok(source.given() < MOST_PIECES);
});

test('a reader that takes nothing holds the source back, and loses the connection when it takes too long', async () => {
  const source = openSource(false);
  const timeouts = { ...TIMEOUTS, stalled: 300 };
  await using service = await startService({ operations: [lines], perform: source.perform, timeouts });
  const socket = await ask(service.port);
  await source.freed;
  assert.ok(source.given() < MOST_PIECES / 4, `${source.given()} pieces went nowhere`);
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
});

test('a revoked key loses its list in the middle', async () => {
  const source = openSource(false);
  const caller = callerWith(loadPlans(null).unlimited);
  let isRevoked = false;
  const findCaller = async () => (isRevoked ? null : caller);
  await using service = await startService({ operations: [lines], perform: source.perform, findCaller });
  const socket = await ask(service.port);
  isRevoked = true;
  await source.freed;
  assert.ok(source.given() < MOST_PIECES);
  socket.destroy();
});

test('a source that fails in the middle breaks the answer off, so that it never looks whole', async () => {
  const source = openSource(true);
  await using service = await startService({ operations: [lines], perform: source.perform });
  const response = await fetch(`${service.url}/v1/lines`, { headers: { authorization: `Bearer ${KEY}` } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  await assert.rejects(response.text());
  await source.freed;
});

test('the command line reads the stream of a server at its own pace, and learns when it breaks off', async () => {
  for (const fails of [false, true]) {
    const source = openSource(fails);
    await using service = await startService({ operations: [lines], perform: source.perform });
    const remote = { url: service.url, apiKey: KEY };
    const { stream } = await askRemote(remote, lines, {}, AbortSignal.timeout(30_000));
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
    assert.ok(source.given() < MOST_PIECES);
  }
});

test('a HEAD takes nothing from the source, and a tool call is told that there are no streams', async () => {
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
  assert.match(said.text, /invalid_request.*format: streams/);
  assert.equal(source.given(), 0);
});

/** What may be asked over HTTP of what a gate knows. */
function routed({ operations: known }: Gate) {
  return known.filter(({ route }) => route !== null);
}

/** Memory that is in use, without what is only waiting to be collected. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  // What the first round finds dead is freed by the second.
  for (let round = 0; round < 2; round += 1) runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a list of 50 MB is streamed over HTTP in a memory that does not grow with it', async () => {
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

test('over HTTP a page has its cursor, and what is wrong with it is a 400', async () => {
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
    assert.equal(codeOf(await call(`${url}?cursor=${page.next_cursor}A`)), 'invalid_request');
    assert.equal(codeOf(await call(`${url}?format=jsonl&limit=2`)), 'invalid_request');
    assert.equal((await readLines(gate, claimed.row.id)).length, 30);
  });
});
