import { z } from 'zod';
import { OperatorError } from '#kernel/errors.ts';
import { type Db, type Statements, type StoreKind, StoreUnavailable } from './db.ts';
import { HAS_TABLE, TO_SCHEMA } from './dialect.ts';
import { readRows } from './rows.ts';
import { type Code, loadCode, type Migration, newestOf, stepsOf } from './schema.ts';

const LIST = 'create table if not exists migrations (version bigint primary key, quern text not null)';
const APPLIED = 'select version, quern from migrations order by version';
const CLAIM = 'insert into migrations (version, quern) values ($1, $2) on conflict do nothing returning version';

const Applied = z.object({ version: z.number(), quern: z.string() });

/** A migration file that was applied, and the version of Quern that applied it. */
export type Applied = z.output<typeof Applied>;

/**
 * Applies all migration files that are missing, each in one transaction. Any number of processes may do so at once. Throws
 * `OperatorError` if the schema is newer than the code and not of the same minor version.
 */
export async function migrate(db: Db, given?: Code): Promise<void> {
  const code = given ?? (await loadCode());
  await openList(db);
  const applied = await readApplied(db);
  refuseNewer(applied, { code, kind: db.kind });
  for (const migration of stepsOf(code, schemaOf(applied), newestOf(code))) {
    await db.transaction(async (tx) => apply(tx, migration, { kind: db.kind, quern: code.quern }));
  }
}

/** The migrations that were applied to a store; none if it is empty. */
export async function findApplied(view: Statements, kind: StoreKind): Promise<readonly Applied[]> {
  const found = await view.query(HAS_TABLE[kind], ['migrations']);
  return found.length === 0 ? [] : readApplied(view);
}

/** The number of the newest applied file, 0 for an empty store. */
export function schemaOf(applied: readonly Applied[]): number {
  return applied.at(-1)?.version ?? 0;
}

/**
 * Accepts unknown migrations of the same minor version: they only add, so an older process works on the same store as a newer
 * one. Throws `OperatorError` for migrations of another version.
 */
export function refuseNewer(
  applied: readonly Applied[],
  facts: { readonly code: Code; readonly kind: StoreKind },
): void {
  const { code, kind } = facts;
  const known = newestOf(code);
  const foreign = applied.find(({ version, quern }) => version > known && minorOf(quern) !== minorOf(code.quern));
  if (foreign === undefined) return;
  throw new OperatorError(
    `the data were written by a newer Quern (${foreign.quern} with schema ${schemaOf(applied)}, this is ${code.quern} and knows ${known}): start that version, or name another ${kind === 'sqlite' ? 'QUERN_DATA_DIR' : 'QUERN_DATABASE_URL'}`,
  );
}

/** Throws `OperatorError` if a schema has tables or columns that this code does not know, and so cannot copy. */
export function refuseUnknown(applied: readonly Applied[], code: Code): void {
  const [schema, known] = [schemaOf(applied), newestOf(code)];
  if (schema <= known) return;
  throw new OperatorError(
    `the data have schema ${schema} and this Quern, ${code.quern}, knows ${known}: use the newer one`,
  );
}

/** Creates the table of applied migrations, on an empty store or in the transaction that fills one. */
export async function makeList(tx: Statements, kind: StoreKind): Promise<void> {
  await tx.query(TO_SCHEMA[kind](LIST));
}

/**
 * Applies one file. Another process may be applying the same, so the version is claimed first: the claim of the second
 * waits for the first to commit, and then finds it taken.
 */
export async function apply(
  tx: Statements,
  { version, text }: Migration,
  { kind, quern }: { readonly kind: StoreKind; readonly quern: string },
): Promise<void> {
  if ((await tx.query(CLAIM, [version, quern])).length === 0) return;
  const statements = TO_SCHEMA[kind](text).split(';');
  for (const statement of statements) if (statement.trim() !== '') await tx.query(statement.trim());
}

/** Passes over the error of PostgreSQL for a table that another process creates at the same moment. */
async function openList(db: Db): Promise<void> {
  try {
    await makeList(db, db.kind);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    await readApplied(db).catch(() => {
      throw error;
    });
  }
}

async function readApplied(view: Statements): Promise<readonly Applied[]> {
  return readRows(Applied, await view.query(APPLIED));
}

/** `0.1` of `0.1.7`. */
function minorOf(quern: string): string {
  return quern.split('.').slice(0, 2).join('.');
}
