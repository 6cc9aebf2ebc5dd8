import { z } from 'zod';
import { toDay, toMonth } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db, Row, Statements } from '#store/db.ts';
import type { ContendedRow, InTurn } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import { buildProcesses, unreserve } from './processes.ts';
import { enter } from './ledger.ts';
import { availableOf, dayLeftOf, Purse, refuse, toLimits } from './balance.ts';
import type { Plan } from '#engine/identity/plans.ts';

/*
 * Reserve, raise, settle and release credits. Each is one conditional statement on the tenant's row, so that no
 * interleaving can spend the same credit twice, and each is guarded by the key of the call, so that it counts once.
 * The month and the day roll over inside the same statement; a clock that steps back changes neither.
 */
const RESERVE = `with calls (tenant, month, today, credits, month_limit, day_limit) as (values ($1, $2, $3,
    cast($4 as bigint), cast($5 as bigint), cast($6 as bigint))),
  asked as (select tenant, max(month) as month, max(today) as today, sum(credits) as credits,
    min(month_limit) as month_limit, min(day_limit) as day_limit from calls group by tenant)
  update tenants set
    used = case when cycle < month then 0 else used end,
    topped_up = case when cycle < month then 0 else topped_up end,
    cycle = case when cycle < month then month else cycle end,
    day_used = case when day < today then 0 else day_used end,
    day = case when day < today then today else day end,
    reserved = reserved + asked.credits
  from asked where id = tenant
    and month_limit + case when cycle < month then 0 else topped_up - used end - reserved >= asked.credits
    and day_limit - case when day < today then 0 else day_used end - reserved >= asked.credits
  returning id`;
/** The same for one call alone, since of several that ask for too much some may still fit. */
const RESERVE_ALONE = `update tenants set
    used = case when cycle < $2 then 0 else used end,
    topped_up = case when cycle < $2 then 0 else topped_up end,
    cycle = case when cycle < $2 then $2 else cycle end,
    day_used = case when day < $3 then 0 else day_used end,
    day = case when day < $3 then $3 else day end,
    reserved = reserved + $4
  where id = $1
    and $5 + case when cycle < $2 then 0 else topped_up - used end - reserved >= $4
    and $6 - case when day < $3 then 0 else day_used end - reserved >= $4
  returning id`;
/** The same where all that is set aside for a call, under its own key and those of its parts, may be `$7` at most. */
const RESERVE_WITHIN = RESERVE_ALONE.replace(
  'returning id',
  `and $7 - (select coalesce(sum(credits), 0) from reservations where key = $8 or (key >= $9 and key < $10)) >= $4
  returning id`,
);
const HELD = `select coalesce(sum(credits), 0) as credits from reservations
  where key = $1 or (key >= $2 and key < $3)`;
const HOLD = `insert into reservations (key, tenant_id, credits, process_id) values ($1, $2, $3, $4)
  on conflict (key) do nothing returning key`;
/** The same for a call that takes one of `most` places of its tenant, whose row is held; none where all are taken. */
const HOLD_PLACE = `with calls (key, tenant, credits, process_id, most) as (values ($1, $2, cast($3 as bigint), $4,
    cast($5 as bigint))),
  placed as (select calls.*, row_number() over (partition by tenant order by key) - 1 as before from calls)
  insert into reservations (key, tenant_id, credits, process_id, place)
  select key, tenant, credits, process_id, 1 from placed
  where most > before + (select count(*) from reservations where reservations.tenant_id = placed.tenant and place = 1)
  on conflict (key) do nothing returning key`;
const LESS_HOLD = 'update reservations set credits = credits - $2 where key = $1';
const ADD_HOLD = `insert into reservations (key, tenant_id, credits, process_id) values ($1, $2, $3, $4)
  on conflict (key) do update set credits = reservations.credits + excluded.credits`;
const RAISE_HOLD = `insert into reservations (key, tenant_id, credits, process_id) values ($1, $2, $3, $4)
  on conflict (key) do update set credits = excluded.credits`;
// A write, so that no sweep takes the row away in between.
const LOCK_HOLD = 'update reservations set credits = credits where key = $1 returning credits, place';
const DROP_HOLD = `with calls (key) as (values ($1))
  delete from reservations where key in (select key from calls) returning key, credits`;
