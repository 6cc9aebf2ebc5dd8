import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConsoleSessions, type SessionCredentials } from '#engine/identity/console-sessions.ts';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { readConsole } from '#transports/http/console/files.ts';
import { openTestClock } from '../support/clock.ts';
import { inTemporaryFolder, withStore } from '../support/store.ts';
import { call, getErrorCode, type Reply, sendRaw, type Service, startService } from './service.ts';

/** The headers of the page before it has a secret. */
const OWN = { 'x-quern-console': '1' };
const PLANS = loadPlans(null);
const FROM_ONE = { 'x-forwarded-for': '192.0.2.1' };
const FROM_OTHER = { 'x-forwarded-for': '192.0.2.2' };

/** A small console of two modules, one of them loaded later. */
async function inConsole(work: (folder: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await mkdir(join(folder, 'app'));
    const files: Readonly<Record<string, string>> = {
      'index.html':
        '<!doctype html><html><head><link rel="stylesheet" href="console.css" /><script type="module" src="app/start.ts"></script></head><body></body></html>',
      'console.css': 'body { margin: 0 }',
      'tsconfig.json': '{}',
      'app/start.ts': [
        "import { render } from 'preact';",
        "import { html } from 'htm/preact';",
        "import type { Clock } from '#kernel/clock.ts';",
        'export const start = (clock: Clock | null): void => render(html`<p>${String(clock)}</p>`, document.body);',
        "export const open = async () => import('#console/app/later.ts');",
      ].join('\n'),
      'app/later.ts':
        "import { diffWords } from 'diff';\nexport { start } from './start.ts';\nexport const words = diffWords;",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await work(folder);
  });
}

type Signed = {
  readonly service: Service;
  readonly sessions: ConsoleSessions;
  readonly keys: Keys;
  readonly key: string;
  readonly keyId: string;
};

async function withConsole(work: (signed: Signed) => Promise<void>, origins: readonly string[] = []): Promise<void> {
  await withStore(async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const keys = new Keys({ db, clock, plans: PLANS });
    const sessions = new ConsoleSessions({ db, clock, plans: PLANS, noteUse: keys.recordUse });
    const { key, keyId } = await keys.add(await new Tenants({ db, clock }).create('t', 'unlimited'), 'mine');
    await using service = await startService({
      findCaller: keys.findCaller,
      consoleParts: { sessions, folder: '' },
      corsOrigins: origins,
      trustProxy: ['127.0.0.0/8'],
    });
    await work({ service, sessions, keys, key, keyId });
  });
}

const session = (service: Service): string => `${service.url}/v1/console/session`;

async function signIn(service: Service, proof: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return call(session(service), { key: null, headers: { ...OWN, ...headers }, body: JSON.stringify(proof) });
}

/** The headers that page and browser send in a session. */
const buildHeaders = ({ token, secret }: SessionCredentials, name = 'quern_console') => ({
  'x-quern-console': secret,
  cookie: `${name}=${token}`,
});

/** The same after a sign-in. */
const headersAfter = (signed: Reply) => ({
  'x-quern-console': String(JSON.parse(signed.text).secret),
  cookie: getCookie(signed),
});

/** The cookie of a response, as a browser sends it back. */
function getCookie({ headers }: Reply): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

