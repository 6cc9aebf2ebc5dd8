import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { WebhookFormat } from '#features/webhooks/formats.ts';
import { SECRET } from '#testkit/deliveries.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { withSending } from '../support/engine/deliveries.ts';
import { onEveryStore } from '../support/store.ts';

/** A form that names the event and repeats what it was given. */
const LINES: WebhookFormat = {
  name: 'lines',
  build: async ({ type, attempt, body, metadata, secrets }) => ({
    body: [type, String(attempt), body, JSON.stringify(metadata)].join('\n'),
    headers: { 'x-lines-signature': secrets.join(' ') },
  }),
};

async function openReceiver() {
  const got: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[] = [];
  const server = await startHttpServer((request, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers, body });
      return response.end();
    });
  });
  return { ...server, got };
}

onEveryStore(
  'an event is sent in the form of its webhook, whose headers cannot replace the signature',
  async (store) => {
    await using receiver = await openReceiver();
    await withSending(store, { formats: [LINES] }, async (sending) => {
      sending.start();
      await sending.hook('job_1', {
        url: receiver.origin,
        secret: SECRET,
        headers: { 'x-lines-signature': 'forged', 'x-mill': 'north' },
        metadata: { order: 7 },
        format: 'lines',
      });
      const id = await sending.enqueue('job_1', '{"text":"rye"}');
      await sending.until(id, ({ status }) => status === 'succeeded');
      const [sent] = receiver.got;
      assert.equal(sent?.body, 'monitor.change_detected\n1\n{"text":"rye"}\n{"order":7}');
      const { 'x-lines-signature': signature, 'x-mill': mill, 'webhook-id': own } = sent.headers;
      assert.deepEqual([signature, mill, own], [SECRET, 'north', undefined]);
    });
  },
);

onEveryStore('metadata is part of the signed body', async (store) => {
  await using receiver = await openReceiver();
  await withSending(store, {}, async (sending) => {
    sending.start();
    await sending.hook('job_1', { url: receiver.origin, secret: SECRET, metadata: { order: 7 } });
    const id = await sending.enqueue('job_1', '{"data":{}}');
    await sending.until(id, ({ status }) => status === 'succeeded');
    const [sent] = receiver.got;
    const signed = Object.fromEntries(
      Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    assert.deepEqual(new Webhook(SECRET).verify(sent?.body ?? '', signed), { data: {}, metadata: { order: 7 } });
  });
});

onEveryStore('a process without the form of a webhook does not send its events', async (store) => {
  await using receiver = await openReceiver();
  const formats = [LINES];
  await withSending(store, { formats }, async (sending) => {
    await sending.hook('job_1', { url: receiver.origin, format: 'lines' });
    const id = await sending.enqueue('job_1');
    formats.pop();
    sending.start();
    const { attempts } = await sending.until(id, ({ status }) => status === 'suspended');
    assert.deepEqual([attempts, receiver.got], [[], []]);
  });
});
