import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { findConnectionMode, openPostgres } from '#store/postgres.ts';
import { PATIENT_LIMITS } from '#testkit/postgres.ts';
import { until } from '#support/fleet.ts';
import { findPostgres } from '#support/schema.ts';
import { ignore } from '#support/store.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const MISSING = existsSync(PROGRAM) ? false : 'PgBouncer is not installed here';

type Mode = 'transaction' | 'session';

/** PgBouncer in front of the PostgreSQL of the tests; it ends with the scope. */
async function openPooler(mode: Mode, order: 0 | 1): Promise<AsyncDisposable & { readonly url: string }> {
  const base = new URL(await findPostgres());
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  probe.close();
  const folder = await mkdtemp(join(tmpdir(), 'quern-pooler-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const server = `host=${base.hostname} port=${base.port} user=${base.username} password=${base.password}`;
  const settings = [
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `server_round_robin = ${order}`,
    'default_pool_size = 4',
    'ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout',
  ];
  await writeFile(file, ['[databases]', `* = ${server}`, '[pgbouncer]', ...settings, ''].join('\n'));
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(PROGRAM, [...asUser, file], { stdio: 'ignore' });
  const url = new URL(base);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const db = openPostgres(url.href, { ...PATIENT_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
  await until('the pooler answers', async () =>
    db.query('select 1 as one').then(
      () => true,
      () => false,
    ),
  );
  await db.close();
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

test('two processes behind one pooler never get results of the other', { skip: MISSING }, async () => {
  await using pooler = await openPooler('transaction', 1);
  const open = () => openPostgres(pooler.url, { ...PATIENT_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
  const processes = [open(), open()];
  const kinds = Array.from({ length: 20 }, (_, at) => at);
  const wrong: unknown[] = [];
  await Promise.all(
    processes.map(async (db, which) => {
      for (let round = 0; round < 10; round += 1)
        for (const at of which === 0 ? kinds : kinds.toReversed()) {
          const [row] = await db.query(`select cast($1 as text) || ' of ${at}' as said`, ['it']);
          if (row?.['said'] !== `it of ${at}`) wrong.push([at, row?.['said']]);
        }
    }),
  );
  for (const db of processes) await db.close();
  assert.deepEqual(wrong, []);
});

for (const order of [0, 1] as const)
  test(`a transaction pooler is detected, order ${order}`, { skip: MISSING }, async () => {
    await using pooler = await openPooler('transaction', order);
    assert.equal(await findConnectionMode(pooler.url), 'shared');
  });

test('a session pooler is not mistaken for a transaction pooler', { skip: MISSING }, async () => {
  await using pooler = await openPooler('session', 0);
  assert.equal(await findConnectionMode(pooler.url), 'pooled');
});

test('a direct connection is not mistaken for a pooler', async () => {
  assert.equal(await findConnectionMode(await findPostgres()), 'direct');
});

test('a direct connection turns off JIT compilation and keeps the other options of its URL', async () => {
  const url = new URL(await findPostgres());
  url.searchParams.set('options', '-c work_mem=5MB');
  const db = openPostgres(url.href, { ...PATIENT_LIMITS, clock: SYSTEM_CLOCK, report: ignore, mode: 'direct' });
  const [row] = await db.query(`select current_setting('jit') as jit, current_setting('work_mem') as memory`);
  await db.close();
  assert.deepEqual({ ...row }, { jit: 'off', memory: '5MB' });
});