test('a session acts as its key, and a sign-out in any tab ends it in all', async () => {
  await withConsole(async ({ service, key, keyId }) => {
    const signed = await signIn(service, { api_key: key });
    assert.deepEqual(
      [signed.status, JSON.parse(signed.text).key_id, JSON.parse(signed.text).plan],
      [200, keyId, 'unlimited'],
    );
    const cookie = getCookie(signed);
    assert.ok(!signed.text.includes(key) && !cookie.includes(key));
    const headers = headersAfter(signed);
    const read = await call(session(service), { key: null, headers });
    assert.deepEqual([read.status, JSON.parse(read.text).key_name], [200, 'mine']);
    assert.ok(!read.text.includes(headers['x-quern-console']), 'the secret is answered once');
    assert.equal((await call(`${service.url}/v1/usage`, { key: null, headers })).status, 200);
    assert.deepEqual([service.asks.at(-1)?.caller.keyId], [keyId]);
    const out = await call(session(service), { method: 'DELETE', key: null, headers });
    assert.deepEqual([out.status, getCookie(out)], [204, 'quern_console=']);
    const after = await call(`${service.url}/v1/usage`, { key: null, headers });
    assert.deepEqual([after.status, getErrorCode(after)], [401, 'invalid_api_key']);
    assert.equal((await call(session(service), { key: null, headers })).status, 401);
  });
});

