import { z } from 'zod';
import type { Clock, Timer } from '#kernel/clock.ts';
import type { Db, SqlValue } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import type { PaceState } from './pace-state.ts';

/*
 * Processes that share a store visit a host one after the other. The holder of its lease paces the visits as if it were alone, and hands the pace over with the lease. So no page needs a query, and what one process learns about a host, such as a Retry-After, is known to the next.
 */

/** A lease ends after this time if it is not renewed. In the safety margin at its end the holder starts no visits. */
const LEASE_MS = 15_000;
const SAFETY_MARGIN_MS = 5_000;
/** Interval of renewals. A lease wanted by another process is released then, once no visit is in progress. */
const RENEW_EVERY_MS = 1000;
/** Requests for leases within this time are combined into one statement. */
const BATCH_MS = 5;
/** Delay before a refused or released lease is requested again. */
const RETRY_MS = 250;

/** The lease of one host from the view of this process. */
export type HostLease = {
  /** Whether a visit may start. Requests the lease if it is not held. */
  readonly isHeld: () => boolean;
  /** Counts a visit. Call the returned function when it has ended. */
  readonly begin: () => () => void;
  /** Whether the lease is not held and no visit is in progress. */
  readonly isIdle: () => boolean;
};

/** Access to the pace of a host in this process. */
type PaceHolder = { readonly pace: () => PaceState; readonly learn: (pace: PaceState) => void };

type Entry = PaceHolder & {
  readonly host: string;
  state: 'none' | 'asked' | 'held' | 'leaving';
  until: number;
  visits: number;
  /** Whether a visit was requested since the last renewal. */
  isWanted: boolean;
  askAgainAt: number;
};

type HostLeasesParts = {
  readonly rows: HostLeaseRows;
  readonly clock: Clock;
  /** Receives the error of a failed round. The next one tries again. */
  readonly report: (error: unknown) => void;
};

/** The host leases that this process holds or requests. */
export class HostLeases {
  readonly #parts: HostLeasesParts;
  readonly #held = new Set<Entry>();
  #asking: Entry[] = [];
  #gathering: Timer | undefined;
  #keeping: Timer | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: HostLeasesParts) {
    this.#parts = parts;
  }

  open(host: string, place: PaceHolder): HostLease {
    const { clock } = this.#parts;
    const entry: Entry = { ...place, host, state: 'none', until: 0, visits: 0, isWanted: false, askAgainAt: 0 };
    return {
      isHeld: () => {
        const now = clock.now();
        entry.isWanted = true;
        if (entry.state === 'none' && now >= entry.askAgainAt) this.#ask(entry);
        return entry.state === 'held' && now < entry.until - SAFETY_MARGIN_MS;
      },
      begin: () => {
        entry.visits += 1;
        return () => {
          entry.visits -= 1;
          if (entry.visits > 0 || entry.state !== 'leaving') return;
          this.#round(async () => this.#leave([entry].filter((one) => one.visits === 0 && this.#held.has(one))));
        };
      },
      isIdle: () => entry.state === 'none' && entry.visits === 0,
    };
  }

  /** Releases all leases. No host is visited afterwards. */
  async close(): Promise<void> {
    this.#gathering?.close();
    this.#round(async () => this.#leave([...this.#held]));
    await this.#last;
    this.#keeping?.close();
  }

  /** Rounds run one after the other, so that none overtakes an older one. */
  #round(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch(this.#parts.report);
  }

  #ask(entry: Entry): void {
    entry.state = 'asked';
    this.#asking.push(entry);
    this.#gathering ??= this.#parts.clock.after(BATCH_MS, () => this.#round(async () => this.#takeAsked()));
  }

  async #takeAsked(): Promise<void> {
    const { rows, clock } = this.#parts;
    const requested = new Map(this.#asking.map((entry) => [entry.host, entry]));
    this.#asking = [];
    this.#gathering = undefined;
    const now = clock.now();
    const until = now + LEASE_MS;
    for (const entry of requested.values()) this.#lose(entry, now);
    for (const [host, pace] of await rows.take([...requested.keys()], { now, until })) {
      const entry = requested.get(host);
      if (entry === undefined) continue;
      if (pace !== null) entry.learn(pace);
      entry.state = 'held';
      entry.until = until;
      entry.isWanted = true;
      this.#held.add(entry);
    }
    if (this.#held.size > 0) this.#keeping ??= this.#renewLater();
  }

  #renewLater(): Timer {
    return this.#parts.clock.after(RENEW_EVERY_MS, () => this.#round(async () => this.#renew()));
  }

  async #renew(): Promise<void> {
    const entries = this.#held;
    try {
      await this.#leave([...entries].filter(({ visits, isWanted }) => visits === 0 && !isWanted));
      for (const entry of entries) entry.isWanted = false;
      if (entries.size > 0) await this.#keepHeld(this.#parts.clock.now());
      await this.#leave([...entries].filter(({ visits, state }) => visits === 0 && state === 'leaving'));
    } finally {
      this.#keeping = entries.size > 0 ? this.#renewLater() : undefined;
    }
  }

  async #keepHeld(now: number): Promise<void> {
    const until = now + LEASE_MS;
    const renewed = await this.#parts.rows.keep([...this.#held].map(toPaceEntry), { now, until });
    for (const entry of this.#held) {
      const pace = renewed.get(entry.host);
      if (pace === undefined) this.#lose(entry, now);
      else entry.until = until;
      if (pace === 'wanted') entry.state = 'leaving';
    }
  }

  async #leave(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const now = this.#parts.clock.now();
    for (const entry of entries) this.#lose(entry, now);
    await this.#parts.rows.give(entries.map(toPaceEntry), now);
  }

  #lose(entry: Entry, now: number): void {
    this.#held.delete(entry);
    entry.state = 'none';
    entry.askAgainAt = now + RETRY_MS;
  }
}

function toPaceEntry({ host, pace }: Entry): HostPaceEntry {
  return [host, pace()];
}

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
type HostPaceEntry = readonly [host: string, pace: PaceState];

type HostLeaseRows = ReturnType<typeof buildHostLeaseRows>;

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
      const leases = readRows(LeaseRow, await run(take, [processId, until, now, cells]));
      return new Map(leases.filter((row) => row.process_id === processId).map(({ host, pace }) => [host, pace]));
    },

    /** Renews leases. Returns which of them are still held, and whether another process wants them. */
    async keep(hosts: readonly HostPaceEntry[], span: LeaseTime): Promise<ReadonlyMap<string, 'wanted' | 'quiet'>> {
      const renewed = await write(hosts, span);
      return new Map(renewed.map(({ host, wanted }) => [host, wanted === 1 ? 'wanted' : 'quiet']));
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
