import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { START } from '#engine/results/result-reader.ts';
import type { Results } from '#engine/results/results.ts';
import type { JobEnds } from './job-ends.ts';
import type { JobOwner, JoinedHooks } from './job-hooks.ts';
import type { JobInput, JobRow } from './job-record.ts';
import type { Claimed, Packing } from './lease.ts';

const STORED = 'select segments from jobs where id = $1';

/** Characters of a stored list that an owner reads; of a longer one its beginning. */
const MAX_READ = 4 * 1024 * 1024;

const Stored = z.object({ segments: z.number() });

type JobPackingParts = {
  readonly db: Db;
  readonly results: Results;
  readonly hooks: JoinedHooks;
  readonly ends: JobEnds;
};

/** The body of an answer; `list` names its long list, null when it has none. */
type Answered = { readonly body: JobInput; readonly list: string | null };
type Packed = Answered & { readonly plan: Plan };

/** Answers prepared for the transaction that completes their job: a result, or the outcome that the owner stores. */
export class JobPacking {
  readonly #parts: JobPackingParts;

  constructor(parts: JobPackingParts) {
    this.#parts = parts;
  }

  async pack(claimed: Claimed, packed: Packed): Promise<Packing> {
    const owner = this.#parts.hooks.ownerOf(claimed.row);
    return owner === null ? this.#packResult(claimed, packed) : this.#packForOwner(owner, claimed, packed);
  }

  async #packResult(claimed: Claimed, { plan, body, list }: Packed): Promise<Packing> {
    const { results, hooks, ends } = this.#parts;
    const { id } = claimed.row;
    const result = await results.packResult(id, body, list);
    return {
      async complete(tx, usage) {
        await ends.complete(tx, claimed, { plan, usage, headBytes: result.head.packed_bytes });
        await results.finish(tx, id, result);
        await hooks.end(tx, claimed.row, 'completed');
      },
      discard: async (error) => results.discard([result.head, ...result.segments], error),
    };
  }

  async #packForOwner(owner: JobOwner, claimed: Claimed, { plan, ...answered }: Packed): Promise<Packing> {
    const { ends } = this.#parts;
    const { row } = claimed;
    const record = await owner.prepare(row, await this.#wholeOf(row, answered));
    return {
      async complete(tx, usage) {
        await ends.complete(tx, claimed, { plan, usage, headBytes: 0 });
        await record(tx, usage);
        await ends.leave(tx, row);
      },
      discard: async () => undefined,
    };
  }

  /** The answer with its long list, where that is stored already, as far as it can be held at once. */
  async #wholeOf({ id, long_running }: JobRow, { body, list }: Answered): Promise<JobInput> {
    const { db, results } = this.#parts;
    const stored = long_running === 1 && list !== null ? readRow(Stored, await db.query(STORED, [id])) : null;
    if (stored === null || list === null || stored.segments === 0) return body;
    const bounds = { from: START, limit: Infinity, mostChars: MAX_READ, least: 1 } as const;
    const { elements } = await results.page({ jobId: id, segments: stored.segments }, bounds);
    return { ...body, [list]: elements };
  }
}
