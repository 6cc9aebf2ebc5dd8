import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signMessage } from '#features/webhooks/signing.ts';
import { createWebhooksCommand } from '#transports/cli/webhooks.ts';
import { administer } from '../support/cli.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

/** The running command with its output, until it is stopped. */
async function listening(args: readonly string[]) {
  const stop = new AbortController();
  const out: string[] = [];
  const announced = Promise.withResolvers<string>();
  const terminal = {
    out: (text: string | Uint8Array) => void out.push(String(text)),
    note: (line: string) => announced.resolve(line),
    live: () => undefined,
    display: null,
    isScreen: false,
    isRead: () => true,
  };
  const command = createWebhooksCommand(() => stop.signal);
  const ended = administer(command, ['webhooks', 'listen', ...args], { terminal, refused: 'thrown' });
  const origin =
    /http:\/\/127\.0\.0\.1:\d+\//.exec(await Promise.race([announced.promise, ended.then(String)]))?.[0] ?? '';
  return {
    out,
    async post(body: string, headers: Readonly<Record<string, string>>): Promise<number> {
      return (await fetch(origin, { method: 'POST', body, headers })).status;
    },
    async stop(): Promise<number> {
      stop.abort();
      return ended;
    },
  };
}

test('the local receiver prints for each event whether it is verified, its type and its attempt', async () => {
  const receiver = await listening(['--secret', SECRET]);
  const body = '{"type":"monitor.change_detected","text":"\u001B[31m"}';
  const headers = {
    'webhook-event': 'monitor.change_detected',
    'webhook-attempt': '2',
    ...signMessage([SECRET], { id: 'evt_1', at: Date.now(), body }),
  };
  assert.equal(await receiver.post(body, headers), 204);
  assert.equal(await receiver.post(`${body} `, headers), 401);
  assert.equal(await receiver.post('x'.repeat(2_000_000), headers).catch(() => 413), 413);
  assert.equal(await receiver.stop(), 0);
  const shown = body.replace('\u001B', '');
  assert.deepEqual(receiver.out, [
    'verified   monitor.change_detected evt_1 attempt 2\n',
    `${shown}\n`,
    'unverified monitor.change_detected evt_1 attempt 2\n',
    `${shown} \n`,
  ]);
});

test('without a secret, the local receiver accepts everything, and with --json prints all of it', async () => {
  const receiver = await listening(['--json']);
  assert.equal(await receiver.post('{}', {}), 204);
  await receiver.stop();
  assert.deepEqual(receiver.out, ['{"verified":false,"type":"-","id":"-","attempt":"-","body":"{}"}\n']);
});

test('the local receiver rejects invalid options', async () => {
  for (const args of [['--port', '70000'], ['--secret', 'x'], ['now'], ['--prot', '1']]) {
    await assert.rejects(listening(args), { code: 'invalid_request' });
  }
});
