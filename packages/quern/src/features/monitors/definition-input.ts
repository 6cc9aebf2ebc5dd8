import { z } from 'zod';
import type { AdmittedJob, JobMemberNames } from '#engine/call/steps/queue.ts';
import { buildInputChecker } from '#engine/call/validation.ts';
import { assertInputSize, type Plan } from '#engine/identity/plans.ts';
import { Extract, type FieldMap } from '#extract/grammar.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';
import { SESSION_FIELD } from '#features/schema/page-fields.ts';
import { PROXY_FIELDS, checkProxy } from '#features/schema/page-admission.ts';
import { CallerMetadata } from '#features/schema/caller-metadata.ts';
import { MonitorWebhook, MonitorWebhookPatch, type WebhookInput } from '#features/webhooks/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildContentFetch } from './compare/observation.ts';
import { buildShapes } from './compare/shapes.ts';
import { checkWatch } from './compare/watch-check.ts';
import { getWatchedContent, Watch } from './compare/watch.ts';
import { checkCron } from './schedule/cron-dialect.ts';
import { readCronWords } from './schedule/cron-words.ts';
import { isTimeZone, computeShortestGap, createSchedule } from './schedule/schedule.ts';
import type { MonitorDefinition } from './store/definition.ts';

const MAX_FIELDS = 50;
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** A single threshold has only these members, so fields cannot have these names. */
const THRESHOLD_NAMES: ReadonlySet<string> = new Set(['abs', 'pct']);

/** The fields of a monitor without its `webhook`. Names are normalized to NFC. */
export const MONITOR_FIELDS = {
  name: z
    .string()
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1)
        .max(200)
        .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
    )
    .optional()
    .describe('Display name; default host and path of the page'),
  url: z.string().min(1).max(8192).optional().describe('The http or https page to watch'),
  extract: Extract.superRefine(checkFieldNames).optional().describe('The values to watch, as in fetch; at most 50'),
  target: z
    .strictObject({
      operation: z.string().min(1).max(100).describe('Id of a priced operation, such as fetch'),
      input: z.record(z.string(), z.unknown()).describe('Input of the operation'),
    })
    .optional()
    .describe('An operation to watch instead of url and extract'),
  watch: Watch.prefault({}).describe('What counts as a change, and how it is told'),
  cron: z
    .string()
    .overwrite(readCronWords)
    .superRefine((text, context) => {
      const problem = checkCron(text);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .nullable()
    .default(null)
    .describe('Five fields, a macro such as @hourly, or words such as daily at 9:00; null to run only when triggered'),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be an IANA name, such as Europe/Berlin')
    .default('UTC')
    .describe('Time zone of cron'),
  active: z.boolean().default(true).describe('Whether its schedule is active'),
  ...PROXY_FIELDS,
  timeout_ms: wholeNumber(1).optional().describe('Time limit of one visit in ms, as in fetch'),
  ...SESSION_FIELD,
  metadata: CallerMetadata.default({}).describe('Returned in webhooks'),
} as const;

const MonitorBody = z.strictObject(MONITOR_FIELDS);

type MonitorBody = z.output<typeof MonitorBody>;

/** Checks which fields of a monitor require or exclude each other. */
export function checkMonitor(body: MonitorBody, context: z.RefinementCtx): void {
  const refuse = (member: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [member], message });
  };
  checkProxy(body, context);
  const isContent = body.watch.mode === 'content';
  if (body.target !== undefined) {
    for (const member of ['url', 'extract', 'proxy', 'use_proxy', 'timeout_ms', 'session'] as const) {
      if (body[member] !== undefined) refuse(member, 'must be part of target.input if target is given');
    }
    if (isContent) refuse('target', 'mode content watches the page of url');
    return;
  }
  if (body.url === undefined) refuse('url', 'is required unless target is given');
  if (isContent && body.extract !== undefined) refuse('extract', 'is not allowed in mode content');
  if (!isContent && body.extract === undefined) refuse('extract', 'is required unless watch.mode is content');
}