const CHARGE = `with calls (tenant, month, today, credits, held) as (values ($1, $2, $3,
    cast($4 as bigint), cast($5 as bigint))),
  spent as (select tenant, max(month) as month, max(today) as today, sum(credits) as credits, sum(held) as held
    from calls group by tenant)
  update tenants set
    used = case when cycle < month then 0 else used end + spent.credits,
    topped_up = case when cycle < month then 0 else topped_up end,
    cycle = case when cycle < month then month else cycle end,
    day_used = case when day < today then 0 else day_used end + spent.credits,
    day = case when day < today then today else day end,
    reserved = reserved - spent.held
  from spent where id = tenant
  returning id, cycle, used, topped_up, day, day_used, reserved`;
const FIND_ENTRY = 'select key from ledger where key = $1';
const READ_TENANT = 'select * from tenants where id = $1';
const Hold = z.object({ credits: z.number() });
const Placed = Hold.extend({ place: z.number() });
/** Whose credits, under which plan, for which call: `key` is the id of the call. */
export type Account = {
  readonly key: string;
  readonly tenant: string;
  readonly plan: Plan;
  /** For work under a lease: throws, inside the transaction of each effect, when the lease is lost. */
  readonly fence?: (tx: Statements) => Promise<void>;
  /** Calls of the tenant that may run at once, in all processes together; null without a limit, absent for what is no call. */
  readonly places?: number | null;
  /** Whether an attempt before this one may have held something under the key. */
  readonly isRepeated?: boolean;
};

export type Charge = {
  readonly operation: string;
  readonly credits: number;
  /** For work under a lease: ends it, in place of the fence, before anything else is written. */
  readonly finish?: (tx: Statements) => Promise<void>;
  /** Writes what must be there exactly when the charge is. */
  readonly record: (tx: Statements) => Promise<void>;
};

/** One of several charges of the same work, of which the last closes the sum; in the ledger it is a `part`, no call. */
type Part = {
  readonly key: string;
  readonly operation: string;
  readonly credits: number;
  /** Of what was set aside for it. */
  readonly freed: number;
};

/**
 * What a call may have set aside at most: under its key, and under keys that are `parts` and a number after a colon.
 * Whoever asks within one ceiling asks one after the other, under one key of `InTurn`.
 */
export type Ceiling = { readonly credits: number; readonly key: string; readonly parts: string };

/** Why credits could not be set aside. */
export type Shortage = 'credits_exhausted' | 'daily_cap' | 'max_credits';

type Holding = { readonly each: number; readonly most: number; readonly ceiling: Ceiling | null };

/** What a call is to hold in all, and what it holds already. */
type Wanted = { readonly credits: number; readonly held: number };

type Refusal = { readonly refused: ServiceError };

export type Billing = ReturnType<typeof buildBilling>;

