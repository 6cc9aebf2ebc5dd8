import { startPostgres } from './postgres.ts';
import type { PostgresServer } from './postgres.ts';

// The runner calls two functions of one module, and hands nothing from one to the other.
let server: PostgresServer | null = null;

/** One PostgreSQL for all test files of a run, unless one is named. */
export async function globalSetup(): Promise<void> {
  if ((process.env['QUERN_TEST_POSTGRES'] ?? '') !== '') return;
  server = await startPostgres();
  process.env['QUERN_TEST_POSTGRES'] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
