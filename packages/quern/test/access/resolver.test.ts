import assert from 'node:assert/strict';
import test from 'node:test';
import { toErrorBody } from '#kernel/errors.ts';
import { findAttemptFailure } from '#access/failure.ts';
import { createDnsResolver, cacheDns } from '#access/guard/resolver.ts';
import { startDns, type DnsRecord } from '#testkit/dns.ts';
import { startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { captureFailure, guardWith, createVisitor } from '#testkit/visitor.ts';
import { clockAt } from '#support/clock.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

const PUBLIC: DnsRecord = { type: 'A', value: '93.184.216.34' };
const PRIVATE: DnsRecord = { type: 'A', value: '10.0.0.1' };
const LOOPBACK: DnsRecord = { type: 'A', value: '127.0.0.1' };

/** Names with the same answer for each type; others do not exist. */
function buildZone(names: Readonly<Record<string, readonly DnsRecord[]>>) {
  return (name: string, type: string): readonly DnsRecord[] | null => {
    const records = names[name];
    return records === undefined ? null : records.filter((record) => record.type === type || record.type === 'CNAME');
  };
}

const never = new AbortController().signal;

/** Resolves a URL through the egress guard with its own zone. */
async function resolving(names: Readonly<Record<string, readonly DnsRecord[]>>, host: string) {
  await using dns = await startDns(buildZone(names));
  const { guard, refusals } = guardWith({ dns: dns.server });
  const url = guard.parseTarget(`http://${host}/`);
  return { refusals, result: await guard.resolve(url, never).catch((error: unknown) => error) };
}

async function assertUnreachable(names: Readonly<Record<string, readonly DnsRecord[]>>, host: string): Promise<void> {
  const { result } = await resolving(names, host);
  const error = await captureFailure(() => Promise.reject(result));
  assert.equal(error.code, 'target_unreachable');
  assert.equal(
    error.message,
    `the target could not be reached: the name ${host.slice(0, 100)} was not found, or has no public address`,
  );
}

test('public names that resolve to private addresses are unreachable', async () => {
  const names = {
    '127.0.0.1.nip.test': [LOOPBACK],
    'localtest.test': [{ type: 'AAAA', value: '0:0:0:0:0:0:0:1' }],
    '169.254.169.254.nip.test': [{ type: 'A', value: '169.254.169.254' }],
  } as const;
  for (const host of Object.keys(names)) await assertUnreachable(names, host);
});

test('a public answer gives the addresses to connect to, IPv4 first', async () => {
  const names = { 'both.test': [{ type: 'AAAA', value: '2606:2800:220:1:248:1893:25c8:1946' }, PUBLIC] } as const;
  const { result } = await resolving(names, 'both.test');
  assert.deepEqual(result, [
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
  ]);
});

test('a name that becomes private between look-ups is connected only at the checked address', async () => {
  await using dns = await startDns((_, type, n) =>
    type === 'A' ? [n === 1 ? { ...LOOPBACK, value: '127.0.0.2' } : LOOPBACK] : [],
  );
  await using canary = await startHttpServer((_, response) => response.end('inside'));
  await using site = await startHttpServer((_, response) => response.end('checked'), {
    host: '127.0.0.2',
    port: canary.port,
  });
  await using visitor = createVisitor({ dns: dns.server, allow: `127.0.0.2:${site.port}` });
  const url = `http://rebind.test:${site.port}/`;
  assert.equal(Buffer.from((await visitor.visit(url)).body).toString(), 'checked');
  assert.equal((await captureFailure(() => visitor.visit(url))).code, 'target_unreachable');
  assert.equal(canary.connections(), 0);
  assert.equal(dns.queries('rebind.test'), 2);
});

test('one private address among public ones makes the name unreachable', async () => {
  await assertUnreachable({ 'mixed.test': [PUBLIC, PRIVATE] }, 'mixed.test');
  await assertUnreachable({ 'mixed.test': [PUBLIC, { type: 'AAAA', value: 'fd00:0:0:0:0:0:0:1' }] }, 'mixed.test');
});

test('aliases of localhost, alias loops and chains of twenty aliases are unreachable', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`c${n}.test`, [{ type: 'CNAME', value: `c${n + 1}.test` }] as const]),
  );
  await assertUnreachable({ 'alias.test': [{ type: 'CNAME', value: 'localhost' }, LOOPBACK] }, 'alias.test');
  await assertUnreachable({ 'loop.test': [{ type: 'CNAME', value: 'loop.test' }] }, 'loop.test');
  await assertUnreachable(chain, 'c0.test');
});

