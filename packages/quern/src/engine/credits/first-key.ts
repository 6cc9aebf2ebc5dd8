import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { Keys } from '#engine/identity/keys.ts';
import type { Plans } from '#engine/identity/plans.ts';
import { createTenant } from '#engine/credits/tenants.ts';

/** Changes nothing, and lets one process at a time past: every store has this row. */
const ONE_AT_A_TIME = 'update migrations set version = version where version = 1';

type FirstKeyParts = { readonly db: Db; readonly clock: Clock; readonly plans: Plans };

/**
 * Makes the first key of an instance, an operator's, with a tenant of the plan `unlimited`: the given one where it was never made here,
 * else a random one where there is none at all. Null when nothing is missing. Of several processes that start at once
 * one makes it.
 */
export async function ensureFirstKey(
  { db, clock, plans }: FirstKeyParts,
  given: string | undefined,
): Promise<{ readonly key: string } | 'given' | null> {
  return db.transaction(async (tx) => {
    await tx.query(ONE_AT_A_TIME);
    const keys = new Keys({ db: { ...db, query: tx.query }, clock, plans });
    if (given === undefined ? await keys.hasAny() : await keys.exists(given)) return null;
    const tenant = await createTenant(tx, clock, { name: 'first', plan: 'unlimited' });
    const own = given === undefined ? {} : { key: given };
    const { key } = await keys.addWithin(tx, { tenant, name: 'first', isOperator: true, ...own });
    return given === undefined ? { key } : 'given';
  });
}
