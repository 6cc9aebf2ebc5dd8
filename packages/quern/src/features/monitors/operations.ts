import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import type { ToolView } from '#engine/call/tool-view.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { buildListOutput, LIST_INPUT } from '#features/schema/lists.ts';
import { DeliveryRecord } from '#features/webhooks/delivery-log.ts';
import { WebhookSecret, WebhookView } from '#features/webhooks/schema.ts';
import type { MonitorPatchBody, NewMonitorBody } from './definition-input.ts';
import type { MonitorKind } from './presets/preset.ts';
import { type ChangeView, MonitorRecord, RunRecord } from './store/monitor-record.ts';

export const EXAMPLE_ID = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';

const MonitorId = z.string().min(1).max(100).describe('Id of the monitor');
const MonitorIdInput = z.strictObject({ id: MonitorId });
const PAGE_FIELDS = { ...LIST_INPUT, limit: wholeNumber(1, 100).default(20).describe('Rows per page') };
const MonitorPageInput = z.strictObject({ id: MonitorId, ...PAGE_FIELDS });

/** A monitor as responses show it. */
export const Monitor = nameSchema(
  'Monitor',
  MonitorRecord.extend({
    webhook: WebhookView.nullable().describe('Its secret is only shown in the response that created it'),
  }),
);

/** A run that is queued, or already active. */
const QueuedRun = z.object({
  run_id: z.string(),
  status: z.enum(['queued', 'running']),
  deduped: z.literal(true).optional().describe('The run already existed'),
});

/** The last part of the id of an operation, and so of its command. */
type OperationName =
  | 'create'
  | 'list'
  | 'show'
  | 'update'
  | 'delete'
  | 'trigger'
  | 'runs'
  | 'runs.latest'
  | 'changes'
  | 'changes.latest';

/** How the command line and agents present an operation. */
type Presentation = { readonly view?: CommandView; readonly agent?: ToolView };

/** What is specific to one set of monitor operations. */
export type MonitorSet = {
  /** First segment of its paths and first word of its commands; null for the general operations, which have none. */
  readonly prefix: string | null;
  /** Part of the method names in the clients, such as `HotelB` in `createHotelBMonitor`. */
  readonly noun: string;
  /** Alternative first word of its commands; null if there is none. */
  readonly commandAlias: string | null;
  /** The kinds that it serves; any other monitor is `not_found`. New monitors are built as the first. */
  readonly kinds: readonly [MonitorKind, ...MonitorKind[]];
  /** Summaries of the operations that create and list. */
  readonly summaries: { readonly create: string; readonly list: string };
  readonly create: z.ZodType<NewMonitorBody>;
  readonly createExample: unknown;
  readonly update: z.ZodType<MonitorPatchBody>;
  readonly updateExample: unknown;
  /** Filters of its list besides `active` and `kind`. */
  readonly filters: { readonly provider?: z.ZodType<string | undefined> };
  /** How its lists show a change. */
  readonly changeView: ChangeView;
  /** Whether a manual run is waited for. */
  readonly waitsForRun: boolean;
  readonly presentations: Readonly<Partial<Record<OperationName, Presentation>>>;
};

/** The ten operations of a set, with the set. */
export type MonitorOperations = ReturnType<typeof declareMonitorOperations>;

/** Declares the ten operations that a set of monitors has below its prefix. */
export function declareMonitorOperations(set: MonitorSet) {
  return { set, operations: { ...declareDefinitionOperations(set), ...declareRunOperations(set) } };
}

/** Declares the operations that create, show, change and delete monitors. */
function declareDefinitionOperations(set: MonitorSet) {
  const { noun, kinds, summaries, filters } = set;
  const { path, monitor, planErrors, identify } = buildNames(set);
  return {
    create: declareRawControl({
      ...identify('create'),
      clientName: `create${noun}Monitor`,
      route: `POST ${path}`,
      summary: summaries.create,
      errors: ['plan_upgrade_required', 'idempotency_conflict'],
      input: set.create,
      output: Monitor,
      successes: [{ status: 201, meaning: 'The monitor; current_run_id is its first run', type: 'application/json' }],
      example: set.createExample,
    }),
    list: declareControl({
      ...identify('list'),
      clientName: `list${noun}Monitors`,
      route: `GET ${path}`,
      summary: summaries.list,
      errors: planErrors,
      input: z.strictObject({
        active: z.boolean().optional().describe('Only monitors with an active (or inactive) schedule'),
        kind: z.enum(kinds).optional().describe('Only monitors of this kind'),
        ...filters,
        ...PAGE_FIELDS,
      }),
      output: buildListOutput(Monitor),
      example: { active: true },
    }),
    show: declareControl({
      ...identify('show'),
      clientName: `get${noun}Monitor`,
      route: `GET ${path}/{id}`,
      summary: `One ${monitor}`,
      errors: [...planErrors, 'not_found'],
      input: MonitorIdInput,
      output: Monitor,
      example: { id: EXAMPLE_ID },
    }),
    update: declareControl({
      ...identify('update'),
      clientName: `update${noun}Monitor`,
      route: `PATCH ${path}/{id}`,
      summary: `Change a ${monitor}: omitted fields keep their value, null removes, objects are merged`,
      errors: ['plan_upgrade_required', 'not_found'],
      input: set.update,
      output: Monitor,
      example: set.updateExample,
    }),
    remove: declareRawControl({
      ...identify('delete'),
      clientName: `delete${noun}Monitor`,
      route: `DELETE ${path}/{id}`,
      summary: `Delete a ${monitor} with its history`,
      errors: [...planErrors, 'not_found'],
      input: MonitorIdInput,
      output: z.object({}),
      successes: [{ status: 204, meaning: 'The monitor is deleted, and nothing more is delivered', type: null }],
      example: { id: EXAMPLE_ID },
    }),
  };
}

