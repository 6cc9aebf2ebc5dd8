import { z } from 'zod';
import { Keys } from '#engine/identity/keys.ts';
import type { Plans } from '#engine/identity/plans.ts';
import { type Clock, toDay, toMonth, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, Queryable, Row } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { toChargeKey } from './billing.ts';
import { addTopUp, refundCharges } from './ledger.ts';

const CREATE = 'insert into tenants (id, name, plan, created_at, cycle, day) values ($1, $2, $3, $4, $5, $6)';
const CREATE_ONCE = `${CREATE} on conflict (id) do nothing`;
const FIND = 'select plan from tenants where id = $1';
const SHOW = 'select * from tenants where id = $1';
const LIST_PAGE = 'select * from tenants where id < $1 order by id desc limit $2';
const PLANS = 'select distinct plan from tenants order by plan';
const CHANGE = `update tenants set plan = coalesce($2, plan), name = coalesce($3, name),
    suspended_at = case cast($4 as bigint) when 1 then coalesce(suspended_at, $5) when 0 then null else suspended_at end
  where id = $1 returning *`;
const TOP_UP = `update tenants set
    used = case when cycle < $2 then 0 else used end,
    topped_up = case when cycle < $2 then 0 else topped_up end + $3,
    cycle = case when cycle < $2 then $2 else cycle end
  where id = $1 returning *`;
const FIND_UNENDED = `select status from jobs where id = $1 and status in ('queued', 'running')`;

const TenantRow = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  created_at: z.string(),
  cycle: z.string(),
  used: z.number(),
  topped_up: z.number(),
  reserved: z.number(),
  day: z.string(),
  day_used: z.number(),
  suspended_at: z.string().nullable(),
});

/** A tenant with its credits, as the operator sees it. */
export type TenantRow = z.output<typeof TenantRow>;

/** Writes rows in the transaction of a change. */
type RecordChange<T> = (tx: Queryable, made: T) => Promise<void>;

type TenantChange = {
  readonly plan?: string | undefined;
  readonly name?: string | undefined;
  /** Whether its calls are refused and its jobs and monitors paused. */
  readonly isSuspended?: boolean | undefined;
};

const UnendedRow = z.object({ status: z.string() });
const PlanRow = z.object({ plan: z.string() });

/** The most top-up credits per month, far below integer overflow. */
const MAX_TOP_UP_CREDITS = 1_000_000_000_000;

/** The tenant of the command line on an embedded store. */
export const LOCAL_TENANT = 'local';

type TenantsParts = { readonly db: Db; readonly clock: Clock };

/** Manages tenants for the operator. Each method is one short transaction, safe while a service runs. */
export class Tenants {
  readonly #parts: TenantsParts;

  constructor(parts: TenantsParts) {
    this.#parts = parts;
  }