/** Returns the operation that a run performs, and its input. */
export function toTarget({ target, url, extract, watch, proxy, use_proxy, timeout_ms, session }: MonitorBody): {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
} {
  if (target !== undefined) return target;
  const content = getWatchedContent(watch);
  const common = { url, proxy, use_proxy, timeout_ms, session };
  const output = content === null ? { output: ['json'], extract } : buildContentFetch(content);
  const input = Object.entries({ ...common, ...output }).filter(([, value]) => value !== undefined);
  return { operation: 'fetch', input: Object.fromEntries(input) };
}

/**
 * Applies a JSON merge patch (RFC 7396): an omitted member keeps its value, null removes it, objects are merged,
 * anything else is replaced. `extract`, `target`, `webhook` and `metadata` are replaced as a whole because a mix of two
 * makes no sense. The result must be validated like any body.
 */
export function mergePatch(
  body: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): MergedBody {
  const merged = new Map(Object.entries(body));
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else if (REPLACED_MEMBERS.has(name) || !isJsonObject(value) || !isJsonObject(before)) merged.set(name, value);
    else merged.set(name, mergePatch(before, value));
  }
  return Object.fromEntries(merged);
}

type MergedBody = Readonly<Record<string, unknown>>;

const REPLACED_MEMBERS: ReadonlySet<string> = new Set(['extract', 'target', 'webhook', 'metadata']);

function checkFieldNames(extract: Extract, context: z.RefinementCtx): void {
  const refuse = (path: readonly string[], message: string): void => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  const isFields = extract.fields !== undefined;
  const properties = isFields ? extract.fields : getMember(extract.schema, 'properties');
  const members: Readonly<Record<string, unknown>> = isJsonObject(properties) ? properties : {};
  const at = isFields ? ['fields'] : ['schema', 'properties'];
  if (Object.keys(members).length > MAX_FIELDS) refuse(at, `at most ${MAX_FIELDS} fields`);
  for (const name of Object.keys(members)) {
    if (THRESHOLD_NAMES.has(name)) refuse([...at, name], 'a watched field cannot be called abs or pct');
  }
  const bad = isFields ? findBadName(extract.fields) : Object.keys(members).find((name) => !FIELD_NAME.test(name));
  if (bad !== undefined) {
    refuse([...at, bad.slice(0, 100)], 'the name of a watched field must have at most 64 letters, digits and _');
  }
}

function findBadName(fields: FieldMap): string | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const bad = FIELD_NAME.test(name) ? field.fields && findBadName(field.fields) : name;
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** The receiver of the changes of a new monitor. */
export const WEBHOOK_FIELD = {
  webhook: MonitorWebhook.nullable().default(null).describe('Receiver of changes: a URL or an object'),
} as const;

/** The input of a new monitor of any kind. */
export type NewMonitorBody = JsonObject & { readonly webhook: WebhookInput | null };

/** A change of a monitor of any kind. Without `webhook` its receiver stays; null removes it. */
export type MonitorPatchBody = JsonObject & {
  readonly id: string;
  readonly webhook?: WebhookInput | null | undefined;
};

export const MonitorInput = z.strictObject({ ...MONITOR_FIELDS, ...WEBHOOK_FIELD }).superRefine(checkMonitor);

/**
 * Builds the schema of a PATCH body from the fields that can change. They accept anything: the merged body is validated
 * later.
 */
export function buildPatch(fields: Readonly<Record<string, z.ZodType>>) {
  return z.strictObject({
    id: z.string().min(1).max(100).describe('Id of the monitor'),
    ...Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, toPatchField(schema)])),
    webhook: MonitorWebhookPatch.optional().describe('null removes it'),
  });
}