/** Declares the operations that run monitors and list their runs and changes. */
function declareRunOperations(set: MonitorSet) {
  const { noun, changeView } = set;
  const { path, monitor, planErrors, identify } = buildNames(set);
  const errors = [...planErrors, 'not_found'] as const;
  return {
    trigger: declareTrigger(set),
    runs: declareControl({
      ...identify('runs'),
      clientName: `list${noun}Runs`,
      route: `GET ${path}/{id}/runs`,
      summary: `Runs of a ${monitor} in the last 90 days with the observed values, newest first`,
      errors,
      input: MonitorPageInput,
      output: buildListOutput(RunRecord),
      example: { id: EXAMPLE_ID },
    }),
    latestRun: declareControl({
      ...identify('runs.latest'),
      clientName: `getLatest${noun}Run`,
      route: `GET ${path}/{id}/runs/latest`,
      summary: `The latest run of a ${monitor}, in any state`,
      errors,
      input: MonitorIdInput,
      output: RunRecord,
      example: { id: EXAMPLE_ID },
    }),
    changes: declareControl({
      ...identify('changes'),
      clientName: `list${noun}Changes`,
      route: `GET ${path}/{id}/changes`,
      summary: `Changes found by a ${monitor} in the last 90 days, newest first`,
      errors,
      input: MonitorPageInput,
      output: buildListOutput(changeView.schema),
      example: { id: EXAMPLE_ID },
    }),
    latestChange: declareControl({
      ...identify('changes.latest'),
      clientName: `getLatest${noun}Change`,
      route: `GET ${path}/{id}/changes/latest`,
      summary: `The latest change found by a ${monitor}`,
      errors,
      input: MonitorIdInput,
      output: changeView.schema,
      example: { id: EXAMPLE_ID },
    }),
  };
}

/** Declares the manual run, which is waited for, or only queued. */
function declareTrigger(set: MonitorSet) {
  const { noun, waitsForRun } = set;
  const { path, monitor, identify } = buildNames(set);
  const queued = { status: 202, meaning: 'The run continues: read it by its id', type: 'application/json' } as const;
  return declareRawControl({
    ...identify('trigger'),
    clientName: `trigger${noun}Monitor`,
    route: `POST ${path}/{id}/trigger`,
    summary: waitsForRun
      ? `Run a ${monitor} now and wait for it to end; waits for the active run if there is one`
      : `Run a ${monitor} now, in addition to its schedule; returns the active run if there is one`,
    errors: [
      'plan_upgrade_required',
      'not_found',
      'credits_exhausted',
      'daily_credit_cap_exceeded',
      'rate_limited',
      'idempotency_conflict',
    ],
    input: MonitorIdInput,
    output: waitsForRun ? z.union([RunRecord.extend({ run_id: z.string() }), QueuedRun]) : QueuedRun,
    successes: waitsForRun
      ? [{ status: 200, meaning: 'The run has ended', type: 'application/json' }, queued]
      : [{ ...queued, meaning: 'The run is queued' }],
    example: { id: EXAMPLE_ID },
  });
}

/** Builds the paths, ids and texts of a set. Operations below a prefix need a plan that includes them. */
function buildNames({ prefix, commandAlias, presentations }: MonitorSet) {
  const planErrors: readonly 'plan_upgrade_required'[] = prefix === null ? [] : ['plan_upgrade_required'];

  /** Builds the id of an operation, its plan and how it is presented. */
  function identify(name: OperationName) {
    const { view, ...presented } = presentations[name] ?? {};
    const aliases = commandAlias === null ? {} : { aliases: [{ words: [commandAlias, ...name.split('.')], adds: [] }] };
    return {
      id: prefix === null ? `monitors.${name}` : `${prefix}.monitors.${name}`,
      ...(prefix === null ? {} : { plan: 'starter' as const }),
      ...presented,
      view: { ...view, ...aliases },
    };
  }

  return {
    path: prefix === null ? ('/v1/monitors' as const) : (`/v1/${prefix}/monitors` as const),
    monitor: prefix === null ? 'monitor' : `monitor of ${prefix}`,
    planErrors,
    identify,
  };
}

