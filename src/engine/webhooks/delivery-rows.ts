import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, Statements, StoreKind } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Target, Webhooks } from './webhooks.ts';

const IS_DUE = "select id from deliveries where status = 'pending' and due_at <= $1 limit 1";
/**
 * The lines after `$1`, whether something is due in them, and no other sender is busy with their endpoint. Every step is one
 * look into an index, however much waits in one of them.
 */
const TURNS = `with recursive turns (line, place) as (
    select (select min(line) from deliveries where status = 'pending' and line > $1), 1
    union all
    select (select min(line) from deliveries where status = 'pending' and line > turns.line), place + 1
      from turns where line is not null and place < $4)
  select line, case when exists (select 1 from deliveries
      where status = 'pending' and deliveries.line = turns.line and due_at <= $2)
    and not exists (select 1 from deliveries as busy where busy.status = 'delivering' and busy.sender_id <> $3
      and busy.endpoint = (select endpoint from deliveries where status = 'pending' and deliveries.line = turns.line
        limit 1))
    then 1 else 0 end as is_due
  from turns where line is not null order by line`;
/** One claim at a time: so no two senders come to the same endpoint at once. SQLite has one sender. */
const LOCK: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: "select pg_advisory_xact_lock(hashtext('quern deliveries'))",
};
/** The due rows of each `[line, most]` of the JSON array `$5`; as for jobs, SQLite is asked for one after the other. */
const PICKED: Readonly<Record<StoreKind, string>> = {
  sqlite: `select id from deliveries where status = 'pending' and line = json_extract($5, '$[0][0]') and due_at <= $1
    order by due_at, id limit json_extract($5, '$[0][1]')`,
  postgres: `select one.id from jsonb_array_elements(cast($5 as jsonb)) as wanted cross join lateral (
    select id from deliveries where status = 'pending' and line = wanted ->> 0 and due_at <= $1
      order by due_at, id limit cast(wanted ->> 1 as bigint)) as one`,
};
const AT_A_TIME: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 64 };
const RECOVER = `update deliveries set status = 'pending', due_at = $1, lease_token = null, lease_until = null,
    sender_id = null where status = 'delivering' and lease_until < $2`;
/** Each count has an index of its own, where both states in one condition have none. */
const BACKLOG = `select (select count(*) from deliveries where status = 'pending')
    + (select count(*) from deliveries where status = 'delivering') as pending,
  (select min(due_at) from deliveries where status = 'pending') as due_at`;

/** Longer than any attempt; a delivery whose sender died is due again when it is over. */
export const LEASE_MS = 30_000;
/** Lines that one look finds, and looks of one claim; those beyond have their turn at the next. */
const MOST_LINES = 1024;
const MOST_LOOKS = 8;

const Turn = z.object({ line: z.string(), is_due: z.number() });
const Backlog = z.object({ pending: z.number(), due_at: z.number().nullable() });
const ClaimedRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  owner_id: z.string(),
  event_id: z.string(),
  type: z.string(),
  endpoint: z.string(),
  line: z.string(),
  body: z.string(),
  attempts: z.number(),
  round: z.number(),
  most: z.number(),
  due_at: z.number(),
  lease_token: z.string(),
});

/** A delivery under a lease until `until` (ms), and where it goes; no target when its webhook is gone. */
export type Claimed = z.output<typeof ClaimedRow> & { readonly until: number; readonly target: Target | null };

/** How many deliveries a line may be given now; asked once for each. */
export type RoomOf = (line: string) => number;

export type DeliveryRows = ReturnType<typeof buildDeliveryRows>;

