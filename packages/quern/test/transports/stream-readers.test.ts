import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { declareRawControl } from '#engine/call/operation.ts';
import type { PerformOperation } from '#engine/call/ask.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { StoreUnavailable } from '#store/db.ts';
import { TIMEOUTS } from '#transports/http/server-parts.ts';
import { call, callerWith, KEY, PLAIN, startService } from './service.ts';

const OTHER_KEY = `qk_${'b'.repeat(32)}`;
/** The maximum bytes in socket buffers of this machine, far below the bytes of an unbounded stream. */
const MAX_BYTES = 64 * 1024 * 1024;

const events = declareRawControl({
  id: 'events',
  route: 'GET /v1/events',
  summary: 'A stream',
  errors: [],
  input: z.strictObject({}),
  output: z.object({}),
  successes: [{ status: 200, meaning: 'Events', type: 'text/event-stream' }],
  example: {},
});

type Streams = {
  /** The number of running streams, and the bytes that all of them produced. */
  open: number;
  bytes: number;
  readonly perform: PerformOperation;
};

/** Streams of such texts, each until its signal fires; with a pause of 0 as fast as they are read. */
function openStreams(text: string, pauseMs: number): Streams {
  const streams: Streams = {
    open: 0,
    bytes: 0,
    perform: async (_operation, _raw, { signal }) => {
      async function* give(): AsyncGenerator<string, void> {
        streams.open += 1;
        try {
          while (!signal.aborted) {
            streams.bytes += text.length;
            yield text;
            if (pauseMs > 0) await wait(pauseMs, null, { signal }).catch(() => null);
          }
        } finally {
          streams.open -= 1;
        }
      }
      return {
        ...PLAIN,
        body: {},
        stream: { type: 'text/event-stream', pieces: give() },
        usage: null,
        remaining: null,
        deprecated: [],
      };
    },
  };
  return streams;
}

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await wait(5);
}

/** Requests the stream on a separate socket and reads nothing. */
async function openDeafSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
  return socket;
}

async function openReader(url: string, key: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const answer = await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  assert.equal(answer.headers.get('content-encoding'), null);
  const reader = answer.body?.getReader();
  assert.ok(reader !== undefined);
  await reader.read();
  return reader;
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

suite('streams', { concurrency: true }, () => {
  test('a stalled reader pauses its stream and is disconnected eventually', async () => {
    const streams = openStreams('x'.repeat(64 * 1024), 0);
    const timeouts = { ...TIMEOUTS, stalled: 300 };
    await using service = await startService({ operations: [events], perform: streams.perform, timeouts });
    const socket = await openDeafSocket(service.port);
    await until(() => streams.open === 1);
    await until(() => streams.open === 0);
    assert.ok(streams.bytes < MAX_BYTES, `${streams.bytes} bytes`);
    await until(() => service.lines.length === 1);
    assert.equal(service.lines[0]?.['status'], 499);
    socket.destroy();
  });

  test('a slow stream with an active reader is not cut off', async () => {
    const streams = openStreams(': still there\n\n', 100);
    const timeouts = { ...TIMEOUTS, stalled: 300 };
    await using service = await startService({ operations: [events], perform: streams.perform, timeouts });
    const reader = await openReader(service.url, KEY);
    for (let read = 0; read < 10; read += 1) assert.equal((await reader.read()).done, false);
    await reader.cancel();
    await until(() => streams.open === 0);
  });

  test('a drain ends the streams of all readers, also of stalled ones', async () => {
    const streams = openStreams('x'.repeat(64 * 1024), 0);
    await using service = await startService({ operations: [events], perform: streams.perform });
    const socket = await openDeafSocket(service.port);
    await until(() => streams.open === 1);
    for (let before = -1; before !== streams.bytes; await wait(50)) before = streams.bytes;
    service.drain();
    await service.close();
    await until(() => streams.open === 0);
    socket.destroy();
  });

  test('streams of a revoked key end; streams of other keys, or during a store outage, continue', async () => {
    const streams = openStreams(': still there\n\n', 20);
    const asked = { revoked: 0, other: 0 };
    let revoked = false;
    let isAway = false;
    let askedInVain = 0;
    await using service = await startService({
      operations: [events],
      perform: streams.perform,
      async findCaller(key) {
        if (isAway) {
          askedInVain += 1;
          throw new StoreUnavailable('away');
        }
        asked[key === KEY ? 'revoked' : 'other'] += 1;
        return key === KEY && revoked ? null : callerWith(loadPlans(null).unlimited, key);
      },
    });
    const other = await openReader(service.url, OTHER_KEY);
    const ending = await Promise.all([KEY, KEY, KEY].map(async (key) => openReader(service.url, key)));
    revoked = true;
    isAway = true;
    assert.equal((await call(`${service.url}/v1/events`)).status, 503);
    await until(() => askedInVain > 1);
    assert.equal(streams.open, 4);
    isAway = false;
    assert.equal((await call(`${service.url}/v1/events`)).status, 401);
    await Promise.all(ending.map(readToEnd));
    assert.equal(streams.open, 1);
    assert.equal((await other.read()).done, false);
    // One check for each opened stream and for the call. Each round of checks covers both keys: once for the three streams of one.
    const looks = asked.other - 1;
    assert.ok(asked.revoked <= 4 + looks, `${asked.revoked} times in ${looks} looks`);
    await other.cancel();
    await until(() => streams.open === 0);
  });
});
