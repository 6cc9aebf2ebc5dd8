import { newId } from '#kernel/ids.ts';
import { jitterOf } from '#features/monitors/schedule/timing.ts';
import type { Db } from '#store/db.ts';

const COPY = `insert into monitors (id, tenant_id, kind, name, operation, body, input, watch, metadata, cron, timezone,
    active, next_run_at, due_at, ticks_per_month, run_credits, created_at, updated_at)
  select json_extract(b.value, '$[0]'), json_extract(b.value, '$[1]'), kind, name, operation, body, input, watch,
    metadata, json_extract(b.value, '$[2]'), timezone, 1, json_extract(b.value, '$[3]'), json_extract(b.value, '$[4]'),
    ticks_per_month, run_credits, created_at, updated_at
  from json_each($2) as b join monitors on monitors.id = $1`;
const COPY_WEBHOOKS = `insert into webhooks (owner_id, tenant_id, url, endpoint, sealed, events, created_at)
  select json_extract(b.value, '$[0]'), json_extract(b.value, '$[1]'), url, endpoint, sealed, events, created_at
  from json_each($2) as b join webhooks on owner_id = $1`;

const AT_ONCE = 1000;

export type Seed = {
  /** The monitor that all are like; it is inactive. */
  readonly model: string;
  readonly tenants: readonly string[];
  readonly count: number;
  readonly cron: string;
  readonly intervalMs: number;
  /** The tick that comes next, ms. */
  readonly tick: number;
};

/** Makes active monitors whose next tick is the given one, each with its own jitter; like a month of creations does. */
export async function seedMonitors(db: Db, { model, tenants, count, cron, intervalMs, tick }: Seed): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const cells = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => {
      const id = newId('mon', tick);
      return [id, tenants[(from + at) % tenants.length] ?? '', cron, tick, tick + jitterOf(id, intervalMs)];
    });
    await db.transaction(async (tx) => {
      await tx.query(COPY, [model, JSON.stringify(cells)]);
      await tx.query(COPY_WEBHOOKS, [model, JSON.stringify(cells)]);
    });
  }
}
