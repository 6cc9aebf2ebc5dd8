import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db, Durability, Queryable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import type { Plan } from '#engine/identity/plans.ts';
import {
  computeAvailable,
  CreditRow,
  chargeTenant,
  readTenant,
  reserveCredits,
  reserveShares,
  type ShareRequest,
  releaseCredits,
} from './tenant-credits.ts';
import { addEntry } from './ledger.ts';
import {
  addReservation,
  dropReservation,
  extendReservation,
  releasePart,
  freeReservation,
  lockReservation,
  reduceReservation,
  setReservation,
} from './reservations.ts';
import type { WorkOwner } from '#kernel/fair-queue.ts';

const FIND_ENTRY = 'select key from ledger where key = $1';

/** The tenant and plan that pay for a call. `key`, the id of the call, makes its charge idempotent. */
export type Account = {
  readonly key: string;
  readonly tenant: string;
  readonly plan: Plan;
  /** For jobs: called in each transaction, throws `LeaseLost` if the lease is lost. */
  readonly fence?: (tx: Queryable) => Promise<void>;
  /**
   * The most concurrent calls of the tenant in all processes; null for no limit, absent if the work is no inline call.
   */
  readonly maxConcurrent?: number | null;
  /** Whether an earlier attempt may have left a reservation with the same key. */
  readonly isRepeated?: boolean;
};

/** The tenant of an account with its scheduling weight. */
export function toParty({ tenant, plan }: Pick<Account, 'tenant' | 'plan'>): WorkOwner {
  return { tenant, weight: plan.turn_weight };
}

export type Charge = {
  readonly operation: string;
  readonly credits: number;
  /** For jobs: ends the job. Called instead of the fence, before anything else is written. */
  readonly finish?: (tx: Queryable) => Promise<void>;
  /** Writes rows in the transaction of the charge. */
  readonly record: (tx: Queryable) => Promise<void>;
};

/** One of several charges of the same work. The ledger records it as a `part`, not as a call. */
type PartialCharge = {
  readonly key: string;
  readonly operation: string;
  readonly credits: number;
  /** Credits to release from the reservation. */
  readonly freed: number;
};

type BillingParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  /** The id of this process, as the owner of reservations. */
  readonly processId: string;
};

/** Reserves credits before work, and charges or releases them after it. Each charge is idempotent for its key. */
export class Billing {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /**
   * Reserves `credits` for a call and counts it as concurrent. Throws `credits_exhausted`, `daily_credit_cap_exceeded`
   * or `concurrency_limit_exceeded`.
   */
  async reserve(account: Account, credits: number): Promise<void> {
    const { key, maxConcurrent = null } = account;
    const refused = await this.#inTurn(
      account,
      async (tx) => {
        // An earlier attempt that died may have left a reservation with the same key.
        if (account.isRepeated === true) await freeReservation(tx, account);
        const adding = addReservation(tx, this.#holding(account, credits), maxConcurrent);
        const [isAdded] = await Promise.all([adding, account.fence?.(tx)]);
        if (!isAdded) return maxConcurrent === null ? null : this.#refusePlace(tx, account, credits);
        const lack = await this.#reserve(tx, account, { credits, held: 0 });
        if (lack !== null) await dropReservation(tx, key);
        return lack;
      },
      // A lost reservation does no harm: the charge reserves the credits again.
      'redone',
    );
    if (refused !== null) throw refused;
  }

  /** Raises the reservation of a call to `credits` before a more expensive tier starts. Throws like `reserve`. */
  async raise(account: Account, credits: number): Promise<void> {
    const refused = await this.#inTurn(
      account,
      async (tx) => {
        await account.fence?.(tx);
        const reserved = await lockReservation(tx, account.key);
        if (reserved >= credits) return null;
        const lack = await this.#reserve(tx, account, { credits, held: reserved });
        if (lack === null) await setReservation(tx, this.#holding(account, credits));
        return lack;
      },
      'redone',
    );
    if (refused !== null) throw refused;
  }

