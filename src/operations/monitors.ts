import { z } from 'zod';
import type { HistoryPage } from '#engine/monitors/history.ts';
import { ChangeRecord, MonitorRecord, RunRecord } from '#engine/monitors/monitor-record.ts';
import { MONITOR_KINDS } from '#engine/monitors/monitor-row.ts';
import { defineControl, defineReplies, toReply } from '#engine/operation.ts';
import type { ControlContext } from '#engine/operation.ts';
import { WebhookView } from '#engine/webhooks/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { LIST_INPUT, listOutput, readPage } from './lists.ts';
import { MonitorInput, MonitorPatch, OWN, readMerged, toDefinition } from './monitor-definition.ts';
import { mergePatch } from './monitor-fields.ts';

const EXAMPLE_ID = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';
/** How often a change is made anew because another one came in between. */
const MOST_TRIES = 5;

const Id = z.string().min(1).max(100).describe('The id of the monitor');
const OnlyId = z.strictObject({ id: Id });
const PAGE_INPUT = { ...LIST_INPUT, limit: wholeNumber(1, 100).default(20).describe('Rows of one page') };
const PageOfId = z.strictObject({ id: Id, ...PAGE_INPUT });

const Monitor = MonitorRecord.extend({
  webhook: WebhookView.nullable().describe('Its secret is shown by the answer that made it, and never again'),
});

const example = {
  url: 'https://shop.example/espresso-machine',
  extract: { price: 'money' as const, availability: 'string' as const },
  watch: { thresholds: { price: { pct: 5 } } },
  cron: '0 * * * *',
  webhook: 'https://hooks.example/prices',
};

export const createMonitor = defineReplies({
  id: 'monitors.create',
  route: 'POST /v1/monitors',
  summary: 'Watch a page, or what any priced operation answers; the first run begins at once',
  errors: ['plan_upgrade_required', 'idempotency_conflict'],
  input: MonitorInput,
  output: Monitor,
  successes: [{ status: 201, meaning: 'The monitor; current_run_id is its first run', type: 'application/json' }],
  example,
  async run({ webhook, ...body }, context) {
    const { caller, now, examine, keep, monitors } = context;
    const definition = toDefinition(body, { plan: caller.plan, now, examine });
    const made = await monitors.create(caller, {
      definition,
      webhook,
      record: async (tx, monitor) => keep(tx, { status: 201, headers: locationOf(monitor.id), body: monitor }),
    });
    return { ...toReply(201, made), headers: locationOf(made.id) };
  },
});

export const listMonitors = defineControl({
  id: 'monitors.list',
  route: 'GET /v1/monitors',
  summary: 'Your monitors, newest first; long definitions are cut',
  errors: [],
  input: z.strictObject({
    active: z.boolean().optional().describe('Only those that run by their schedule, or only those that do not'),
    kind: z.enum(MONITOR_KINDS).optional(),
    ...PAGE_INPUT,
  }),
  output: listOutput(Monitor),
  example: { active: true },
  async run({ active, kind, limit, cursor }, { caller, cursors, monitors }) {
    const scope = { tenant: caller.tenant, operation: 'monitors', filters: { active, kind } };
    const filter = { tenant: caller.tenant, active: active ?? null, kind: kind ?? null };
    return readPage({
      limit,
      after: cursors.read(scope, cursor ?? null),
      load: async (after, most) => monitors.list({ ...filter, after, limit: most }),
      positionOf: ({ id }) => id,
      cursorOf: (last) => cursors.write(scope, last),
    });
  },
});

export const showMonitor = defineControl({
  id: 'monitors.show',
  route: 'GET /v1/monitors/{id}',
  summary: 'One monitor',
  errors: ['not_found'],
  input: OnlyId,
  output: Monitor,
  example: { id: EXAMPLE_ID },
  run: async ({ id }, { caller, monitors }) => monitors.find(caller.tenant, id),
});

export const updateMonitor = defineControl({
  id: 'monitors.update',
  route: 'PATCH /v1/monitors/{id}',
  summary: 'Change a monitor: what is absent stays, null takes away, objects are merged',
  errors: ['not_found', 'plan_upgrade_required'],
  input: MonitorPatch,
  output: Monitor,
  example: { id: EXAMPLE_ID, active: false },
  async run({ id, webhook, ...change }, { caller, now, examine, monitors }) {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { version, body, definition: stored } = await monitors.read(caller.tenant, id);
      // What a smaller plan would not let run can still be switched off.
      const definition = isSwitchOff(change)
        ? { ...stored, active: false }
        : toDefinition(readMerged(mergePatch(body, change)).input, { plan: caller.plan, now, examine });
      const patched = await monitors.patch(caller, id, { version, definition, webhook });
      if (patched !== null) return patched;
    }
    throw new ServiceError('backend_unavailable', `${id} is being changed by others: try again`);
  },
});

