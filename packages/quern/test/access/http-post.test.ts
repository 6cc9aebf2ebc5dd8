import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startHttpServer } from '#testkit/servers.ts';
import { createVisitor } from '#testkit/visitor.ts';

const ROUTES: Readonly<Record<string, readonly [status: number, location: string]>> = {
  '/again': [307, '/query'],
  '/see': [303, '/query'],
  '/found': [302, '/query'],
};

test('a POST query is sent with body and headers, and repeated only if a redirect preserves the method', async () => {
  const seen: string[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    seen.push(`${method} ${url} ${headers['content-type'] ?? ''} ${await text(request)}`.trim());
    const [status, location] = ROUTES[url] ?? [200, null];
    response.writeHead(status, location === null ? { 'content-type': 'text/plain' } : { location }).end('ground');
  }
  await using site = await startHttpServer((request, response) => void answer(request, response));
  await using visitor = createVisitor({ allow: new URL(site.origin).host });
  const headers = { 'content-type': 'application/json' };
  for (const path of ['/query', '/again', '/see', '/found']) {
    const page = await visitor.visit(`${site.origin}${path}`, { headers, post: '{"a":1}' });
    assert.equal(Buffer.from(page.body).toString(), 'ground');
  }
  const post = 'application/json {"a":1}';
  assert.deepEqual(seen, [
    `POST /query ${post}`,
    `POST /again ${post}`,
    `POST /query ${post}`,
    `POST /see ${post}`,
    'GET /query application/json',
    `POST /found ${post}`,
    'GET /query application/json',
  ]);
});