const instant = z.iso.datetime().transform((text) => Date.parse(text));

export const monitorSeries = declareControl({
  id: 'monitors.series',
  clientName: 'getMonitorSeries',
  route: 'GET /v1/monitors/{id}/series',
  summary: 'Numbers observed by a monitor over time, reduced to few points for a chart',
  errors: ['not_found'],
  input: z.strictObject({
    id: z.string().min(1).max(100).describe('The id of the monitor'),
    field: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Only the field with this path, such as price or offers.0.price'),
    from: instant.optional().describe('Earliest time, ISO 8601 UTC; default 90 days ago'),
    to: instant.optional().describe('Latest time, ISO 8601 UTC'),
    points: wholeNumber(1, 1000).default(300).describe('Maximum number of points per field'),
  }),
  output: nameSchema(
    'MonitorSeries',
    z.object({
      monitor_id: z.string(),
      from: z.iso.datetime().describe('Time of the oldest run included'),
      to: z.iso.datetime(),
      fields: z
        .array(
          z.object({
            field: z.string(),
            unit: z.string().nullable().describe('Currency, for money'),
            points: z
              .array(
                z.object({
                  at: z.iso.datetime(),
                  value: z.number().describe('Value of the last run of this point'),
                  min: z.number(),
                  max: z.number(),
                }),
              )
              .readonly(),
          }),
        )
        .readonly(),
      marks: z
        .array(
          z.object({
            at: z.iso.datetime(),
            kind: z.enum(['change', 'failed', 'skipped', 'reset']),
            run_id: z.string(),
          }),
        )
        .readonly()
        .describe('The last thousand runs that found a change, failed or were skipped, or restarted the comparison'),
      cut: z.boolean().describe('Whether older runs were omitted'),
    }),
  ),
  example: { id: EXAMPLE_ID, points: 100 },
});

export const previewSchedule = declareControl({
  id: 'schedule',
  clientName: 'previewSchedule',
  route: 'GET /v1/schedule',
  summary: 'Next run times of a cron expression in a time zone, and whether your plan allows it',
  errors: [],
  input: z.strictObject({
    cron: z.string().min(1).max(200).describe('Five fields, such as 0 9 * * 1-5, or words such as daily at 9:00'),
    timezone: z.string().max(64).default('UTC').describe('IANA name, such as Europe/Berlin'),
    count: wholeNumber(1, 20).default(5).describe('Number of times to return'),
  }),
  output: z.object({
    cron: z.string(),
    timezone: z.string(),
    next: z.array(z.iso.datetime()).readonly(),
    local: z.array(z.string()).readonly().describe('The same times in the time zone, such as 2026-11-24 09:00'),
    shortest_gap_minutes: z.number().nullable().describe('Null if there is only one run'),
    allowed: z.boolean().describe('Whether your plan allows such a short interval'),
  }),
  example: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
});

export const monitorDeliveries = declareControl({
  id: 'monitors.deliveries',
  clientName: 'listMonitorDeliveries',
  route: 'GET /v1/monitors/{id}/deliveries',
  summary: 'Deliveries of a monitor’s webhook of the last 30 days, newest first',
  errors: ['not_found'],
  input: z.strictObject({ id: MonitorId, ...LIST_INPUT }),
  output: buildListOutput(DeliveryRecord),
  example: { id: EXAMPLE_ID, limit: 10 },
});

export const testWebhook = declareRawControl({
  id: 'monitors.webhook.test',
  clientName: 'testWebhook',
  route: 'POST /v1/monitors/{id}/webhook/test',
  summary: 'Send a webhook.test event to a monitor’s webhook, once; at most 100 a day',
  errors: ['not_found', 'rate_limited'],
  input: z.strictObject({ id: MonitorId }),
  output: DeliveryRecord,
  successes: [{ status: 202, meaning: 'The delivery, which is sent immediately', type: 'application/json' }],
  example: { id: EXAMPLE_ID },
});

export const rotateSecret = declareControl({
  id: 'monitors.webhook.rotate-secret',
  clientName: 'rotateWebhookSecret',
  route: 'POST /v1/monitors/{id}/webhook/rotate-secret',
  summary: 'Set a new secret for a monitor’s webhook; the old one stays valid for 24 hours',
  errors: ['not_found'],
  input: z.strictObject({
    id: MonitorId,
    secret: WebhookSecret.optional().describe('The new secret; generated and shown once if omitted'),
  }),
  output: z.object({ webhook: WebhookView }),
  example: { id: EXAMPLE_ID },
});
