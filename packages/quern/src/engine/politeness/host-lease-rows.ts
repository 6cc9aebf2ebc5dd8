import { z } from 'zod';
import type { PaceState } from './host-pacing.ts';
import type { Db, SqlValue } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

const PaceNumbers = z.object({
  limit: z.number(),
  gapMs: z.number(),
  good: z.number(),
  slow: z.number(),
  latencyMs: z.number(),
  known: z.number(),
  startedAt: z.number(),
  heldUntil: z.number(),
  slowedAt: z.number(),
  /** Missing in rows of earlier versions. */
  refusedMs: z.number().default(0),
});
const LeaseRow = z.object({
  host: z.string(),
  process_id: z.string(),
  pace: z.string().transform((text): PaceState | null => PaceNumbers.nullable().parse(JSON.parse(text))),
});
const RenewedRow = z.object({ host: z.string(), wanted: z.number() });

/** A host and its latest pace. */
export type HostPaceEntry = readonly [host: string, pace: PaceState];

export type HostLeaseRows = ReturnType<typeof buildHostLeaseRows>;

/** Host leases in the database. The holder may visit the host and stores its pace. */
export function buildHostLeaseRows({ db, processId }: { readonly db: Db; readonly processId: string }) {
  const names = buildRowsTable(db.kind, '$4', { name: 'b', columns: { host: 'text' } });
  const paced = buildRowsTable(db.kind, '$4', { name: 'b', columns: { host: 'text', pace: 'text' } });
  const isFree = 'host_leases.lease_until < excluded.used_at or host_leases.process_id = excluded.process_id';
  const take = `insert into host_leases (host, process_id, lease_until, used_at)
    select b.host, $1, $2, $3 from ${names} where true order by b.host
    on conflict (host) do update set
      process_id = case when ${isFree} then excluded.process_id else host_leases.process_id end,
      lease_until = case when ${isFree} then excluded.lease_until else host_leases.lease_until end,
      wanted = case when ${isFree} then 0 else 1 end,
      used_at = excluded.used_at
    returning host, process_id, pace`;
  const keep = `update host_leases set lease_until = $2, used_at = $3, pace = b.pace from ${paced}
    where host_leases.host = b.host and host_leases.process_id = $1
    returning host_leases.host as host, host_leases.wanted as wanted`;

  /** A lease lost with the database is simply requested again. */
  async function run(sql: string, values: readonly SqlValue[]) {
    return db.transaction(async (tx) => tx.query(sql, values), 'redone');
  }

  async function write(hosts: readonly HostPaceEntry[], { now, until }: LeaseTime) {
    const cells = hosts.map(([host, pace]) => [host, JSON.stringify(pace)]).toSorted(compareHosts);
    return readRows(RenewedRow, await run(keep, [processId, until, now, JSON.stringify(cells)]));
  }

  return {
    /** Takes the free leases among `hosts` and marks the others as wanted. Returns the paces of the hosts taken. */
    async take(hosts: readonly string[], { now, until }: LeaseTime): Promise<ReadonlyMap<string, PaceState | null>> {
      const cells = JSON.stringify(hosts.map((host) => [host]));
      const found = readRows(LeaseRow, await run(take, [processId, until, now, cells]));
      return new Map(found.filter((row) => row.process_id === processId).map(({ host, pace }) => [host, pace]));
    },

    /** Renews leases. Returns which of them are still held, and whether another process wants them. */
    async keep(hosts: readonly HostPaceEntry[], span: LeaseTime): Promise<ReadonlyMap<string, 'wanted' | 'quiet'>> {
      const kept = await write(hosts, span);
      return new Map(kept.map(({ host, wanted }) => [host, wanted === 1 ? 'wanted' : 'quiet']));
    },

    /** Releases leases. */
    async give(hosts: readonly HostPaceEntry[], now: number): Promise<void> {
      await write(hosts, { now, until: 0 });
    },
  };
}

/** Times in ms. */
type LeaseTime = { readonly now: number; readonly until: number };

function compareHosts([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1;
}
