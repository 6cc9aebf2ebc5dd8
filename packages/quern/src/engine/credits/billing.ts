import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db, Keep, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
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
import { addEntry } from './refunds.ts';
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
import type { Party } from '#kernel/turns.ts';

const FIND_ENTRY = 'select key from ledger where key = $1';

/** The tenant and plan that pay for a call, and the key under which it counts once: the id of the call. */
export type Account = {
  readonly key: string;
  readonly tenant: string;
  readonly plan: Plan;
  /** For work under a lease: throws, inside the transaction of each effect, when the lease is lost. */
  readonly fence?: (tx: Statements) => Promise<void>;
  /** Calls of the tenant that may run at once, in all processes together; null without a limit, absent for other work. */
  readonly maxConcurrent?: number | null;
  /** Whether an earlier attempt may have left a reservation under the key. */
  readonly isRepeated?: boolean;
};

/** The tenant of an account, as it takes turns. */
export function toParty({ tenant, plan }: Pick<Account, 'tenant' | 'plan'>): Party {
  return { tenant, weight: plan.turn_weight };
}

export type Charge = {
  readonly operation: string;
  readonly credits: number;
  /** For work under a lease: ends it, in place of the fence, before anything else is written. */
  readonly finish?: (tx: Statements) => Promise<void>;
  /** Writes the rows that must exist exactly when the charge does. */
  readonly record: (tx: Statements) => Promise<void>;
};

/** One of several charges of the same work, of which the last closes the sum; in the ledger it is a `part`, no call. */
type PartialCharge = {
  readonly key: string;
  readonly operation: string;
  readonly credits: number;
  /** Of the reservation. */
  readonly freed: number;
};

type BillingParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  /** The id of this process among those that hold reservations. */
  readonly processId: string;
};

/** Credits of calls: reserved before the work, charged or freed after it. Each effect counts once for its key. */
export class Billing {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /**
   * Reserves `credits` for a call, and takes one of its places; throws `credits_exhausted`,
   * `daily_credit_cap_exceeded` or `concurrency_limit_exceeded`.
   */
  async reserve(account: Account, credits: number): Promise<void> {
    const { key, maxConcurrent = null } = account;
    const refused = await this.#inTurn(
      account,
      async (tx) => {
        // An earlier attempt that died may have left a reservation under the same key.
        if (account.isRepeated === true) await freeReservation(tx, account);
        const adding = addReservation(tx, this.#holding(account, credits), maxConcurrent);
        const [isAdded] = await Promise.all([adding, account.fence?.(tx)]);
        if (!isAdded) return maxConcurrent === null ? null : this.#refusePlace(tx, account, credits);
        const lack = await this.#reserve(tx, account, { credits, held: 0 });
        if (lack !== null) await dropReservation(tx, key);
        return lack;
      },
      // A charge whose reservation was lost reserves its credits again.
      'redone',
    );
    if (refused !== null) throw refused;
  }

  /** Raises the reservation of a call to `credits`, before a costlier tier starts; throws as `reserve`. */
  async raise(account: Account, credits: number): Promise<void> {
    const refused = await this.#inTurn(
      account,
      async (tx) => {
        await account.fence?.(tx);
        const held = await lockReservation(tx, account.key);
        if (held >= credits) return null;
        const lack = await this.#reserve(tx, account, { credits, held });
        if (lack === null) await setReservation(tx, this.#holding(account, credits));
        return lack;
      },
      'redone',
    );
    if (refused !== null) throw refused;
  }