function isSwitchOff({ active, ...others }: Readonly<Record<string, unknown>>): boolean {
  return active === false && Object.values(others).every((value) => value === undefined);
}

export const deleteMonitor = defineReplies({
  id: 'monitors.delete',
  route: 'DELETE /v1/monitors/{id}',
  summary: 'Delete a monitor with its history',
  errors: ['not_found'],
  input: OnlyId,
  output: z.object({}),
  successes: [{ status: 204, meaning: 'The monitor is gone, and nothing more is delivered', type: null }],
  example: { id: EXAMPLE_ID },
  async run({ id }, { caller, monitors }) {
    await monitors.remove(caller.tenant, id);
    return { status: 204, headers: {}, body: null, stream: null };
  },
});

export const triggerMonitor = defineReplies({
  id: 'monitors.trigger',
  route: 'POST /v1/monitors/{id}/trigger',
  summary: 'Run a monitor now, beside its schedule; while a run is active, that one is answered',
  errors: [
    'not_found',
    'plan_upgrade_required',
    'credits_exhausted',
    'daily_credit_cap_exceeded',
    'rate_limited',
    'idempotency_conflict',
  ],
  input: OnlyId,
  output: z.object({
    run_id: z.string(),
    status: z.enum(['queued', 'running']),
    deduped: z.literal(true).optional().describe('The run was there already'),
  }),
  successes: [{ status: 202, meaning: 'The run is queued', type: 'application/json' }],
  example: { id: EXAMPLE_ID },
  async run({ id }, { caller, examine, keep, accounts, monitors }) {
    const { operation, input } = await monitors.target(caller.tenant, id);
    const { admission } = examine({ kind: operation, input, named: OWN });
    await accounts.demand(caller.tenant, caller.plan, admission.cheapest);
    const headers = { location: `/v1/monitors/${id}/runs/latest` };
    const triggered = await monitors.trigger(caller.tenant, id, async (tx, body) =>
      keep(tx, { status: 202, headers, body }),
    );
    return { ...toReply(202, triggered), headers };
  },
});

export const monitorRuns = defineControl({
  id: 'monitors.runs',
  route: 'GET /v1/monitors/{id}/runs',
  summary: 'Runs of a monitor of the last 90 days with the values they saw, newest first',
  errors: ['not_found'],
  input: PageOfId,
  output: listOutput(RunRecord),
  example: { id: EXAMPLE_ID },
  run: async (page, context) =>
    readHistory(page, { ...context, list: 'runs' }, async (part) => context.history.runs(part)),
});

export const latestRun = defineControl({
  id: 'monitors.runs.latest',
  route: 'GET /v1/monitors/{id}/runs/latest',
  summary: 'The latest run of a monitor, whatever became of it',
  errors: ['not_found'],
  input: OnlyId,
  output: RunRecord,
  example: { id: EXAMPLE_ID },
  run: async ({ id }, { caller, history }) => history.latestRun(caller.tenant, id),
});

export const monitorChanges = defineControl({
  id: 'monitors.changes',
  route: 'GET /v1/monitors/{id}/changes',
  summary: 'Changes that a monitor has found in the last 90 days, newest first',
  errors: ['not_found'],
  input: PageOfId,
  output: listOutput(ChangeRecord),
  example: { id: EXAMPLE_ID },
  run: async (page, context) =>
    readHistory(page, { ...context, list: 'changes' }, async (part) => context.history.changes(part)),
});

export const latestChange = defineControl({
  id: 'monitors.changes.latest',
  route: 'GET /v1/monitors/{id}/changes/latest',
  summary: 'The latest change that a monitor has found',
  errors: ['not_found'],
  input: OnlyId,
  output: ChangeRecord,
  example: { id: EXAMPLE_ID },
  run: async ({ id }, { caller, history }) => history.latestChange(caller.tenant, id),
});

type Wanted = { readonly id: string; readonly limit: number; readonly cursor?: string | null };
type Reading = Pick<ControlContext, 'caller' | 'cursors'> & { readonly list: 'runs' | 'changes' };

/** A page of the history of a monitor; cursors are those of its one list. */
async function readHistory<T extends { readonly id: string }>(
  { id, limit, cursor = null }: Wanted,
  { caller, cursors, list }: Reading,
  load: (page: HistoryPage) => Promise<readonly T[]>,
) {
  const scope = { tenant: caller.tenant, operation: `monitors.${list}`, filters: { id } };
  return readPage({
    limit,
    after: cursors.read(scope, cursor),
    load: async (after, most) => load({ tenant: caller.tenant, id, after, limit: most }),
    positionOf: (row) => row.id,
    cursorOf: (last) => cursors.write(scope, last),
  });
}

function locationOf(id: string): Readonly<Record<string, string>> {
  return { location: `/v1/monitors/${id}` };
}
