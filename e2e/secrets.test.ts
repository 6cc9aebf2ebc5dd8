import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { at } from '#support/members.ts';
import { KEY } from '#support/quern.ts';
import { openWorldApart, type WorldApart } from '#support/world.ts';

const CANARY = 'canary-5e1f';
/** One canary for each way of input. */
const SENT = {
  headers: { 'X-Secret': `${CANARY}-header`, 'Accept-Language': `x-${CANARY}-language` },
  cookies: [{ name: 'session', value: `${CANARY}-cookie` }],
};
const TOKEN = `?token=${CANARY}-token`;

let world: WorldApart;
before(async () => {
  world = await openWorldApart({ QUERN_LOG_LEVEL: 'debug' });
});
after(async () => world.close());

/** Every file of the data folder except the cached bytes of pages. */
async function readStored(): Promise<string> {
  const found = await readdir(world.folder, { recursive: true, withFileTypes: true });
  const kept = found.filter((file) => file.isFile() && !file.parentPath.startsWith(join(world.folder, 'cache')));
  const files = await Promise.all(kept.map(async (file) => readFile(join(file.parentPath, file.name), 'latin1')));
  return files.join('\n');
}

test('secrets of callers appear in no log line, metric, error body or database file', async () => {
  const made = await world.makeKey('starter');
  const page = `/articles/bridge-closed-on-sunday${TOKEN}`;
  const nowhere = `http://127.0.0.1:1/${TOKEN}`;
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    [page, SENT, 'ok'],
    [page, { headers: SENT.headers }, 'ok'],
    [page, { headers: SENT.headers, max_age_ms: 60_000 }, 'ok'],
    [`/redirect/chain${TOKEN}`, SENT, 'ok'],
    [`/nothing/here${TOKEN}`, SENT, 'ok'],
    [`/blocked/403${TOKEN}`, SENT, 'target_blocked'],
    [`/slow${TOKEN}&ms=5000`, { ...SENT, timeout_ms: 1000 }, 'timeout'],
    [`/redirect/private${TOKEN}`, SENT, 'target_unreachable'],
    [nowhere, SENT, 'invalid_request'],
    [`http://10.0.0.1/${TOKEN}`, SENT, 'invalid_request'],
    [`http://${CANARY}-user:${CANARY}-pass@example.com/`, SENT, 'invalid_request'],
    [`http://no-such-name.example/${TOKEN}`, { ...SENT, timeout_ms: 2000, proxy: 'basic' }, 'failed'],
    [page, { ...SENT, output: [`${CANARY}-output`] }, 'invalid_request'],
    [page, { headers: { 'X-Secret': `${CANARY}-\u0000` } }, 'invalid_request'],
    [page, { cookies: [{ name: 'a', value: `${CANARY};` }] }, 'invalid_request'],
    [page, { ...SENT, output: ['json'], extract: { fields: { a: { selector: 'p', type: 'string' } } } }, 'ok'],
  ];
  await Promise.all(
    calls.map(async ([url, options, code]) => {
      const { body } = await world.fetch(url, options, made.key);
      if (code === 'failed') assert.notEqual(at(body, 'error'), undefined);
      else assert.equal(at(body, 'error.code') ?? 'ok', code, JSON.stringify(body));
      if (code !== 'ok') assert.ok(!JSON.stringify(body).includes(CANARY), JSON.stringify(body));
    }),
  );
  await world.call(`/v1/requests?cursor=${CANARY}-cursor`);
  await world.call(`/${CANARY}-path`, undefined, `qk_${CANARY}-key`);
  const { out, err } = world.service;
  const metrics = await (await fetch(`${world.service.origin}/metrics`)).text();
  const stored = await readStored();
  const logged = await world.call('/v1/requests', undefined, made.key);
  assert.ok(err().includes(made.tenant) && stored.includes(made.tenant) && metrics.includes('target_blocked'));
  const places = { out: out(), err: err(), metrics, stored, requests: JSON.stringify(logged.body) };
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [CANARY, made.key, KEY]) assert.ok(!text.includes(secret), `${secret} is in ${place}`);
  }
});

test('a fresh service requires a key on every route, and listens only on loopback', async () => {
  assert.match(world.service.origin, /^http:\/\/127\.0\.0\.1:/);
  const document: unknown = await (await fetch(`${world.service.origin}/openapi.json`)).json();
  const paths = at(document, 'paths');
  assert.ok(typeof paths === 'object' && paths !== null);
  const routes = Object.entries(paths).flatMap(([path, methods]: [string, object]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
  );
  assert.ok(routes.length >= 6);
  for (const [method, path] of [...routes, ['POST', '/mcp'] as const]) {
    for (const key of [null, '', 'admin', 'Basic YWRtaW46YWRtaW4=']) {
      const headers = new Headers();
      if (key !== null) headers.set('authorization', key.startsWith('Basic') ? key : `Bearer ${key}`);
      const answer = await fetch(world.service.origin + path, { method, headers });
      assert.ok([401, 429].includes(answer.status), `${method} ${path}`);
      await answer.body?.cancel();
    }
  }
});