export function buildBilling(parts: {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  /** The id of this process among those that hold reservations. */
  readonly processId: string;
}) {
  const { db, inTurn, clock, processId } = parts;

  async function take(tx: Statements, { tenant, plan }: Account, { credits, held }: Wanted): Promise<Refusal | null> {
    const now = clock.now();
    const { grant, cap } = toLimits(plan);
    const values = [tenant, toMonth(now), toDay(now), credits - held, grant, cap];
    if ((await tx.query(RESERVE, values)).length > 0) return null;
    if ((await tx.query(RESERVE_ALONE, values)).length > 0) return null;
    const purse = readRow(Purse, await tx.query(READ_TENANT, [tenant]));
    if (purse === null) throw new Error(`no tenant ${tenant}`);
    return { refused: refuse({ plan, limits: { grant, cap }, purse, credits, held, now }) };
  }

  async function hold(tx: Statements, { key, tenant, places }: Account, credits: number): Promise<readonly Row[]> {
    const values = [key, tenant, credits, processId];
    return isSome(places) ? tx.query(HOLD_PLACE, [...values, places]) : tx.query(HOLD, values);
  }

  /** Why a call without a place is refused: a lack of credits is told first. */
  async function refusePlace(tx: Statements, account: Account, credits: number): Promise<Refusal> {
    const refused = await take(tx, account, { credits, held: 0 });
    if (refused !== null) return refused;
    await unreserve(tx, account.tenant, credits);
    return { refused: tooManyCalls(account.plan) };
  }

  return {
    ...buildProcesses({ db, clock, processId }),

    /**
     * Sets `credits` aside for a call, and takes one of its places; throws `credits_exhausted`,
     * `daily_credit_cap_exceeded` or `concurrency_limit_exceeded`.
     */
    async reserve(account: Account, credits: number): Promise<void> {
      const refusal = await inTurn(
        rowOf(account),
        async (tx) => {
          // An earlier attempt that died may have left a hold under the same key.
          if (account.isRepeated === true) await letGo(tx, account);
          const [held] = await Promise.all([hold(tx, account, credits), account.fence?.(tx)]);
          if (held.length === 0) return isSome(account.places) ? refusePlace(tx, account, credits) : null;
          const refused = await take(tx, account, { credits, held: 0 });
          if (refused !== null) await tx.query(DROP_HOLD, [account.key]);
          return refused;
        },
        // A charge whose reservation was lost pays like a new one.
        { key: account.key, keep: 'redone' },
      );
      if (refusal !== null) throw refusal.refused;
    },

    /** Raises what the call holds to `credits`, before a costlier tier starts; throws as `reserve`. */
    async raise(account: Account, credits: number): Promise<void> {
      const refusal = await inTurn(
        rowOf(account),
        async (tx) => {
          await account.fence?.(tx);
          const held = readRow(Hold, await tx.query(LOCK_HOLD, [account.key]))?.credits ?? 0;
          if (held >= credits) return null;
          const refused = await take(tx, account, { credits, held });
          if (refused === null) await tx.query(RAISE_HOLD, [account.key, account.tenant, credits, processId]);
          return refused;
        },
        { key: account.key, keep: 'redone' },
      );
      if (refusal !== null) throw refusal.refused;
    },

    /**
     * Charges `credits` for a call, frees what it held beyond, and writes what belongs with the charge, in one
     * transaction; once, however often it is called. Answers what is left of the month, null without a limit.
     */
    async settle(account: Account, charge: Charge): Promise<number | null> {
      const settled = await inTurn(
        rowOf(account),
        async (tx) => {
          const [dropped] = await Promise.all([
            tx.query(DROP_HOLD, [account.key]),
            (charge.finish ?? account.fence)?.(tx),
          ]);
          const held = readRow(Hold, dropped);
          if (held === null) {
            if ((await tx.query(FIND_ENTRY, [account.key])).length > 0) return tx.query(READ_TENANT, [account.tenant]);
            // The reservation was swept while its process looked dead: it pays like a new one, if it is to pay.
            const isFree = charge.credits === 0;
            const refused = isFree ? null : await take(tx, account, { credits: charge.credits, held: 0 });
            // What ended the job goes back too.
            if (refused !== null) throw refused.refused;
          }
          const now = clock.now();
          const holding = held?.credits ?? charge.credits;
          const [rows] = await Promise.all([
            tx.query(CHARGE, [account.tenant, toMonth(now), toDay(now), charge.credits, holding]),
            charge.record(tx),
          ]);
          const purse = readRow(Purse, rows);
          if (purse === null) throw new Error(`no tenant ${account.tenant}`);
          const { operation, credits } = charge;
          const { key, tenant } = account;
          await enter(
            tx,
            { key, tenant, now, cycle: purse.cycle, day: purse.day, kind: 'charge', operation, credits },
            db.kind,
          );
          return rows;
        },
        { key: account.key },
      );
      const purse = readRow(Purse, settled);
      return purse === null ? null : availableOf(purse, account.plan, clock.now());
    },

    /** Frees what a failed call held, if anything, and writes what belongs with its end, in one transaction. */
    async release(account: Account, record: Charge['record'] = async () => undefined): Promise<void> {
      await inTurn(
        rowOf(account),
        async (tx) => {
          await account.fence?.(tx);
          await letGo(tx, account);
          await record(tx);
        },
        { key: account.key },
      );
    },

    /**
     * Sets `each` aside as often as the balance pays for it, at most `most` times, beside what the account holds, in the
     * caller's transaction; says why when not even once.
     */
    async holdUpTo(tx: Statements, account: Account, { each, most, ceiling }: Holding) {
      const { tenant, plan } = account;
      const now = clock.now();
      const { grant, cap } = toLimits(plan);
      const reserve = ceiling === null ? RESERVE_ALONE : RESERVE_WITHIN;
      const within = ceiling === null ? [] : [ceiling.credits, ...keysOf(ceiling)];
      const valuesFor = (credits: number) => [tenant, toMonth(now), toDay(now), credits, grant, cap, ...within];
      let times = most;
      let refused: Shortage | null = null;
      while (times > 0 && (await tx.query(reserve, valuesFor(each * times))).length === 0) {
        const purse = readRow(Purse, await tx.query(READ_TENANT, [tenant]));
        if (purse === null) throw new Error(`no tenant ${tenant}`);
        const left = availableOf(purse, plan, now) ?? Number.MAX_SAFE_INTEGER;
        const leftToday = dayLeftOf(purse, plan, now) ?? Number.MAX_SAFE_INTEGER;
        const leftWithin = ceiling === null ? Number.MAX_SAFE_INTEGER : await leftOf(tx, ceiling);
        refused = left < each ? 'credits_exhausted' : leftToday < each ? 'daily_cap' : 'max_credits';
        times = Math.min(times - 1, Math.floor(Math.min(left, leftToday, leftWithin) / each));
      }
      if (times > 0) await tx.query(ADD_HOLD, [account.key, tenant, each * times, processId]);
      return { times: Math.max(0, times), refused: times > 0 ? null : refused };
    },

    /**
     * Charges a part of what the account holds and frees `freed` of it, in the caller's transaction; what a sweep took
     * away meanwhile pays like new. `key` names the part, and no two charges have one.
     */
    async settlePart(tx: Statements, account: Account, part: Part): Promise<void> {
      const { tenant, plan } = account;
      const { key, operation, credits, freed } = part;
      const held = Math.min(freed, readRow(Hold, await tx.query(LOCK_HOLD, [account.key]))?.credits ?? 0);
      const missing = Math.max(0, credits - held);
      if (missing > 0) {
        const refused = await take(tx, account, { credits: missing, held: 0 });
        if (refused !== null) throw refused.refused;
      }
      const now = clock.now();
      const rows = await tx.query(CHARGE, [tenant, toMonth(now), toDay(now), credits, held + missing]);
      const purse = readRow(Purse, rows);
      if (purse === null) throw new Error(`no tenant ${tenant} of plan ${plan.name}`);
      if (held > 0) await tx.query(LESS_HOLD, [account.key, held]);
      if (credits === 0) return;
      await enter(
        tx,
        { key, tenant, now, cycle: purse.cycle, day: purse.day, kind: 'part', operation, credits },
        db.kind,
      );
    },

    unhold,

    /** Frees what a call holds before it has begun to walk; it keeps its place. */
    async empty(account: Account): Promise<void> {
      await inTurn(
        rowOf(account),
        async (tx) => {
          await account.fence?.(tx);
          await unhold(tx, account);
        },
        { key: account.key },
      );
    },
  };
}

