import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { changeInBatches } from '#store/batches.ts';
import { RECORDS_KEPT_MS } from '#engine/identity/plans.ts';

const FORGET_RUNS = `delete from monitor_runs where id in (
  select id from monitor_runs where queued_at < $1 and status <> 'queued' order by queued_at limit $2) returning id`;
const FORGET_CHANGES = `delete from monitor_changes where id in (
  select id from monitor_changes where detected_at < $1 order by detected_at limit $2) returning id`;
/** The records of deleted monitors are deleted before the monitors. */
const DELETED = 'select id from monitors where deleted_at is not null';
const DROP_RUNS = `delete from monitor_runs where id in (
  select id from monitor_runs where monitor_id in (${DELETED}) and status <> 'queued' limit $1) returning id`;
const DROP_CHANGES = `delete from monitor_changes where id in (
  select id from monitor_changes where monitor_id in (${DELETED}) limit $1) returning id`;
const DROP_MONITORS = `delete from monitors where id in (
  select id from monitors where deleted_at is not null
    and not exists (select 1 from monitor_runs where monitor_id = monitors.id)
    and not exists (select 1 from monitor_changes where monitor_id = monitors.id) limit $1) returning id`;

/** Deletes runs and changes after 90 days, and the records of deleted monitors. */
export function buildMonitorRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      const before = clock.now() - RECORDS_KEPT_MS;
      for (const sql of [FORGET_RUNS, FORGET_CHANGES]) await changeInBatches(db, { sql, values: [before] }, signal);
      for (const sql of [DROP_RUNS, DROP_CHANGES, DROP_MONITORS])
        await changeInBatches(db, { sql, values: [] }, signal);
    },
  };
}