  /**
   * Charges `credits` for a call, frees the rest of its reservation, and writes the records of the charge, in one
   * transaction; once, however often it is called. Answers the credits left of the month, null without a limit.
   */
  async settle(account: Account, charge: Charge): Promise<number | null> {
    const row = await this.#inTurn(account, async (tx) => this.#settleIn(tx, account, charge));
    return row === null ? null : computeAvailable(row, account.plan, this.#parts.clock.now());
  }

  /** Frees the reservation of a failed call, if there is one, and writes the records of its end, in one transaction. */
  async release(account: Account, record: Charge['record'] = async () => undefined): Promise<void> {
    await this.#inTurn(account, async (tx) => {
      await account.fence?.(tx);
      await freeReservation(tx, account);
      await record(tx);
    });
  }

  /**
   * Reserves `each` as often as the balance pays for it, at most `most` times, in addition to the reservation of the
   * account, in the caller's transaction; answers how often, and for none the reason.
   */
  async holdUpTo(tx: Statements, account: Account, shares: ShareRequest) {
    const reserved = await reserveShares(tx, account, { ...shares, now: this.#parts.clock.now() });
    if (reserved.times > 0) await extendReservation(tx, this.#holding(account, shares.each * reserved.times));
    return reserved;
  }

  /**
   * Charges a part of a reservation and frees `freed` of it, in the caller's transaction; where a sweep has deleted the
   * reservation meanwhile, the charge reserves its credits again. `key` names the part, and no two charges have the same.
   */
  async settlePart(tx: Statements, account: Account, part: PartialCharge): Promise<void> {
    const { db, clock } = this.#parts;
    const { tenant } = account;
    const { key, operation, credits, freed } = part;
    const held = Math.min(freed, await lockReservation(tx, account.key));
    const missing = Math.max(0, credits - held);
    const refused = missing === 0 ? null : await this.#reserve(tx, account, { credits: missing, held: 0 });
    if (refused !== null) throw refused;
    const now = clock.now();
    const { cycle, day } = await chargeTenant(tx, { tenant, credits, held: held + missing, now });
    if (held > 0) await reduceReservation(tx, account.key, held);
    if (credits === 0) return;
    await addEntry(tx, { key, tenant, now, cycle, day, kind: 'part', operation, credits }, db.kind);
  }

  /**
   * Frees a part of a reservation, all of it without `credits`, in the caller's transaction. A call keeps its place even
   * when nothing is reserved for it.
   */
  async unhold(tx: Statements, account: Account, credits: number = Number.MAX_SAFE_INTEGER): Promise<void> {
    await releasePart(tx, account, credits);
  }

  /** Frees the reservation of a crawl before it visits its first page; it keeps its place. */
  async empty(account: Account): Promise<void> {
    await this.#inTurn(account, async (tx) => {
      await account.fence?.(tx);
      await this.unhold(tx, account);
    });
  }

  async #settleIn(tx: Statements, account: Account, charge: Charge): Promise<CreditRow | null> {
    const { db, clock } = this.#parts;
    const { key, tenant } = account;
    const { operation, credits } = charge;
    const dropping = dropReservation(tx, key);
    const [held] = await Promise.all([dropping, (charge.finish ?? account.fence)?.(tx)]);
    if (held === null) {
      if ((await tx.query(FIND_ENTRY, [key])).length > 0) return readRow(CreditRow, await readTenant(tx, tenant));
      // The reservation was swept while its process looked dead: credits are reserved again, if there are any to charge.
      const refused = credits === 0 ? null : await this.#reserve(tx, account, { credits, held: 0 });
      // Thrown, so that the end of the job is rolled back too.
      if (refused !== null) throw refused;
    }
    const now = clock.now();
    const charging = chargeTenant(tx, { tenant, credits, held: held ?? credits, now });
    const [row] = await Promise.all([charging, charge.record(tx)]);
    const { cycle, day } = row;
    await addEntry(tx, { key, tenant, now, cycle, day, kind: 'charge', operation, credits }, db.kind);
    return row;
  }

  /** The refusal of a call without a place; too few credits are reported first. */
  async #refusePlace(tx: Statements, account: Account, credits: number): Promise<ServiceError> {
    const refused = await this.#reserve(tx, account, { credits, held: 0 });
    if (refused !== null) return refused;
    await releaseCredits(tx, account.tenant, credits);
    return createConcurrencyError(account.plan);
  }

  async #reserve(tx: Statements, account: Account, need: { readonly credits: number; readonly held: number }) {
    return reserveCredits(tx, account, { ...need, now: this.#parts.clock.now() });
  }

  #holding({ key, tenant }: Account, credits: number) {
    return { key, tenant, credits, processId: this.#parts.processId };
  }

  /** Runs work in a transaction that holds the row of the tenant; work under one key runs one after the other. */
  async #inTurn<T>({ tenant, key }: Account, work: (tx: Statements) => Promise<T>, keep: Keep = 'acknowledged') {
    return this.#parts.inTurn({ tenant }, work, { key, keep });
  }
}

function createConcurrencyError({ name, concurrent_requests: most }: Plan): ServiceError {
  return new ServiceError(
    'concurrency_limit_exceeded',
    `plan ${name} allows ${most} requests at the same time: wait for one to end, or take a higher plan`,
    { retryAfterSeconds: 1 },
  );
}

/** The key under which a job reserves and is charged, in all its attempts. */
export function chargeKeyOf(jobId: string): string {
  return `job:${jobId}`;
}
