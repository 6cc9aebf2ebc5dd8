import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, startService } from './service.ts';

test('a fetch answers with its credits in headers and body', async () => {
  await using service = await startService();
  const reply = await call(`${service.url}/v1/fetch`, { body: '{"url":"https://example.com/"}' });
  console.log(reply, service.lines);
  assert.equal(reply.status, 200);
});
