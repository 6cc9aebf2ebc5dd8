import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import type { JobEvent, Observe } from '#kernel/events.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRows } from '#store/rows.ts';
import { chargeKeyOf } from '#engine/credits/billing.ts';
import { freeReservation } from '#engine/credits/reservations.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { JobEnds } from './job-ends.ts';
import type { JoinedHooks } from './job-hooks.ts';
import type { Notifications } from './job-notifications.ts';
import { JobRow } from './job-record.ts';
import { eventOf } from './job-watch.ts';
import { type Claimed, LeaseLost } from './lease.ts';

const DEAD = "select * from jobs where status = 'running' and lease_until < $1 order by lease_until limit 100";
const DEAD_OF = "select * from jobs where status = 'running' and worker_id = $1 limit 100";

type JobRecoveryParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  readonly notifications: Notifications;
  readonly hooks: JoinedHooks;
  readonly ends: JobEnds;
  readonly observe: Observe;
};

/** Takes the jobs of dead workers away from them, and frees their reservations. */
export class JobRecovery {
  readonly #parts: JobRecoveryParts;

  constructor(parts: JobRecoveryParts) {
    this.#parts = parts;
  }

  /** Recovers the jobs of `worker`, or where that is null, those whose lease ran out, except those that are live here. */
  async recover(
    worker: string | null,
    planOf: (tenant: string) => Promise<Plan>,
    isLive: (token: string) => boolean,
  ): Promise<void> {
    const { db, clock, notifications, hooks } = this.#parts;
    const rows = await db.query(worker === null ? DEAD : DEAD_OF, [worker ?? clock.now()]);
    for (const row of readRows(JobRow, rows)) {
      if (row.lease_token !== null && isLive(row.lease_token)) continue;
      const plan = await planOf(row.tenant_id);
      const outcome = await this.#end({ row, token: row.lease_token ?? '' }, plan).catch(noneIfLost);
      if (outcome !== null) this.#parts.observe(this.#toEvent(row, outcome));
      notifications.notify(row.id);
      notifications.notify('queue');
      hooks.afterEnd(row);
    }
  }

  async #end(claimed: Claimed, plan: Plan): Promise<DeadOutcome> {
    const { inTurn, ends } = this.#parts;
    const { id, tenant_id: tenant } = claimed.row;
    const key = chargeKeyOf(id);
    return inTurn(
      { tenant },
      async (tx) => {
        const outcome = await ends.endDead(tx, claimed, plan);
        await freeReservation(tx, { key, tenant });
        return outcome;
      },
      { key },
    );
  }

  #toEvent(row: JobRow, outcome: DeadOutcome): JobEvent {
    const since = row.started_at ?? row.created_at;
    return {
      ...eventOf(row),
      outcome,
      code: outcome === 'failed' ? 'internal_error' : null,
      reason: 'worker_died',
      detail: null,
      host: null,
      durationMs: Math.max(0, this.#parts.clock.now() - since),
      waitedMs: 0,
    };
  }
}

type DeadOutcome = Awaited<ReturnType<JobEnds['endDead']>>;

function noneIfLost(error: unknown): null {
  if (error instanceof LeaseLost) return null;
  throw error;
}
