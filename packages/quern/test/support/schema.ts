import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import {
  runStatement,
  openConnection,
  type PostgresServer,
  startPostgres,
  TEMPLATE_SETTING,
} from '#testkit/postgres.ts';

// One server per process.
let own: Promise<PostgresServer> | null = null;
after(async () => (await own)?.stop());

/** The server that all tests share: the configured one, else one of this process, stopped after its last test. */
export async function findPostgres(): Promise<string> {
  if (named() !== '') return named();
  own ??= startPostgres();
  return (await own).url;
}

function named(): string {
  return process.env['QUERN_TEST_POSTGRES'] ?? '';
}

/** Creates an empty schema; the URL opens it. It is dropped after the work. */
export async function withSchema<T>(work: (url: string) => Promise<T>, server?: string): Promise<T> {
  await using schema = await openSchema(server);
  return await work(schema.url);
}

/** An empty schema, which is dropped when it is disposed of. */
export async function openSchema(server?: string): Promise<AsyncDisposable & { readonly url: string }> {
  const base = server ?? (await findPostgres());
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runStatement(base, `create schema ${name}`);
  const url = new URL(base);
  url.searchParams.set('options', `-c search_path=${name}`);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await runStatement(base, `drop schema ${name} cascade`);
    },
  };
}

/** A new copy of the migrated database of the run; an empty schema if the run has none. */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const template = process.env[TEMPLATE_SETTING] ?? '';
  if (template === '') return withSchema(work);
  const base = await findPostgres();
  const url = new URL(base);
  const name = `test_${randomBytes(8).toString('hex')}`;
  url.pathname = name;
  await using connection = await openConnection(base);
  await connection.execute(`create database ${name} template ${template} strategy file_copy`);
  try {
    return await work(url.href);
  } finally {
    await connection.execute(`drop database ${name} with (force)`);
  }
}
