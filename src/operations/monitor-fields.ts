import { z } from 'zod';
import { checkCron } from '#engine/monitors/cron-dialect.ts';
import type { Definition } from '#engine/monitors/definition.ts';
import { isZone, shortestGap, toSchedule } from '#engine/monitors/schedule.ts';
import { contentOf, Watch } from '#engine/monitors/watch.ts';
import type { Examined } from '#engine/operation.ts';
import type { Plan } from '#engine/plans.ts';
import { buildReader } from '#engine/validation.ts';
import { MonitorWebhook, MonitorWebhookPatch } from '#engine/webhooks/schema.ts';
import { Extract } from '#extract/grammar.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { PROXY_FIELDS, refuseBadProxy } from './reach.ts';

const MOST_FIELDS = 50;
const MOST_METADATA_BYTES = 4096;

const Members = z.record(z.string(), z.unknown());

/** Checks by a schema and keeps what was written, since a later change is merged into that. */
function asWritten(schema: z.ZodType, description: string) {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Members.meta({ ...described, description }).superRefine((raw, context) => {
    const read = schema.safeParse(raw);
    if (read.success) return;
    for (const { path, ...issue } of read.error.issues) {
      if (issue.code === 'unrecognized_keys') context.addIssue({ code: issue.code, keys: [...issue.keys], path: [...path] });
      else context.addIssue({ code: 'custom', message: issue.message, path: [...path] });
    }
  });
}

/** What is watched and how often, as a caller writes it; what a change leaves of it is read again as a whole. */
const FIELDS = {
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not have control characters')
    .transform((text) => text.normalize('NFC'))
    .optional()
    .describe('Default is host and path of the page, or the operation'),
  url: z.string().min(1).max(8192).optional().describe('The page to watch; or a target in its place'),
  extract: asWritten(Extract, 'What to pull out of the page, as in a fetch; at most 50 fields').optional(),
  target: z
    .strictObject({
      operation: z.string().min(1).max(100).describe('Id of any priced operation, such as map'),
      input: Members.describe('What that operation takes'),
    })
    .optional()
    .describe('What each run performs, in place of url and extract'),
  watch: asWritten(Watch, 'What of it is compared, and what counts as a change').default({}),
  cron: z
    .string()
    .superRefine((text, context) => {
      const problem = checkCron(text);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .nullable()
    .default(null)
    .describe('minute hour day month weekday, or such as @hourly; null for a monitor that is only triggered'),
  timezone: z
    .string()
    .refine(isZone, 'must be the IANA name of a time zone, such as Europe/Berlin')
    .default('UTC')
    .describe('Whose clocks cron is read by'),
  active: z.boolean().default(true).describe('Whether it runs by its schedule'),
  ...PROXY_FIELDS,
  timeout_ms: wholeNumber(1000, 300_000).optional().describe('Wall clock of each run in ms'),
  metadata: Members.default({})
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MOST_METADATA_BYTES, 'must be at most 4 KiB of JSON')
    .describe('Yours; sent along with every event'),
};

export const MonitorInput = z.strictObject({
  ...FIELDS,
  webhook: MonitorWebhook.nullable().default(null).describe('Where changes are sent: a URL, or an object'),
});

/** A change is merged into what is there, and all of it is read again. */
function changed(schema: z.ZodType) {
  const { default: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return z.unknown().optional().meta(described);
}

export const MonitorPatch = z.strictObject({
  id: z.string().min(1).max(100).describe('The id of the monitor'),
  name: changed(FIELDS.name),
  url: changed(FIELDS.url),
  extract: changed(FIELDS.extract),
  target: changed(FIELDS.target),
  watch: changed(FIELDS.watch),
  cron: changed(FIELDS.cron),
  timezone: changed(FIELDS.timezone),
  active: changed(FIELDS.active),
  proxy: changed(FIELDS.proxy),
  use_proxy: changed(FIELDS.use_proxy),
  timeout_ms: changed(FIELDS.timeout_ms),
  metadata: changed(FIELDS.metadata),
  webhook: MonitorWebhookPatch.optional().describe('null takes it away'),
});

const Body = z.strictObject(FIELDS).superRefine((body, context) => {
  const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  refuseBadProxy(body, context);
  if ((body.url === undefined) === (body.target === undefined)) refuse('url', 'expected exactly one of url and target');
  if (body.target === undefined) return;
  for (const name of ['extract', 'proxy', 'use_proxy', 'timeout_ms'] as const) {
    if (body[name] !== undefined) refuse(name, 'belongs into target.input');
  }
});

type Body = z.output<typeof Body>;

const readBody = buildReader(Body);

export type DefinitionFacts = {
  readonly plan: Plan;
  readonly now: number;
  /** Finds an operation and admits its input as if it ran now. */
  readonly examine: (order: { readonly kind: string; readonly input: Definition['input'] }) => Examined;
};

/** Reads a whole definition, of a creation or merged from a change; throws `invalid_request` and what its target throws. */
export function readDefinition(raw: unknown, { plan, now, examine }: DefinitionFacts): Definition {
  const { input: body } = readBody(raw);
  const { kind, input } = toTarget(body, Watch.parse(body.watch));
  const { operation, admission } = examine({ kind, input });
  checkInterval(body, plan, now);
  const { url, extract, target, proxy, use_proxy, timeout_ms } = body;
  const { watch, metadata, cron, timezone, active } = body;
  return {
    kind: 'generic',
    name: body.name ?? nameOf(body),
    operation,
    input,
    body: withoutUndefined({ url, extract, target, proxy, use_proxy, timeout_ms }),
    watch,
    metadata,
    cron,
    timezone,
    active,
    cheapest: admission.cheapest,
  };
}

/** Merges a change into what is there, as RFC 7396 says. */
export function mergePatch(known: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const merged = new Map(Object.entries(isObject(known) ? known : {}));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

type Order = { readonly kind: string; readonly input: Definition['input'] };

/** The operation that a run performs, and its input. */
function toTarget(body: Body, watch: Watch): Order {
  const content = contentOf(watch);
  const { url, extract, target, proxy, use_proxy, timeout_ms } = body;
  if (target !== undefined) {
    if (content === null) return { kind: target.operation, input: target.input };
    throw new ServiceError('invalid_request', 'watch.mode: content needs a url in place of a target');
  }
  const page = withoutUndefined({ url, proxy, use_proxy, timeout_ms });
  if (content === null) {
    if (extract === undefined) {
      throw new ServiceError('invalid_request', 'extract: is needed, unless watch.mode is content');
    }
    checkCount(Extract.parse(extract));
    return { kind: 'fetch', input: { ...page, output: ['json'], extract } };
  }
  if (extract !== undefined) throw new ServiceError('invalid_request', 'extract: means nothing in watch.mode content');
  const { of, selector, ignore_selectors: ignored } = content;
  const parts = selector === undefined ? {} : { include_selectors: [selector], only_main_content: false };
  const rest = ignored.length === 0 ? {} : { exclude_selectors: ignored };
  return { kind: 'fetch', input: { ...page, output: [of === 'selector' ? 'text' : of], ...parts, ...rest } };
}

function checkCount({ fields = {} }: Extract): void {
  if (Object.keys(fields).length <= MOST_FIELDS) return;
  throw new ServiceError('invalid_request', `extract: a monitor has at most ${MOST_FIELDS} fields`);
}

function checkInterval({ cron, timezone }: Body, plan: Plan, now: number): void {
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

function withoutUndefined(members: Definition['body']): Definition['body'] {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Definition['body'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
