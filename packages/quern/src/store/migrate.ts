import { z } from 'zod';
import { OperatorError } from '#kernel/errors.ts';
import { type Db, type Statements, type StoreKind, StoreUnavailable } from './db.ts';
import { FIND_TABLE, TRANSLATE_MIGRATION } from './dialect.ts';
import { readRows } from './rows.ts';
import { type KnownSchema, loadCode, type Migration, newestOf, listMigrations } from './schema.ts';

const CREATE_LIST = 'create table if not exists migrations (version bigint primary key, quern text not null)';
const SELECT_APPLIED = 'select version, quern from migrations order by version';
const CLAIM_VERSION =
  'insert into migrations (version, quern) values ($1, $2) on conflict do nothing returning version';

const AppliedMigration = z.object({ version: z.number(), quern: z.string() });

/** A migration file that was applied, and the version of Quern that applied it. */
export type Applied = z.output<typeof AppliedMigration>;

/**
 * Applies all migration files that are missing, each in one transaction. Any number of processes may do so at once. Throws
 * `OperatorError` if the schema is newer than the code and not of the same minor version.
 */
export async function migrate(db: Db, given?: KnownSchema): Promise<void> {
  const code = given ?? (await loadCode());
  await prepareMigrationsTable(db);
  const applied = await selectAppliedMigrations(db);
  assertNotNewer(applied, { code, kind: db.kind });
  for (const migration of listMigrations(code, schemaOf(applied), newestOf(code))) {
    await db.transaction(async (tx) => applyMigration(tx, migration, { kind: db.kind, quern: code.quern }));
  }
}

/** The migrations that were applied to a store; none if it is empty. */
export async function findApplied(view: Statements, kind: StoreKind): Promise<readonly Applied[]> {
  const found = await view.query(FIND_TABLE[kind], ['migrations']);
  return found.length === 0 ? [] : selectAppliedMigrations(view);
}

/** The number of the newest applied file, 0 for an empty store. */
export function schemaOf(applied: readonly Applied[]): number {
  return applied.at(-1)?.version ?? 0;
}

/**
 * Accepts unknown migrations of the same minor version: they only add, so an older process works on the same store as a newer
 * one. Throws `OperatorError` for migrations of another version.
 */
export function assertNotNewer(
  applied: readonly Applied[],
  facts: { readonly code: KnownSchema; readonly kind: StoreKind },
): void {
  const { code, kind } = facts;
  const known = newestOf(code);
  const foreign = applied.find(
    ({ version, quern }) => version > known && toMinorVersion(quern) !== toMinorVersion(code.quern),
  );
  if (foreign === undefined) return;
  throw new OperatorError(
    `the data were written by a newer Quern (${foreign.quern} with schema ${schemaOf(applied)}, this is ${code.quern} and knows ${known}): start that version, or name another ${kind === 'sqlite' ? 'QUERN_DATA_DIR' : 'QUERN_DATABASE_URL'}`,
  );
}

/** Throws `OperatorError` if a schema has tables or columns that this code does not know, and so cannot copy. */
export function assertKnownSchema(applied: readonly Applied[], code: KnownSchema): void {
  const [schema, known] = [schemaOf(applied), newestOf(code)];
  if (schema <= known) return;
  throw new OperatorError(
    `the data have schema ${schema} and this Quern, ${code.quern}, knows ${known}: use the newer one`,
  );
}

/** Creates the table of applied migrations, on an empty store or in the transaction that fills one. */
export async function createMigrationsTable(tx: Statements, kind: StoreKind): Promise<void> {
  await tx.query(TRANSLATE_MIGRATION[kind](CREATE_LIST));
}

/**
 * Applies one file. Another process may be applying the same, so the version is claimed first: the claim of the second
 * waits for the first to commit, and then finds it taken.
 */
export async function applyMigration(
  tx: Statements,
  { version, text }: Migration,
  { kind, quern }: { readonly kind: StoreKind; readonly quern: string },
): Promise<void> {
  if ((await tx.query(CLAIM_VERSION, [version, quern])).length === 0) return;
  const statements = TRANSLATE_MIGRATION[kind](text).split(';');
  for (const statement of statements) if (statement.trim() !== '') await tx.query(statement.trim());
}

/** Passes over the error of PostgreSQL for a table that another process creates at the same moment. */
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

async function selectAppliedMigrations(view: Statements): Promise<readonly Applied[]> {
  return readRows(AppliedMigration, await view.query(SELECT_APPLIED));
}

/** `0.1` of `0.1.7`. */
function toMinorVersion(quern: string): string {
  return quern.split('.').slice(0, 2).join('.');
}
