import { z } from 'zod';
import type { MonitorDefinition } from '#features/monitors/store/definition.ts';
import { shapesOf } from '#features/monitors/compare/shapes.ts';
import { shortestGap, toSchedule } from '#features/monitors/schedule/schedule.ts';
import { checkWatch } from '#features/monitors/compare/watch-check.ts';
import type { Examined, Named } from '#engine/call/steps/queue.ts';
import { demandSmall, type Plan } from '#engine/identity/plans.ts';
import { buildReader } from '#engine/call/validation.ts';
import { MonitorWebhook, MonitorWebhookPatch } from '#features/webhooks/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import { MONITOR_FIELDS, refuseBadMonitor, toTarget } from './fields.ts';

export const MonitorInput = z
  .strictObject({
    ...MONITOR_FIELDS,
    webhook: MonitorWebhook.nullable().default(null).describe('Where changes are sent: a URL, or an object'),
  })
  .superRefine(refuseBadMonitor);

/** A member of a change, which is merged into what is there and read with all of it. */
export function changed(schema: z.ZodType) {
  const {
    default: _,
    $schema: _dialect,
    ...described
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return z.unknown().optional().meta(described);
}

export const MonitorPatch = z.strictObject({
  id: z.string().min(1).max(100).describe('The id of the monitor'),
  name: changed(MONITOR_FIELDS.name),
  url: changed(MONITOR_FIELDS.url),
  extract: changed(MONITOR_FIELDS.extract),
  target: changed(MONITOR_FIELDS.target),
  watch: changed(MONITOR_FIELDS.watch),
  cron: changed(MONITOR_FIELDS.cron),
  timezone: changed(MONITOR_FIELDS.timezone),
  active: changed(MONITOR_FIELDS.active),
  proxy: changed(MONITOR_FIELDS.proxy),
  use_proxy: changed(MONITOR_FIELDS.use_proxy),
  timeout_ms: changed(MONITOR_FIELDS.timeout_ms),
  metadata: changed(MONITOR_FIELDS.metadata),
  webhook: MonitorWebhookPatch.optional().describe('null takes it away'),
});

const Body = z.strictObject(MONITOR_FIELDS).superRefine(refuseBadMonitor);

type Body = z.output<typeof Body>;

const readBody = buildReader(Body);

/** The definition of a body that a change was merged into; throws `invalid_request`. */
export function toMergedDefinition(merged: Readonly<Record<string, unknown>>, facts: DefinitionFacts) {
  return toDefinition(readBody(merged).input, facts);
}

export type DefinitionFacts = {
  readonly plan: Plan;
  readonly now: number;
  /** Finds an operation and admits its input as if it ran now. */
  readonly examine: (order: {
    readonly kind: string;
    readonly input: MonitorDefinition['input'];
    readonly named: Named;
  }) => Examined;
};

/** How a monitor names what it runs: by a target, or by members of its own. */
const TARGETED: Named = { kind: 'target.operation', input: ['target', 'input'] };
export const OWN: Named = { kind: 'url', input: [] };

/** Holds a body to its target and the plan; throws `invalid_request` and what its target throws. */
export function toDefinition(body: Body, facts: DefinitionFacts): MonitorDefinition {
  const { operation: kind, input } = toTarget(body);
  const named = body.target === undefined ? OWN : TARGETED;
  const examined = facts.examine({ kind, input, named });
  const [problem] = checkWatch(body.watch, shapesOf(examined.operation, input));
  if (problem !== undefined) {
    throw new ServiceError('invalid_request', `${['watch', ...problem.path].join('.')}: ${problem.message}`);
  }
  const { url, extract, target, proxy, use_proxy, timeout_ms, session } = body;
  const what = presentOf({ url, extract, target, proxy, use_proxy, timeout_ms, session });
  const member = target === undefined ? 'extract' : 'target';
  const preset = { kind: 'generic' as const, member, expiresAt: null, providers: [] };
  return finishDefinition({ ...body, ...preset, ...examined, input, what, name: body.name ?? nameOf(body) }, facts);
}

/** A body whose target was examined, in the words of every kind of monitor. */
type ExaminedBody = Omit<MonitorDefinition, 'operation' | 'body' | 'cheapest'> &
  Examined & {
    /** The members that define the target, as the caller wrote them. */
    readonly what: MonitorDefinition['body'];
    /** The one of them that is named where they are too long. */
    readonly member: string;
  };

/** Holds an examined body to the plan. Throws `invalid_request`. */
export function finishDefinition(body: ExaminedBody, { plan, now }: DefinitionFacts): MonitorDefinition {
  checkInterval(body, plan, now);
  const { kind, name, operation, admission, input, what, member } = body;
  const { watch, metadata, cron, timezone, active, expiresAt, providers } = body;
  demandSmall(member, JSON.stringify({ ...what, watch }), plan);
  const { cheapest } = admission;
  const when = { cron, timezone, active, expiresAt };
  return { kind, name, operation, input, body: what, watch, metadata, ...when, providers, cheapest };
}

/** The members that are there. */
export function presentOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function checkInterval({ cron, timezone }: Pick<Body, 'cron' | 'timezone'>, plan: Plan, now: number): void {
  if (cron === null) return;
  const gap = shortestGap(toSchedule(cron, timezone), now);
  if (gap === null || gap >= plan.monitor_interval_ms) return;
  const [least, has] = [plan.monitor_interval_ms / 60_000, gap / 60_000];
  throw new ServiceError(
    'invalid_request',
    `cron: plan ${plan.name} allows a run every ${least} min, and these come within ${has} min`,
  );
}

function nameOf({ url, target }: Body): string {
  if (url === undefined) return target?.operation ?? '';
  const parsed = URL.parse(url);
  return (parsed === null ? url : `${parsed.host}${parsed.pathname}`).slice(0, 200);
}