/** Deliveries as their senders see them: each is sent under a lease, and every end names its token. */
export function buildDeliveryRows(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly webhooks: Webhooks;
  /** Names this process. */
  readonly sender: string;
}) {
  const { db, clock, webhooks, sender } = parts;
  const claim = `with picked as materialized (${PICKED[db.kind]})
    update deliveries set status = 'delivering', lease_token = $2 || id, lease_until = $3, sender_id = $4
    where status = 'pending' and id in (select id from picked) returning *`;
  /** The line that had its turn last; the next claim begins after it. */
  let lastTurn = '';

  /** The lines that have their turn, once around, how many deliveries each is given, `most` in all, and where that ended. */
  async function share(tx: Statements, most: number, roomOf: RoomOf) {
    const rooms = new Map<string, number>();
    let last = lastTurn;
    let isAround = lastTurn === '';
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const found = readRows(Turn, await tx.query(TURNS, [last, clock.now(), sender, MOST_LINES]));
      const turns = isAround && lastTurn !== '' ? found.filter(({ line }) => line <= lastTurn) : found;
      for (const { line, is_due: isDue } of turns) {
        if (rooms.size === most) break;
        const room = isDue === 1 ? roomOf(line) : 0;
        if (room > 0) rooms.set(line, room);
      }
      const isEnd = turns.length < MOST_LINES;
      if (rooms.size === most || (isEnd && isAround)) break;
      isAround ||= isEnd;
      last = isEnd ? '' : (turns.at(-1)?.line ?? '');
    }
    const wanted = inTurns(rooms, most);
    return { wanted, last: wanted.at(-1)?.[0] ?? last };
  }

  return {
    /** Takes due deliveries, at most `most`; lines take turns, and none is given more than it has room for. */
    async claim(most: number, roomOf: RoomOf): Promise<readonly Claimed[]> {
      const now = clock.now();
      // A look costs less than a transaction, and most looks find nothing.
      if ((await db.query(IS_DUE, [now])).length === 0) return [];
      const until = now + LEASE_MS;
      const token = `${newId('lse', now)} `;
      const lock = LOCK[db.kind];
      const shares = await db.transaction(async (tx) => {
        if (lock !== null) await tx.query(lock);
        const { wanted, last } = await share(tx, most, roomOf);
        const taken: z.output<typeof ClaimedRow>[] = [];
        for (let at = 0; at < wanted.length; at += AT_A_TIME[db.kind]) {
          const some = JSON.stringify(wanted.slice(at, at + AT_A_TIME[db.kind]));
          taken.push(...readRows(ClaimedRow, await tx.query(claim, [now, token, until, sender, some])));
        }
        const owners = taken.map((row) => row.owner_id);
        return { last, taken, targets: await webhooks.targetsOf(tx, owners) };
      }, 'redone');
      lastTurn = shares.last;
      return shares.taken
        .toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
        .map((row) => ({ ...row, until, target: shares.targets.get(row.owner_id) ?? null }));
    },

    /** Makes due what dead senders left: those whose lease ran out, or all where there can be no other sender. */
    async recover(whose: 'dead' | 'all'): Promise<void> {
      const now = clock.now();
      await db.query(RECOVER, [now, whose === 'all' ? Number.MAX_SAFE_INTEGER : now]);
    },

    /** Deliveries that are not over, and for how long the one that waits longest has been due, ms. */
    async backlog(): Promise<{ readonly pending: number; readonly lateMs: number }> {
      const { pending = 0, due_at: due = null } = readRow(Backlog, await db.query(BACKLOG)) ?? {};
      return { pending, lateMs: due === null ? 0 : Math.max(0, clock.now() - due) };
    },
  };
}

/** One to each in turn until `most` are given. */
function inTurns(rooms: ReadonlyMap<string, number>, most: number): readonly (readonly [string, number])[] {
  const shares = [...rooms].map(([line, room]) => ({ line, room, given: 0 }));
  let left = most;
  for (let round = 0; left > 0 && shares.some(({ room }) => room > round); round += 1) {
    for (const one of shares) {
      if (left === 0) break;
      if (one.room <= one.given) continue;
      one.given += 1;
      left -= 1;
    }
  }
  return shares.map(({ line, given }) => [line, given] as const);
}
