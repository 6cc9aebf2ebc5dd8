import type { Account, Billing } from '#engine/billing.ts';
import type { InTurn } from '#store/group-commit.ts';
import type { Claimed } from './frontier.ts';

/** What is set aside for things that are counted as they are found. */
export type Purse = {
  /** Sets credits aside for so many in all, as far as they can be had; says why not for all of them. */
  readonly holdFor: (count: number) => Promise<Extract<Claimed['held'], 'credits_exhausted' | 'daily_cap'> | null>;
  /** For how many credits are set aside. */
  readonly count: () => number;
};

/** Builds a purse that holds `each` credits for one; what it holds is the account's to settle or to release. */
export function buildPurse(parts: {
  readonly billing: Billing;
  readonly inTurn: InTurn;
  readonly account: Account;
  readonly each: number;
}): Purse {
  const { billing, inTurn, account, each } = parts;
  let count = 0;

  return {
    async holdFor(wanted) {
      while (count < wanted) {
        const { times, refused } = await inTurn(`tenant ${account.tenant}`, async (tx) => {
          await account.fence?.(tx);
          return billing.holdUpTo(tx, account, { each, most: wanted - count });
        });
        count += times;
        if (refused !== null) return refused;
      }
      return null;
    },
    count: () => count,
  };
}