test('the cookie is HttpOnly and SameSite, and bound to the host over TLS', async () => {
  await withConsole(async ({ service, key }) => {
    const plain = (await signIn(service, { api_key: key })).headers.get('set-cookie') ?? '';
    assert.match(plain, /^quern_console=[\w-]{43}; Path=\/v1; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    const secure = await signIn(service, { api_key: key }, { 'x-forwarded-proto': 'https' });
    assert.match(
      secure.headers.get('set-cookie') ?? '',
      /^__Host-quern_console=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const usage = `${service.url}/v1/usage`;
    const headers = { ...headersAfter(secure), 'x-forwarded-proto': 'https' };
    assert.equal((await call(usage, { key: null, headers })).status, 200);
    const renamed = { ...headers, cookie: headers.cookie.replace('__Host-', '') };
    assert.equal((await call(usage, { key: null, headers: renamed })).status, 401, 'a cookie that any port can set');
  });
});

test('a cookie received or set by another port of the host gives no access and signs nobody out', async () => {
  await withConsole(async ({ service, sessions, keyId }) => {
    const [victim, attacker] = [await sessions.open(keyId), await sessions.open(keyId)];
    const shown: readonly Readonly<Record<string, string>>[] = [
      { ...buildHeaders(victim), ...OWN },
      { ...buildHeaders(victim), 'x-quern-console': attacker.secret },
      { ...buildHeaders(victim), 'x-quern-console': victim.token },
      { ...buildHeaders(attacker), 'x-quern-console': victim.secret },
      { 'x-quern-console': victim.secret },
    ];
    for (const headers of shown) {
      const name = JSON.stringify(headers);
      for (const path of ['/v1/console/session', '/v1/usage']) {
        assert.equal((await call(service.url + path, { key: null, headers })).status, 401, name);
      }
      const out = await call(session(service), { method: 'DELETE', key: null, headers });
      assert.equal(out.status, 204, name);
    }
    for (const proof of [victim, attacker]) assert.equal((await sessions.find(proof))?.caller.keyId, keyId);
  });
});

test('a link signs in once, and a used or unknown one does not', async () => {
  await withConsole(async ({ service, sessions, keyId }) => {
    const token = await sessions.createLink(keyId);
    assert.equal((await signIn(service, { token })).status, 200);
    for (const refused of [token, 'x'.repeat(43)]) {
      const answer = await signIn(service, { token: refused });
      assert.deepEqual(
        [answer.status, getErrorCode(answer), answer.headers.get('set-cookie')],
        [401, 'invalid_api_key', null],
      );
    }
  });
});

test("a sign-in never reuses the browser's previous session, and ends it", async () => {
  await withConsole(async ({ service, sessions, key, keyId }) => {
    const opened = await sessions.open(keyId);
    const planted = buildHeaders(opened);
    const signed = await signIn(service, { api_key: key }, planted);
    assert.notEqual(getCookie(signed), planted.cookie);
    assert.notEqual(headersAfter(signed)['x-quern-console'], opened.secret);
    assert.equal(await sessions.find(opened), null);
    const two = { ...headersAfter(signed), cookie: `${planted.cookie}; ${getCookie(signed)}` };
    assert.equal((await call(`${service.url}/v1/usage`, { key: null, headers: two })).status, 401);
  });
});

test('the cookie without the header gives no access to forms, other sites or pages', async () => {
  await withConsole(
    async ({ service, sessions, key, keyId }) => {
      const opened = await sessions.open(keyId);
      const { cookie, ...own } = buildHeaders(opened);
      const foreign: readonly Readonly<Record<string, string>>[] = [
        {},
        { 'x-quern-console': '0' },
        { 'x-quern-console': '' },
        { ...own, 'sec-fetch-site': 'cross-site' },
        { ...own, 'sec-fetch-site': 'same-site' },
        { ...own, 'sec-fetch-site': 'none' },
      ];
      for (const headers of foreign) {
        const used = await call(`${service.url}/v1/usage`, { key: null, headers: { ...headers, cookie } });
        assert.deepEqual([used.status, getErrorCode(used)], [401, 'missing_api_key'], JSON.stringify(headers));
        const out = await call(session(service), { method: 'DELETE', key: null, headers: { ...headers, cookie } });
        assert.equal(out.status, 400, JSON.stringify(headers));
        const body = JSON.stringify({ api_key: key });
        const planted = await call(session(service), { key: null, headers, body });
        assert.deepEqual([planted.status, planted.headers.get('set-cookie')], [400, null]);
      }
      const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b';
      const posted = await sendRaw(
        service.port,
        `POST /v1/console/session HTTP/1.1\r\nHost: x\r\nX-Quern-Console: 1\r\nCookie: ${cookie}\r\n${form}`,
      );
      assert.equal(posted.status, 415);
      assert.equal((await sessions.find(opened))?.caller.keyId, keyId);
      const asked = await fetch(`${service.url}/v1/usage`, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      });
      assert.doesNotMatch(asked.headers.get('access-control-allow-headers') ?? '', /console/i);
      assert.equal(asked.headers.get('access-control-allow-credentials'), null);
    },
    ['https://app.example'],
  );
});

test('a revoked key ends its sessions, and a bearer goes before a cookie', async () => {
  await withConsole(async ({ service, sessions, keys, keyId }) => {
    const headers = buildHeaders(await sessions.open(keyId));
    const bad = await call(`${service.url}/v1/usage`, { key: 'qk_bad', headers });
    assert.equal(getErrorCode(bad), 'invalid_api_key');
    await keys.revoke(keyId);
    assert.equal((await call(`${service.url}/v1/usage`, { key: null, headers })).status, 401);
  });
});

test('invalid sign-in input is 400, and more than thirty wrong keys of one address are 429', async () => {
  await withConsole(async ({ service, key }) => {
    for (const proof of [{}, { api_key: key, token: 'x' }, { api_key: 1 }, { api_key: '' }, { key }]) {
      assert.equal((await signIn(service, proof)).status, 400, JSON.stringify(proof));
    }
    assert.equal((await signIn(service, { api_key: key, more: 'x'.repeat(5000) })).status, 413);
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await signIn(service, { api_key: `qk_${n}` })).status);
    assert.deepEqual([statuses[29], statuses[30]], [401, 429]);
    assert.equal((await signIn(service, { api_key: key })).status, 200);
  });
});

