import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, makeFolder, quern, serve } from './quern.ts';

const KEY = `qk_${'a'.repeat(32)}`;

test('a fresh start says where it listens, where its data are, and the first key, with a line to paste', async (t) => {
  const folder = makeFolder(t);
  const service = await serve(t, folder);
  const printed = service.printed();
  const key = /qk_\w{32}/.exec(printed)?.[0] ?? '';
  assert.ok(printed.includes(service.origin) && printed.includes(folder), printed);
  assert.match(printed, new RegExp(`curl .*${service.origin}.*${key}`));
  assert.equal((await ask(service, '/v1/usage', { key })).status, 200);
});

test('a second start prints no key, and the first key still opens', async (t) => {
  const folder = makeFolder(t);
  const first = await serve(t, folder);
  const key = /qk_\w{32}/.exec(first.printed())?.[0] ?? '';
  assert.equal(await first.close(), 0);
  const second = await serve(t, folder);
  assert.doesNotMatch(second.printed(), /qk_/);
  assert.equal((await ask(second, '/v1/usage', { key })).status, 200);
});

test('a key that a setting gave is never printed', async (t) => {
  const service = await serve(t, makeFolder(t), { QUERN_BOOTSTRAP_KEY: KEY });
  assert.equal((await ask(service, '/v1/usage', { key: KEY })).status, 200);
  assert.ok(!service.printed().includes(KEY));
});

test('a data folder that another serve uses is refused in one line, and the other goes on', async (t) => {
  const folder = makeFolder(t);
  const service = await serve(t, folder, { QUERN_BOOTSTRAP_KEY: KEY });
  const ended = await quern(['serve'], { cwd: folder, settings: { QUERN_DATA_DIR: folder, QUERN_PORT: '0' } });
  assert.equal(ended.code, 1);
  assert.match(ended.err, /^quern: QUERN_DATA_DIR .*another quern serve.*\n$/);
  assert.equal((await ask(service, '/v1/usage', { key: KEY })).status, 200);
});

test('a taken port is named in one line', async (t) => {
  const folder = makeFolder(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const port = portOf(taken.address());
  const ended = await quern(['serve'], { cwd: folder, settings: { QUERN_DATA_DIR: folder, QUERN_PORT: port } });
  assert.equal(ended.code, 1);
  assert.match(ended.err, new RegExp(`^quern: QUERN_PORT ${port}: .*\\n$`));
});

test('a data folder that cannot be made is named in one line', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const dataDir = join(folder, 'file/data');
  const ended = await quern(['serve'], { cwd: folder, settings: { QUERN_DATA_DIR: dataDir, QUERN_PORT: '0' } });
  assert.equal(ended.code, 1);
  assert.match(ended.err, /^quern: QUERN_DATA_DIR .*cannot be written.*\n$/);
});

test('data of a newer version are refused in one line and left as they are', async (t) => {
  const folder = makeFolder(t);
  await (await serve(t, folder)).close();
  const db = new DatabaseSync(join(folder, 'quern.db'));
  db.exec('insert into migrations (version) values (999)');
  const count = () => db.prepare('select count(*) as n from tenants').get()?.['n'];
  const before = count();
  const ended = await quern(['serve'], { cwd: folder, settings: { QUERN_DATA_DIR: folder, QUERN_PORT: '0' } });
  assert.equal(ended.code, 1);
  assert.match(ended.err, /^quern: .*newer Quern.*\n$/);
  assert.equal(count(), before);
  db.close();
});

test('an unknown setting stops the start and names the nearest', async (t) => {
  const folder = makeFolder(t);
  const ended = await quern(['serve'], { cwd: folder, settings: { QUERN_DATA_DIR: folder, QUERN_PROT: '1' } });
  assert.equal(ended.code, 1);
  assert.match(ended.err, /^quern: QUERN_PROT .*QUERN_PORT.*\n$/);
});