test('all of a thousand addresses are checked, and only a few are tried', async () => {
  const many = Array.from({ length: 1_000 }, (_, n): DnsRecord => ({
    type: 'A',
    value: `93.184.${n >> 8}.${n & 255}`,
  }));
  const { result } = await resolving({ 'many.test': many }, 'many.test');
  assert.ok(Array.isArray(result) && result.length <= 8 && result.length > 0);
  await assertUnreachable({ 'many.test': [...many, PRIVATE] }, 'many.test');
});

test('text records and oversized answers give no addresses', async () => {
  const long = Array.from({ length: 300 }, (): DnsRecord => ({ type: 'TXT', value: 'x'.repeat(255) }));
  await assertUnreachable({ 'text.test': long }, 'text.test');
});

test('a missing name and a private one give the same error without details', async () => {
  await using dns = await startDns(buildZone({ 'private.test': [PRIVATE] }));
  await using visitor = createVisitor({ dns: dns.server, allow: '127.0.0.3' });
  const hosts = ['missing.test', 'private.test'];
  const failures = await Promise.all(hosts.map((host) => captureFailure(() => visitor.visit(`http://${host}/`))));
  const bodies = failures.map((error, at) =>
    JSON.stringify([toErrorBody(error, 'req_1'), findAttemptFailure(error)?.facts.reason]).replaceAll(
      hosts[at] ?? '',
      'HOST',
    ),
  );
  assert.deepEqual(bodies, [bodies[0], bodies[0]]);
  assert.match(bodies[0] ?? '', /"code":"target_unreachable".*"retryable":false.*"name_not_found"/);
  assert.deepEqual(visitor.refusals, [{ host: 'private.test', reason: '10.0.0.1 is not a public address' }]);
});

test('a failure has its cause: missing name, no DNS answer, or a refused, reset or closed connection', async () => {
  const host = 'mill.test';
  for (const [code, expected] of [
    ['ENOTFOUND', /^target_unreachable .*: the name mill\.test was not found, or has no public address$/],
    ['ESERVFAIL', /^target_unreachable .*: the name servers did not answer for mill\.test$/],
    ['ETIMEOUT', /^timeout the name mill\.test was not resolved in time$/],
  ] as const) {
    const { guard } = guardWith({ resolve: () => Promise.reject(Object.assign(new Error(code), { code })) });
    const error = await captureFailure(() => guard.resolve(new URL(`http://${host}/`), never));
    assert.match(`${error.code} ${error.message}`, expected);
  }
  await using resets = await startSocketServer((socket) => void socket.resetAndDestroy());
  await using closes = await startSocketServer((socket) => void socket.end());
  await using visitor = createVisitor({ allow: '127.0.0.1' });
  for (const [port, expected] of [
    [1_024, 'the connection was refused'],
    [resets.port, 'the connection was reset'],
    [closes.port, 'the connection was closed before an answer'],
  ] as const) {
    const error = await captureFailure(() => visitor.visit(`http://127.0.0.1:${port}/`));
    assert.equal(error.message, `the target could not be reached: ${expected}`);
  }
});

test('a missing name is not retryable, and a name server failure is', async () => {
  const rows = [
    ['mill.test', 'ENOTFOUND', false],
    ['mill.test', 'ENODATA', false],
    ['mill.test', 'ESERVFAIL', true],
    ['mill.test', 'ETIMEOUT', true],
    ['mill.test', 'ECONNREFUSED', true],
    ['mill.test', 'EAI_AGAIN', true],
    ['mill.test', 'EFORMERR', true],
    // A name of this zone never exists, even if a name server has it.
    ['mill.invalid', 'ESERVFAIL', false],
    ['mill.invalid', 'ETIMEOUT', false],
  ] as const;
  for (const [host, code, retryable] of rows) {
    const { guard } = guardWith({ resolve: () => Promise.reject(Object.assign(new Error(code), { code })) });
    const error = await captureFailure(() => guard.resolve(new URL(`http://${host}/`), never));
    assert.equal(error.retryable, retryable, `${host} ${code}`);
    assert.equal(toErrorBody(error, 'req_1').diagnostics?.retryable, retryable);
  }
});