test('above 300 wrong keys a minute, keys of an address are rejected without lookup, except recently used ones', async () => {
  await withConsole(async ({ service, sessions, keys, key, keyId }) => {
    const caller = await keys.findCaller(key);
    const { key: unused, keyId: unusedId } = await keys.add(caller?.tenant ?? '', 'unused');
    const link = await sessions.createLink(keyId);
    const usage = async (text: string, address: string) =>
      (await call(`${service.url}/v1/usage`, { key: text, headers: { 'x-forwarded-for': address } })).status;
    assert.equal(await usage(key, '192.0.2.1'), 200);
    const tries = Array.from({ length: 300 }, async (_, n) => usage(`qk_wrong${n}`, '192.0.2.1'));
    assert.ok((await Promise.all(tries)).includes(429));
    assert.equal((await signIn(service, { api_key: unused }, FROM_ONE)).status, 200, 'not beyond it yet');
    assert.equal((await signIn(service, { api_key: 'qk_wrong' }, FROM_ONE)).status, 429);

    const { key: late } = await keys.add(caller?.tenant ?? '', 'late');
    const refused = await call(`${service.url}/v1/usage`, { key: late, headers: FROM_ONE });
    assert.deepEqual([refused.status, getErrorCode(refused)], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await signIn(service, { api_key: late }, FROM_ONE)).status, 429);
    assert.equal((await signIn(service, { token: link }, FROM_ONE)).status, 429);
    assert.equal(await usage(key, '192.0.2.1'), 200, 'a key in use');
    assert.equal((await signIn(service, { api_key: unused }, FROM_ONE)).status, 200, 'a key that signed in');
    await keys.revoke(unusedId);
    assert.equal(await usage(unused, '192.0.2.1'), 429, 'a key in use that was revoked');
    assert.equal(await usage(late, '192.0.2.2'), 200, 'another address');
    assert.equal((await signIn(service, { token: link }, FROM_OTHER)).status, 200);
  });
});

test('without a console there is no sign-in', async () => {
  await using service = await startService();
  assert.equal(getErrorCode(await signIn(service, { api_key: 'x' })), 'not_found');
  assert.equal(getErrorCode(await call(`${service.url}/console/x/app/start.js`, { key: null })), 'not_found');
});

test('the page has a strict content policy, and its modules are compressed, immutable and stripped of types', async () => {
  await inConsole(async (folder) => {
    await withStore(async (db) => {
      const clock = openTestClock('2026-11-21T12:00:00Z');
      const sessions = new ConsoleSessions({ db, clock, plans: PLANS, noteUse: () => undefined });
      await using service = await startService({ consoleParts: { sessions, folder } });
      const page = await call(service.url, { key: null });
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
      assert.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/);
      assert.deepEqual(
        ['cache-control', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy'].map((name) =>
          page.headers.get(name),
        ),
        ['no-cache', 'nosniff', 'no-referrer', 'same-origin'],
      );
      const named = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url);
      assert.ok(named.some((url) => url.endsWith('/packages/preact/dist/preact.mjs')));
      assert.ok(!page.text.includes('later') && !page.text.includes('diff'));
      for (const url of named) {
        const file = await call(service.url + url, { key: null, headers: { 'accept-encoding': 'gzip, br' } });
        assert.deepEqual(
          [file.status, file.headers.get('cache-control')],
          [200, 'public, max-age=31536000, immutable'],
        );
        if (url.endsWith('preact.mjs')) assert.equal(file.headers.get('content-encoding'), 'br');
        assert.doesNotMatch(file.text, /(?:from|import)\s*\(?\s*['"](?:[a-z@#])/, url);
      }
      const etag = page.headers.get('etag') ?? '';
      assert.equal((await call(service.url, { key: null, headers: { 'if-none-match': etag } })).status, 304);
      for (const path of ['/console/0/app/start.js', '/console/', `/console/${etag.slice(1, -1)}/tsconfig.json`]) {
        assert.equal((await call(service.url + path, { key: null })).status, 404, path);
      }
    });
  });
});

test('changing a file changes the version in every URL', async () => {
  await inConsole(async (folder) => {
    const before = readConsole(folder);
    assert.equal(readConsole(folder).version, before.version);
    await writeFile(join(folder, 'app/later.ts'), 'export const words: string[] = [];');
    const after = readConsole(folder);
    assert.notEqual(after.version, before.version);
    assert.match(after.files.get('app/later.js')?.bytes.toString() ?? '', /^export const words {11}= \[\];$/);
  });
});