  async create(name: string, plan: string): Promise<string> {
    return createTenant(this.#parts.db, this.#parts.clock, { name, plan });
  }

  /** Creates a tenant and runs `record` in the same transaction. */
  async createRecorded(
    { name, plan }: { readonly name: string; readonly plan: string },
    record: RecordChange<TenantRow>,
  ): Promise<TenantRow> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const id = await createTenant(tx, clock, { name, plan });
      const row = parseTenantRow(id, await tx.query(SHOW, [id]));
      await record(tx, row);
      return row;
    });
  }

  /** Creates the tenant of the command line unless it exists. */
  async ensureLocal(): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    await db.query(CREATE_ONCE, [LOCAL_TENANT, 'local', 'unlimited', toTimestamp(now), toMonth(now), toDay(now)]);
  }

  /** Reads the plan of a tenant. Throws `not_found`. */
  async readPlan(tenant: string): Promise<{ readonly plan: string }> {
    const row = readRow(PlanRow, await this.#parts.db.query(FIND, [tenant]));
    if (row === null) throw createNotFoundError(tenant);
    return row;
  }

  /** Lists the names of the plans that tenants have. */
  async listPlansInUse(): Promise<readonly string[]> {
    return readRows(PlanRow, await this.#parts.db.query(PLANS)).map(({ plan }) => plan);
  }

  /** Lists tenants, newest first. `after` is the id of the last one of the previous page. */
  async listPage({ after, limit }: { readonly after: string | null; readonly limit: number }) {
    return readRows(TenantRow, await this.#parts.db.query(LIST_PAGE, [after ?? '~', limit]));
  }

  /** Throws `not_found`. */
  async read(tenant: string): Promise<TenantRow> {
    return parseTenantRow(tenant, await this.#parts.db.query(SHOW, [tenant]));
  }

  /**
   * Changes the given fields. A new plan applies at once to what was already spent this month; an existing suspension
   * keeps its start. Throws `not_found`, and `invalid_request` when suspending the local tenant.
   */
  async update(tenant: string, { plan, name, isSuspended }: TenantChange): Promise<TenantRow> {
    const { db, clock } = this.#parts;
    if (isSuspended === true && tenant === LOCAL_TENANT) {
      throw new ServiceError('invalid_request', `${tenant} is the tenant of the command line and cannot be suspended`);
    }
    const suspension = [isSuspended === undefined ? null : Number(isSuspended), toTimestamp(clock.now())];
    return parseTenantRow(tenant, await db.query(CHANGE, [tenant, plan ?? null, name ?? null, ...suspension]));
  }

  /**
   * Adds credits to the current month. Throws `not_found`, and `invalid_request` if the top-ups of the month exceed the
   * maximum.
   */
  async topUp(tenant: string, credits: number, record: RecordChange<TenantRow> = recordNothing): Promise<TenantRow> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const key = `top_up:${newId('req', now)}`;
    return db.transaction(async (tx) => {
      const row = parseTenantRow(tenant, await tx.query(TOP_UP, [tenant, toMonth(now), credits]));
      if (row.topped_up > MAX_TOP_UP_CREDITS) {
        throw new ServiceError(
          'invalid_request',
          `credits: the top-ups of a month must not exceed ${MAX_TOP_UP_CREDITS}`,
        );
      }
      await addTopUp(tx, { key, tenant, now, cycle: row.cycle, day: toDay(now), credits });
      await record(tx, row);
      return row;
    });
  }

  /**
   * Refunds the charge of a request, job or monitor run, once, and returns the credits. Throws `not_found`, and
   * `invalid_request` if it was refunded before or if the job may still be charged.
   */
  async refund(tenant: string, id: string, record: RecordChange<number> = recordNothing): Promise<number> {
    const { db, clock } = this.#parts;
    const key = /^(?:job|run)_/.test(id) ? toChargeKey(id) : id;
    return db.transaction(async (tx) => {
      const [unended] = readRows(UnendedRow, await tx.query(FIND_UNENDED, [id]));
      if (unended !== undefined) {
        throw new ServiceError('invalid_request', `${id} is ${unended.status}; cancel it, or wait for its end`);
      }
      const { credits, wasRefunded } = await refundCharges(tx, { tenant, key, now: clock.now() });
      if (wasRefunded) throw new ServiceError('invalid_request', `${id} was refunded before`);
      if (credits === 0) throw new ServiceError('not_found', `${tenant} has no charge for ${id}`);
      await record(tx, credits);
      return credits;
    });
  }
}

async function recordNothing(): Promise<void> {}

function parseTenantRow(tenant: string, rows: readonly Row[]): TenantRow {
  const row = readRow(TenantRow, rows);
  if (row === null) throw createNotFoundError(tenant);
  return row;
}

/** Creates a tenant, optionally within a transaction. Returns its id. */
export async function createTenant(
  store: Queryable,
  clock: Clock,
  { name, plan }: { readonly name: string; readonly plan: string },
): Promise<string> {
  const now = clock.now();
  const id = newId('ten', now);
  await store.query(CREATE, [id, name, plan, toTimestamp(now), toMonth(now), toDay(now)]);
  return id;
}

function createNotFoundError(tenant: string): ServiceError {
  return new ServiceError('not_found', `no tenant ${tenant}; list them with quern tenants list`);
}

/** A lock without effect, so that only one process at a time continues. Every store has this row. */
const ONE_AT_A_TIME = 'update migrations set version = version where version = 1';

type FirstKeyParts = { readonly db: Db; readonly clock: Clock; readonly plans: Plans };

/**
 * Creates the first operator key of a new installation, with a tenant on plan `unlimited`: the `requested` key if it never
 * existed here, or a random one if there are no keys. Returns null if none was created, and `'given'` instead of
 * repeating a given key. Safe when several processes start at once.
 */
export async function ensureFirstKey(
  { db, clock, plans }: FirstKeyParts,
  requested: string | undefined,
): Promise<{ readonly key: string } | 'given' | null> {
  return db.transaction(async (tx) => {
    await tx.query(ONE_AT_A_TIME);
    const keys = new Keys({ db: { ...db, query: tx.query }, clock, plans });
    if (requested === undefined ? await keys.hasAny() : await keys.exists(requested)) return null;
    const tenant = await createTenant(tx, clock, { name: 'first', plan: 'unlimited' });
    const own = requested === undefined ? {} : { key: requested };
    const { key } = await keys.addWithin(tx, { tenant, name: 'first', isOperator: true, ...own });
    return requested === undefined ? { key } : 'given';
  });
}
