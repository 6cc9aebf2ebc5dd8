import { z } from 'zod';
import { OperatorError } from '#kernel/errors.ts';
import { type Db, type Queryable, type StoreKind, StoreUnavailable } from './db.ts';
import { FIND_TABLE, TRANSLATE_MIGRATION } from './dialect.ts';
import { readRows } from './rows.ts';
import { type KnownSchema, loadKnownSchema, type Migration, getNewestVersion, listMigrations } from './schema.ts';

const CREATE_LIST = 'create table if not exists migrations (version bigint primary key, quern text not null)';
const SELECT_APPLIED = 'select version, quern from migrations order by version';
const CLAIM_VERSION =
  'insert into migrations (version, quern) values ($1, $2) on conflict do nothing returning version';

const AppliedMigration = z.object({ version: z.number(), quern: z.string() });

/** An applied migration, and the version of Quern that applied it. */
export type AppliedMigration = z.output<typeof AppliedMigration>;

/**
 * Applies all missing migrations, each in one transaction; several processes may do so at once. Throws `OperatorError` if the
 * schema is newer than the code and from another minor version.
 */
export async function migrate(db: Db, schema?: KnownSchema): Promise<void> {
  const code = schema ?? (await loadKnownSchema());
  await prepareMigrationsTable(db);
  const applied = await selectAppliedMigrations(db);
  assertNotNewer(applied, { code, kind: db.kind });
  for (const migration of listMigrations(code, getSchemaVersion(applied), getNewestVersion(code))) {
    await db.transaction(async (tx) => applyMigration(tx, migration, { kind: db.kind, quern: code.quern }));
  }
}

/** The migrations that were applied to a database; empty for a new one. */
export async function readAppliedMigrations(view: Queryable, kind: StoreKind): Promise<readonly AppliedMigration[]> {
  const tables = await view.query(FIND_TABLE[kind], ['migrations']);
  return tables.length === 0 ? [] : selectAppliedMigrations(view);
}

/** The number of the newest applied migration; 0 for an empty database. */
export function getSchemaVersion(applied: readonly AppliedMigration[]): number {
  return applied.at(-1)?.version ?? 0;
}

/**
 * Throws `OperatorError` if migrations of another minor version are unknown to this code. Unknown migrations of the same minor
 * version are accepted: they only add tables and columns, so old and new processes can work side by side.
 */
export function assertNotNewer(
  applied: readonly AppliedMigration[],
  facts: { readonly code: KnownSchema; readonly kind: StoreKind },
): void {
  const { code, kind } = facts;
  const known = getNewestVersion(code);
  const foreign = applied.find(
    ({ version, quern }) => version > known && toMinorVersion(quern) !== toMinorVersion(code.quern),
  );
  if (foreign === undefined) return;
  throw new OperatorError(
    `the data was written by a newer Quern (${foreign.quern} with schema ${getSchemaVersion(applied)}, this is ${code.quern} and supports ${known}): start that version, or set another ${kind === 'sqlite' ? 'QUERN_DATA_DIR' : 'QUERN_DATABASE_URL'}`,
  );
}

/** Throws `OperatorError` if the schema is newer than this code, which could then not copy all tables and columns. */
export function assertKnownSchema(applied: readonly AppliedMigration[], code: KnownSchema): void {
  const [schema, known] = [getSchemaVersion(applied), getNewestVersion(code)];
  if (schema <= known) return;
  throw new OperatorError(
    `the data has schema ${schema}, but this Quern, ${code.quern}, supports ${known}: use the newer version`,
  );
}

/** Creates the table of applied migrations if it does not exist. */
export async function createMigrationsTable(tx: Queryable, kind: StoreKind): Promise<void> {
  await tx.query(TRANSLATE_MIGRATION[kind](CREATE_LIST));
}

/**
 * Applies one migration. Another process may apply the same one, so the version is claimed first: the second claim waits until
 * the first commits, and then finds the version taken.
 */
export async function applyMigration(
  tx: Queryable,
  { version, text }: Migration,
  { kind, quern }: { readonly kind: StoreKind; readonly quern: string },
): Promise<void> {
  if ((await tx.query(CLAIM_VERSION, [version, quern])).length === 0) return;
  const statements = TRANSLATE_MIGRATION[kind](text).split(';');
  for (const statement of statements) if (statement.trim() !== '') await tx.query(statement.trim());
}

/** Creates the table, ignoring the error of PostgreSQL if another process creates it at the same moment. */
async function prepareMigrationsTable(db: Db): Promise<void> {
  try {
    await createMigrationsTable(db, db.kind);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    await selectAppliedMigrations(db).catch(() => {
      throw error;
    });
  }
}

async function selectAppliedMigrations(view: Queryable): Promise<readonly AppliedMigration[]> {
  return readRows(AppliedMigration, await view.query(SELECT_APPLIED));
}

/** `0.1` of `0.1.7`. */
function toMinorVersion(quern: string): string {
  return quern.split('.').slice(0, 2).join('.');
}