function toPatchField(schema: z.ZodType) {
  const {
    default: _,
    $schema: _dialect,
    ...described
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return z.unknown().optional().meta(described);
}

const { session: _session, ...PATCHABLE_FIELDS } = MONITOR_FIELDS;

export const MonitorPatch = buildPatch(PATCHABLE_FIELDS);

/** Builds the fields that every preset has, with the part of `watch` that it allows. */
export function buildPresetFields<W extends z.ZodType>(watch: W) {
  const { name, cron, timezone, active } = MONITOR_FIELDS;
  return {
    name,
    cron,
    timezone,
    active,
    watch: watch.describe('What counts as a change, and how it is told'),
  } as const;
}

const checkBody = buildInputChecker({ input: MonitorBody.superRefine(checkMonitor) });

export type DefinitionFacts = {
  readonly plan: Plan;
  readonly now: number;
  /** Finds an operation and checks its input as if it ran now. */
  readonly examine: (order: {
    readonly kind: string;
    readonly input: MonitorDefinition['input'];
    readonly named: JobMemberNames;
  }) => AdmittedJob;
};

/** Where error messages locate the operation and its input: in `target`, or in fields of the monitor itself. */
const TARGET_NAMES: JobMemberNames = { kind: 'target.operation', input: ['target', 'input'] };
export const OWN_NAMES: JobMemberNames = { kind: 'url', input: [] };

/**
 * Builds the definition of a new body, or of one that a change was merged into. Checks it against its target and the
 * plan. Throws `invalid_request`, or what its target throws.
 */
export function buildGenericDefinition(raw: JsonObject, facts: DefinitionFacts): MonitorDefinition {
  const body = checkBody(raw).input;
  const { operation: kind, input } = toTarget(body);
  const named = body.target === undefined ? OWN_NAMES : TARGET_NAMES;
  const examined = facts.examine({ kind, input, named });
  const [problem] = checkWatch(body.watch, buildShapes(examined.operation, input));
  if (problem !== undefined) {
    throw new ServiceError('invalid_request', `${['watch', ...problem.path].join('.')}: ${problem.message}`);
  }
  const { url, extract, target, proxy, use_proxy, timeout_ms, session } = body;
  const what = omitUndefined({ url, extract, target, proxy, use_proxy, timeout_ms, session });
  const member = target === undefined ? 'extract' : 'target';
  const preset = { kind: 'generic' as const, member, expiresAt: null, providers: [] };
  return completeDefinition(
    { ...body, ...preset, ...examined, input, what, name: body.name ?? buildName(body) },
    facts,
  );
}

/** A body whose target was checked, in the form common to all kinds of monitors. */
type ExaminedBody = Omit<MonitorDefinition, 'operation' | 'body' | 'cheapest'> &
  AdmittedJob & {
    /** The fields that define the target, as the caller wrote them. */
    readonly what: MonitorDefinition['body'];
    /** The field that an error refers to if they are too long. */
    readonly member: string;
  };

/** Checks an examined body against the plan. Throws `invalid_request`. */
export function completeDefinition(body: ExaminedBody, { plan, now }: DefinitionFacts): MonitorDefinition {
  checkInterval(body, plan, now);
  const { kind, name, operation, admission, input, what, member } = body;
  const { watch, metadata, cron, timezone, active, expiresAt, providers } = body;
  assertInputSize(member, JSON.stringify({ ...what, watch }), plan);
  const { cheapest } = admission;
  const when = { cron, timezone, active, expiresAt };
  return { kind, name, operation, input, body: what, watch, metadata, ...when, providers, cheapest };
}

/** Removes undefined members. */
export function omitUndefined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function checkInterval({ cron, timezone }: Pick<MonitorBody, 'cron' | 'timezone'>, plan: Plan, now: number): void {
  if (cron === null) return;
  const gap = computeShortestGap(createSchedule(cron, timezone), now);
  if (gap === null || gap >= plan.monitor_interval_ms) return;
  const [minMinutes, minutes] = [plan.monitor_interval_ms / 60_000, gap / 60_000];
  throw new ServiceError(
    'invalid_request',
    `cron: plan ${plan.name} allows one run per ${minMinutes} min, and this expression runs every ${minutes} min`,
  );
}

function buildName({ url, target }: MonitorBody): string {
  if (url === undefined) return target?.operation ?? '';
  const parsed = URL.parse(url);
  return (parsed === null ? url : `${parsed.host}${parsed.pathname}`).slice(0, 200);
}