test('a rehearsal clock is refused on an address that others reach', async (t) => {
  const folder = makeFolder(t);
  const settings = { QUERN_DATA_DIR: folder, QUERN_HOST: '0.0.0.0', QUERN_PORT: '0', QUERN_CLOCK_FILE: 'clock' };
  const ended = await quern(['serve'], { cwd: folder, settings });
  assert.equal(ended.code, 1);
  assert.match(ended.err, /QUERN_CLOCK_FILE/);
});

test('a running request is answered before the service stops', async (t) => {
  const target = await openHeldPage(t);
  const service = await serve(t, makeFolder(t), { QUERN_BOOTSTRAP_KEY: KEY, QUERN_ALLOW_TARGETS: target.host });
  const answer = ask(service, '/v1/fetch', { key: KEY, body: { url: `http://${target.host}/` } });
  await target.asked;
  const ended = service.close();
  target.release();
  assert.equal((await answer).status, 200);
  assert.equal(await ended, 0);
});

test('a second signal stops at once, without waiting for the running request', async (t) => {
  const target = await openHeldPage(t);
  const service = await serve(t, makeFolder(t), { QUERN_BOOTSTRAP_KEY: KEY, QUERN_ALLOW_TARGETS: target.host });
  const lost = assert.rejects(ask(service, '/v1/fetch', { key: KEY, body: { url: `http://${target.host}/` } }));
  await target.asked;
  const ended = service.close();
  while (!service.printed().includes('stopping')) await wait(5);
  process.kill(service.pid, 'SIGTERM');
  assert.notEqual(await ended, 0);
  await lost;
});

test('settings come from .env, and the environment wins', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, '.env'), 'QUERN_PORT=7801\nQUERN_HOST=127.0.0.2\nQUERN_METRICS_TOKEN=0123456789abcdef0\n');
  const { code, out } = await quern(['config', '--json'], { cwd: folder, settings: { QUERN_PORT: '7802' } });
  assert.equal(code, 0);
  const shown = new Map(readRows(out).map(({ name, value, source }) => [name, `${value} ${source}`]));
  assert.equal(shown.get('QUERN_PORT'), '7802 environment');
  assert.equal(shown.get('QUERN_HOST'), '127.0.0.2 .env');
  assert.equal(shown.get('QUERN_METRICS_TOKEN'), '******** .env');
});

test('a key made on the command line opens the running service, and a revoked one no longer does', async (t) => {
  const folder = makeFolder(t);
  const service = await serve(t, folder);
  const where = { cwd: folder, settings: { QUERN_DATA_DIR: folder } };
  const made: unknown = JSON.parse((await quern(['keys', 'create', '--plan', 'starter', '--json'], where)).out);
  const [key, keyId] = [memberOf(made, 'key'), memberOf(made, 'key_id')];
  assert.equal((await ask(service, '/v1/usage', { key })).status, 200);
  assert.equal((await quern(['keys', 'revoke', keyId], where)).code, 0);
  assert.equal((await ask(service, '/v1/usage', { key })).status, 401);
});

type HeldPage = { readonly host: string; readonly asked: Promise<void>; readonly release: () => void };

/** A page that is not answered before `release`; `asked` tells when somebody wants it. */
async function openHeldPage(t: TestContext): Promise<HeldPage> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = createHttpServer((_request, response) => {
    asked.resolve();
    void released.promise.then(() => response.end('<h1>At last</h1>'));
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { host: `127.0.0.1:${portOf(server.address())}`, asked: asked.promise, release: released.resolve };
}

function portOf(address: ReturnType<Server['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('listens on no port');
  return String(address.port);
}

function memberOf(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null) return '';
  return String(new Map<string, unknown>(Object.entries(value)).get(name));
}

function readRows(text: string): readonly { readonly name: string; readonly value: string; readonly source: string }[] {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw new Error(`no rows: ${text}`);
  return rows.map((row) => ({
    name: memberOf(row, 'name'),
    value: memberOf(row, 'value'),
    source: memberOf(row, 'source'),
  }));
}
