import { z } from 'zod';
import type { Account, Billing } from '#engine/credits/billing.ts';
import { type Price, SERVED_TIERS, sumOf } from '#engine/credits/prices.ts';
import type { Shortage } from '#engine/credits/tenant-credits.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Results } from '#engine/results/results.ts';
import type { Db } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import { LIST_STOP_REASONS } from './list-crawl.ts';

const READ = 'select list_state from jobs where id = $1';
/** A page has come, so the attempts count anew; a job that ends or is cancelled takes no more. */
const KEEP = `update jobs set list_state = $2, discovered = $3, completed = $3, total = null, usage = $4, attempt = 1,
    version = version + 1
  where id = $1 and status = 'running' and cancel_requested = 0 and stop_reason is null returning id`;

const State = z.object({
  /** The source that serves the list; a token of one means nothing to another. */
  source: z.string(),
  /** The site's own token of the next page, null at the end. */
  token: z.string().nullable(),
  pages: z.int(),
  results: z.int(),
  /** The names of the elements that are stored. */
  names: z.array(z.string()),
  tiers: z.partialRecord(z.enum(SERVED_TIERS), z.int()),
  /** The members of the first page beside its list. */
  head: z.record(z.string(), z.unknown()),
  lacks: z.array(z.string()),
  url: z.string(),
  at: z.number(),
  /** Why nothing more is read, null while it goes on. */
  ended: z.enum(LIST_STOP_REASONS).nullable(),
});

/** Where a crawl of a list stands. */
export type ListState = z.output<typeof State>;

const Row = z.object({ list_state: z.string().nullable() });

export type ListStateParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly billing: Billing;
  readonly results: Results;
};

/** The job of a crawl of a list, and what a page of it costs. */
export type ListJob = {
  readonly jobId: string;
  readonly operation: string;
  readonly account: Account;
  readonly price: Price;
  readonly maxCredits: number | null;
};

/** The state that the job keeps, null before its first page. */
export async function readListState({ db }: ListStateParts, { jobId }: ListJob): Promise<ListState | null> {
  const text = readRow(Row, await db.query(READ, [jobId]))?.list_state ?? null;
  return text === null ? null : State.parse(JSON.parse(text));
}

/** Sets the credits of one page aside; answers the shortage, null for none. */
export async function holdPage(
  { inTurn, billing }: ListStateParts,
  { jobId, account, price, maxCredits }: ListJob,
  state: ListState | null,
): Promise<Shortage | null> {
  const paid = state === null ? 0 : sumOf(price, state.tiers).credits;
  const ceiling = maxCredits === null ? null : { credits: maxCredits - paid, key: account.key, parts: `list:${jobId}` };
  return inTurn(
    { tenant: account.tenant },
    async (tx) => {
      await account.fence?.(tx);
      // An attempt that died after this may have left the credits of its page.
      await billing.unhold(tx, account);
      return (await billing.holdUpTo(tx, account, { each: price.base, most: 1, ceiling })).refused;
    },
    { key: account.key },
  );
}

/** The credits of the pages that are stored. */
function paidFor(price: Price, state: ListState | null): number {
  return state === null ? 0 : sumOf(price, state.tiers).credits;
}

/** A page that has come: the state before and after it, and its elements that are new. */
type KeptPage = {
  readonly before: ListState | null;
  readonly state: ListState;
  readonly elements: readonly unknown[];
};

/** Stores a page in one transaction: its elements, its charge, and where the next one begins. */
export async function keepPage(
  { inTurn, billing, results }: ListStateParts,
  { jobId, operation, account, price }: ListJob,
  { before, state, elements }: KeptPage,
): Promise<void> {
  const packed = elements.length === 0 ? [] : await results.pack(jobId, elements);
  const usage = sumOf(price, state.tiers);
  try {
    await inTurn(
      { tenant: account.tenant },
      async (tx) => {
        await account.fence?.(tx);
        const kept = await tx.query(KEEP, [jobId, JSON.stringify(state), state.results, JSON.stringify(usage)]);
        if (kept.length === 0) throw new LeaseLost('the job has ended');
        if (packed.length > 0) await results.append(tx, jobId, packed);
        const key = `job:${jobId}:${state.pages}`;
        await billing.settlePart(tx, account, {
          key,
          operation,
          credits: usage.credits - paidFor(price, before),
          freed: price.base,
        });
      },
      { key: account.key },
    );
  } catch (error) {
    await results.discard(packed, error);
    throw error;
  }
}
