import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { KEY, startService } from './service.ts';

const MIB = 1024 * 1024;
const HEAD = `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
const CHUNK = `100000\r\n${' '.repeat(MIB)}\r\n`;

/** The response to a client that writes its whole request before it reads. */
async function writeThenRead(port: number, pieces: readonly string[], pauseMs = 0): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  for (const piece of pieces) {
    const written = Promise.withResolvers<void>();
    socket.once('error', written.reject);
    socket.write(piece, (error) => (error ? written.reject(error) : written.resolve()));
    await written.promise;
    socket.off('error', written.reject);
    if (pauseMs > 0) await setTimeout(pauseMs);
  }
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  await once(socket, 'end');
  socket.destroy();
  return answer;
}

const BODIES: Readonly<Record<string, readonly string[]>> = {
  'with its length': [
    `${HEAD}Content-Length: ${24 * MIB}\r\n\r\n`,
    ...Array.from({ length: 24 }, () => ' '.repeat(MIB)),
  ],
  'in chunks': [`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, ...Array.from({ length: 24 }, () => CHUNK), '0\r\n\r\n'],
};

for (const [how, pieces] of Object.entries(BODIES)) {
  test(`a client that sends a body that is too large ${how} before it reads gets its answer`, async () => {
    await using service = await startService();
    const answer = await writeThenRead(service.port, pieces);
    assert.match(answer, /^HTTP\/1\.1 413 [^]*payload_too_large/);
    assert.match(answer, /^connection: close\r$/im);
    assert.equal(service.lines.find(({ status }) => status === 413)?.['code'], 'payload_too_large');
  });
}

test('a client that keeps sending its body gets its response, even if that takes long', async () => {
  await using service = await startService();
  const body = Array.from({ length: 12 }, () => ' '.repeat(2 * MIB));
  const answer = await writeThenRead(service.port, [`${HEAD}Content-Length: ${24 * MIB}\r\n\r\n`, ...body], 300);
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

test('responses that close the connection also arrive from a stopping service and for an invalid head', async () => {
  await using service = await startService();
  const body = Array.from({ length: 8 }, () => ' '.repeat(MIB));
  const long = [`${HEAD}X-Long: ${'x'.repeat(256 * 1024)}\r\nContent-Length: ${8 * MIB}\r\n\r\n`, ...body];
  assert.match(await writeThenRead(service.port, long), /^HTTP\/1\.1 431 /);
  const closing = [
    `${HEAD.replace(KEY, 'qk_unknown')}Connection: close\r\nContent-Length: ${8 * MIB}\r\n\r\n`,
    ...body,
  ];
  assert.match(await writeThenRead(service.port, closing), /^HTTP\/1\.1 401 /);
  service.drain();
  const late = [`${HEAD}Content-Length: ${8 * MIB}\r\n\r\n`, ...body];
  assert.match(await writeThenRead(service.port, late), /^HTTP\/1\.1 503 /);
});

test('a client that sends without end, or only keeps the connection open, is disconnected', async () => {
  await using service = await startService();
  for (const pieces of [200, 1]) {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    // After the service has ended nobody receives the rest.
    socket.on('error', () => undefined).resume();
    const closed = Promise.withResolvers<void>();
    socket.once('close', () => closed.resolve());
    socket.write(`${HEAD}Content-Length: ${400 * MIB}\r\n\r\n`);
    for (let sent = 0; sent < pieces; sent += 1) socket.write(' '.repeat(MIB));
    const going = setInterval(() => socket.write(' '), 100);
    await closed.promise;
    clearInterval(going);
  }
});
