import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from '#kernel/errors.ts';
import type { Db, Queryable } from './db.ts';
import { readAppliedMigrations, assertKnownSchema, getSchemaVersion } from './migrate.ts';
import { fillStore, backUpReplacedData, type ReplaceStore, type RestoreOptions } from './restore.ts';
import { readRow } from './rows.ts';
import { readTables } from './schema.ts';

/** Before schema 15, the table `processes` was called `holders`. */
const SELECT_LAST_SEEN = {
  processes: 'select max(seen_at) as seen_at from processes',
  holders: 'select max(seen_at) as seen_at from holders',
};
const LastSeenRow = z.object({ seen_at: z.number().nullable() });

/**
 * Replaces all data in one transaction that locks all tables. Refuses if a service was seen after `aliveSince` (ms), because
 * it is probably running.
 */
export function replacePostgres(db: Db, aliveSince: number, order: RestoreOptions): ReplaceStore {
  return async (backup) =>
    db.transaction(async (tx) => {
      const replaced = await dropTables(tx, aliveSince, order);
      try {
        await fillStore(tx, backup, { kind: 'postgres', ...order });
      } catch (error) {
        if (replaced !== null) await rm(replaced);
        throw error;
      }
      return replaced;
    });
}

/** Backs up the data and drops all tables of Quern; returns the backup file, or null if there was no data. */
async function dropTables(tx: Queryable, aliveSince: number, order: RestoreOptions): Promise<string | null> {
  const applied = await readAppliedMigrations(tx, 'postgres');
  if (applied.length === 0) return null;
  assertKnownSchema(applied, order.code);
  const names = readTables(order.code, getSchemaVersion(applied)).map(({ name }) => name);
  const tables = ['migrations', ...names].join(', ');
  await tx.query(`lock table ${tables} in access exclusive mode`);
  const processes = names.includes('processes') ? 'processes' : 'holders';
  const seen = readRow(LastSeenRow, await tx.query(SELECT_LAST_SEEN[processes]))?.seen_at ?? null;
  if (seen !== null && seen >= aliveSince) {
    throw new OperatorError(
      'QUERN_DATABASE_URL: a service or a command uses this database: stop all of them (a killed one counts as running for 40 seconds)',
    );
  }
  const replaced = await backUpReplacedData({ view: tx, kind: 'postgres' }, order);
  await tx.query(`drop table ${tables}`);
  return replaced;
}