/**
 * Frees a part of what the account holds, all of it without `credits`, in the caller's transaction. A call that holds
 * nothing still has its place.
 */
async function unhold(
  tx: Statements,
  { key, tenant }: Account,
  credits: number = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const held = readRow(Placed, await tx.query(LOCK_HOLD, [key]));
  if (held === null) return;
  const freed = Math.min(held.credits, credits);
  await unreserve(tx, tenant, freed);
  if (freed === held.credits && held.place === 0) await tx.query(DROP_HOLD, [key]);
  else await tx.query(LESS_HOLD, [key, freed]);
}

function isSome<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function tooManyCalls({ name, concurrent_requests: most }: Plan): ServiceError {
  return new ServiceError(
    'concurrency_limit_exceeded',
    `plan ${name} allows ${most} requests at the same time: wait for one to end, or take a higher plan`,
    { retryAfterSeconds: 1 },
  );
}

async function letGo(tx: Statements, { key, tenant }: Account): Promise<void> {
  const held = readRow(Hold, await tx.query(DROP_HOLD, [key]));
  if (held !== null) await unreserve(tx, tenant, held.credits);
}

/** The key of a call, and where those of its parts begin and end. */
function keysOf({ key, parts }: Ceiling): readonly string[] {
  return [key, `${parts}:`, `${parts};`];
}

async function leftOf(tx: Statements, ceiling: Ceiling): Promise<number> {
  const held = readRow(Hold, await tx.query(HELD, keysOf(ceiling)));
  return Math.max(0, ceiling.credits - (held?.credits ?? 0));
}

/** The row that every move of these credits contends for. */
function rowOf({ tenant }: Account): ContendedRow {
  return { tenant };
}

/** The key under which a job reserves and is charged, however often it is begun. */
export function chargeKeyOf(jobId: string): string {
  return `job:${jobId}`;
}