  /**
   * Charges a call, releases the rest of its reservation and writes the records of the charge, in one transaction.
   * Idempotent. Returns the remaining credits of the month; null means no limit.
   */
  async settle(account: Account, charge: Charge): Promise<number | null> {
    const row = await this.#inTurn(account, async (tx) => this.#settleIn(tx, account, charge));
    return row === null ? null : computeAvailable(row, account.plan, this.#parts.clock.now());
  }

  /**
   * Releases the reservation of a failed call, if there is one, and writes the records of its end, in one transaction.
   */
  async release(account: Account, record: Charge['record'] = async () => undefined): Promise<void> {
    await this.#inTurn(account, async (tx) => {
      await account.fence?.(tx);
      await freeReservation(tx, account);
      await record(tx);
    });
  }

  /**
   * Reserves up to `most` shares of `each` credits in addition to the reservation of the account, in the caller's
   * transaction. Returns how many, and why if there were none.
   */
  async reserveShares(tx: Queryable, account: Account, shares: ShareRequest) {
    const reserved = await reserveShares(tx, account, { ...shares, now: this.#parts.clock.now() });
    if (reserved.times > 0) await extendReservation(tx, this.#holding(account, shares.each * reserved.times));
    return reserved;
  }

  /**
   * Charges a part of the work and releases `freed` credits of the reservation, in the caller's transaction. If a sweep
   * has deleted the reservation meanwhile, the credits are reserved again. `key` must be unique for each part.
   */
  async chargePart(tx: Queryable, account: Account, part: PartialCharge): Promise<void> {
    const { db, clock } = this.#parts;
    const { tenant } = account;
    const { key, operation, credits, freed } = part;
    const reserved = Math.min(freed, await lockReservation(tx, account.key));
    const missing = Math.max(0, credits - reserved);
    const refused = missing === 0 ? null : await this.#reserve(tx, account, { credits: missing, held: 0 });
    if (refused !== null) throw refused;
    const now = clock.now();
    const { cycle, day } = await chargeTenant(tx, { tenant, credits, held: reserved + missing, now });
    if (reserved > 0) await reduceReservation(tx, account.key, reserved);
    if (credits === 0) return;
    await addEntry(tx, { key, tenant, now, cycle, day, kind: 'part', operation, credits }, db.kind);
  }

  /**
   * Releases a part of a reservation, or all of it without `credits`, in the caller's transaction. The call still
   * counts as concurrent.
   */
  async releasePart(tx: Queryable, account: Account, credits: number = Number.MAX_SAFE_INTEGER): Promise<void> {
    await releasePart(tx, account, credits);
  }

  /** Releases the reservation of a crawl before it visits its first page. The crawl still counts as concurrent. */
  async releaseAll(account: Account): Promise<void> {
    await this.#inTurn(account, async (tx) => {
      await account.fence?.(tx);
      await this.releasePart(tx, account);
    });
  }

  async #settleIn(tx: Queryable, account: Account, charge: Charge): Promise<CreditRow | null> {
    const { db, clock } = this.#parts;
    const { key, tenant } = account;
    const { operation, credits } = charge;
    const dropping = dropReservation(tx, key);
    const [reserved] = await Promise.all([dropping, (charge.finish ?? account.fence)?.(tx)]);
    if (reserved === null) {
      if ((await tx.query(FIND_ENTRY, [key])).length > 0) return readRow(CreditRow, await readTenant(tx, tenant));
      // The reservation was deleted because this process was considered dead: reserve the credits again.
      const refused = credits === 0 ? null : await this.#reserve(tx, account, { credits, held: 0 });
      // Thrown, so that the end of the job is rolled back too.
      if (refused !== null) throw refused;
    }
    const now = clock.now();
    const charging = chargeTenant(tx, { tenant, credits, held: reserved ?? credits, now });
    const [row] = await Promise.all([charging, charge.record(tx)]);
    const { cycle, day } = row;
    await addEntry(tx, { key, tenant, now, cycle, day, kind: 'charge', operation, credits }, db.kind);
    return row;
  }

  /** Builds the error of a call beyond the concurrency limit. Too few credits are reported first. */
  async #refusePlace(tx: Queryable, account: Account, credits: number): Promise<ServiceError> {
    const refused = await this.#reserve(tx, account, { credits, held: 0 });
    if (refused !== null) return refused;
    await releaseCredits(tx, account.tenant, credits);
    return createConcurrencyError(account.plan);
  }

  async #reserve(tx: Queryable, account: Account, need: { readonly credits: number; readonly held: number }) {
    return reserveCredits(tx, account, { ...need, now: this.#parts.clock.now() });
  }

  #holding({ key, tenant }: Account, credits: number) {
    return { key, tenant, credits, processId: this.#parts.processId };
  }

  /** Runs work in a transaction that locks the row of the tenant. Work with the same key runs one after the other. */
  async #inTurn<T>({ tenant, key }: Account, work: (tx: Queryable) => Promise<T>, keep: Durability = 'acknowledged') {
    return this.#parts.inTurn({ tenant }, work, { key, keep });
  }
}

function createConcurrencyError({ name, concurrent_requests: most }: Plan): ServiceError {
  return new ServiceError(
    'concurrency_limit_exceeded',
    `plan ${name} allows ${most} concurrent requests; wait for one to end, or upgrade`,
    { retryAfterSeconds: 1 },
  );
}

/** The account key of a job, the same for all its attempts. */
export function toChargeKey(jobId: string): string {
  return `job:${jobId}`;
}