test('a name without IPv4 addresses whose IPv6 query fails is not reported as missing', async () => {
  await using dns = await startDns((_, type) => (type === 'AAAA' ? 'fails' : []));
  const { guard } = guardWith({ dns: dns.server });
  const error = await captureFailure(() => guard.resolve(new URL('http://six.test/'), never));
  assert.match(error.message, /the name servers did not answer for six\.test/);
  assert.equal(error.retryable, true);
});

test('a later private answer does not reuse a kept-alive connection', async () => {
  await using dns = await startDns((_, type, n) => (type === 'A' ? [n <= 2 ? LOOPBACK : PRIVATE] : []));
  await using site = await startHttpServer((_, response) => response.end('kept'));
  await using visitor = createVisitor({ dns: dns.server, allow: `127.0.0.1:${site.port}` });
  const url = `http://pool.test:${site.port}/`;
  await visitor.visit(url);
  await visitor.visit(url);
  assert.equal(site.connections(), 1);
  assert.equal((await captureFailure(() => visitor.visit(url))).code, 'target_unreachable');
});

test('the same name at another checked address gets another connection', async () => {
  await using dns = await startDns((_, type, n) => (type === 'A' ? [{ type: 'A', value: `127.0.0.${n}` }] : []));
  await using one = await startHttpServer((_, response) => response.end('one'));
  await using two = await startHttpServer((_, response) => response.end('two'), { host: '127.0.0.2', port: one.port });
  await using visitor = createVisitor({ dns: dns.server, allow: `127.0.0.0/30:${one.port}` });
  const url = `http://moves.test:${two.port}/`;
  assert.equal(Buffer.from((await visitor.visit(url)).body).toString(), 'one');
  assert.equal(Buffer.from((await visitor.visit(url)).body).toString(), 'two');
});

test('a name allowed by the operator can be private, but never a metadata address', async () => {
  await using site = await startHttpServer((_, response) => response.end('local'));
  await using visitor = createVisitor({ allow: `localhost:${site.port}` });
  assert.equal(Buffer.from((await visitor.visit(`http://localhost:${site.port}/`)).body).toString(), 'local');
  const address = { address: '169.254.169.254', family: 4 } as const;
  const resolveAllowed = () => Promise.resolve({ addresses: [address], ttlMs: 0 });
  const { guard } = guardWith({ allow: 'meta.test', resolveAllowed });
  const error = await captureFailure(() => guard.resolve(guard.parseTarget('http://meta.test/'), never));
  assert.equal(error.code, 'target_unreachable');
});

test('a query to a silent name server ends with the signal', async () => {
  const { guard } = guardWith({ resolve: () => new Promise(() => {}) });
  const error = await captureFailure(() => guard.resolve(new URL('http://slow.test/'), AbortSignal.timeout(20)));
  assert.equal(error.code, 'timeout');
});

test('answers are cached for their TTL, and concurrent queries are shared', async () => {
  await using dns = await startDns((name, type) =>
    type === 'A' && name === 'kept.test' ? [{ ...PUBLIC, ttl: 30 }] : null,
  );
  let now = 0;
  const resolve = cacheDns(
    createDnsResolver([dns.server], SYSTEM_CLOCK),
    clockAt(() => now),
  );
  await Promise.all([resolve('kept.test'), resolve('kept.test')]);
  now = 29_999;
  await resolve('kept.test');
  assert.equal(dns.queries('kept.test'), 1);
  now = 30_001;
  await resolve('kept.test');
  assert.equal(dns.queries('kept.test'), 2);
  await assert.rejects(resolve('missing.test'));
  await assert.rejects(resolve('missing.test'));
  assert.equal(dns.queries('missing.test'), 2);
});
