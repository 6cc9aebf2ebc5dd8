import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { Keys } from '#engine/identity/keys.ts';
import type { Plans } from '#engine/identity/plans.ts';
import { createTenant } from '#engine/credits/tenants.ts';

/** A lock without effect, so that only one process at a time continues. Every store has this row. */
const ONE_AT_A_TIME = 'update migrations set version = version where version = 1';

type FirstKeyParts = { readonly db: Db; readonly clock: Clock; readonly plans: Plans };

/**
 * Creates the first operator key of a new installation, with a tenant on plan `unlimited`: the `given` key if it never
 * existed here, or a random one if there are no keys. Returns null if none was created, and `'given'` instead of
 * repeating a given key. Safe when several processes start at once.
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
