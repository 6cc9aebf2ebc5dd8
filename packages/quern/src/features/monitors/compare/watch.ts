import { z } from 'zod';
import { checkSelector } from '#extract/select/css.ts';
import { checkPattern } from '#extract/select/patterns.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { Threshold } from './decimals.ts';

const MAX_FIELDS = 500;
const MAX_NAME_LENGTH = 400;
const MAX_PATTERNS = 20;
const MAX_PATTERN_LENGTH = 500;
const MAX_SELECTOR_LENGTH = 1000;
const MAX_SELECTORS = 50;
const MIN_DIGEST_MINUTES = 15;
const MAX_DIGEST_MINUTES = 40_320;
const MAX_FAILING_AFTER = 100;

const FieldName = z.string().min(1).max(MAX_NAME_LENGTH);

export const ThresholdInput = z
  .strictObject({
    abs: z.number().min(0).optional().describe('Reached by a change of at least this much'),
    pct: z.number().min(0).optional().describe('Reached by a change of at least this share of the earlier value, in %'),
  })
  .refine(({ abs, pct }) => abs !== undefined || pct !== undefined, 'needs abs or pct');

/** One threshold for every number, `{abs, pct}`, or thresholds by field. */
export type Thresholds = Threshold | Readonly<Record<string, Threshold>>;

/** Validated by hand, so that errors have the path of the field. The output equals the input. */
const Thresholds = z
  .unknown()
  .meta({
    description: 'By field: `{"price": {"abs": 5, "pct": 2}}`, or one `{abs, pct}` for all watched numbers',
    type: 'object',
    minProperties: 1,
  })
  .transform((raw, context): Thresholds => {
    const refuse = (message: string): never => {
      context.issues.push({ code: 'custom', message, input: raw });
      return z.NEVER;
    };
    if (!isJsonObject(raw)) return refuse('expected an object');
    const names = Object.keys(raw);
    if (names.length === 0) return refuse('needs at least one member');
    if (names.length > MAX_FIELDS) return refuse(`at most ${MAX_FIELDS} fields`);
    if (names.every((name) => isThresholdMember(name, raw[name]))) return readThreshold(raw, [], context);
    return Object.fromEntries(names.map((name) => [name, readThreshold(raw[name], [name], context)]));
  });

/** Gets the threshold of a field. An empty threshold reports every difference. */
export function getThreshold(name: string, thresholds: Thresholds | undefined): Threshold {
  if (thresholds === undefined) return {};
  if (isSingleThreshold(thresholds)) return thresholds;
  return (Object.hasOwn(thresholds, name) ? thresholds[name] : undefined) ?? {};
}

/** Whether there is a single threshold for all numbers. */
export function isSingleThreshold(thresholds: Thresholds): thresholds is Threshold {
  return Object.entries(thresholds).every(([name, value]) => isThresholdMember(name, value));
}

function isThresholdMember(name: string, value: unknown): boolean {
  return (name === 'abs' || name === 'pct') && typeof value === 'number';
}

function readThreshold(raw: unknown, path: readonly string[], context: z.RefinementCtx): Threshold {
  const read = ThresholdInput.safeParse(raw);
  if (read.success) return read.data;
  for (const issue of read.error.issues) {
    const message =
      issue.code === 'unrecognized_keys'
        ? `unknown member ${issue.keys[0] ?? ''}; valid members are abs and pct`
        : issue.message;
    context.issues.push({ code: 'custom', message, path: [...path, ...issue.path], input: raw });
  }
  return {};
}

const ArrayFieldInput = z.strictObject({
  compare: z
    .enum(['set', 'list', 'keyed'])
    .optional()
    .describe('Whether order counts, or rows are identified by a key; default by type'),
  key: FieldName.optional().describe('The member that identifies a row'),
  fields: z.array(FieldName).min(1).max(MAX_FIELDS).optional().describe('The compared members of rows; default all'),
});

const Selector = z
  .string()
  .min(1)
  .max(MAX_SELECTOR_LENGTH)
  .superRefine((text, context) => {
    const problem = checkSelector(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const IgnorePattern = z
  .string()
  .min(1)
  .max(MAX_PATTERN_LENGTH)
  .superRefine((text, context) => {
    const problem = checkPattern(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const ContentInput = z
  .strictObject({
    of: z
      .enum(['markdown', 'text', 'html', 'selector'])
      .default('markdown')
      .describe('The watched content of the page'),
    selector: Selector.optional().describe('CSS selector of the watched parts, compared as text'),
    ignore_selectors: z.array(Selector).max(MAX_SELECTORS).default([]).describe('CSS selectors of parts left out'),
  })
  .superRefine(({ of, selector }, context) => {
    if ((of === 'selector') === (selector !== undefined)) return;
    const message = of === 'selector' ? 'is required with of: selector' : 'requires of: selector';
    context.addIssue({ code: 'custom', path: ['selector'], message });
  });

const Digest = z.strictObject({
  interval_minutes: wholeNumber(MIN_DIGEST_MINUTES, MAX_DIGEST_MINUTES).describe('Minutes between two digests'),
  at: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 08:00')
    .optional()
    .describe('Time of day from which the windows are counted, in the time zone of the monitor'),
});

const WatchInput = z.strictObject({
  fields: z
    .array(FieldName)
    .min(1)
    .max(MAX_FIELDS)
    .refine((names) => new Set(names).size === names.length, 'must not list a field twice')
    .optional()
    .describe('The compared fields; a name stands for all its members'),
  on: z.enum(['any', 'all']).default('any').describe('Whether one changed field is enough, or all must have changed'),
  mode: z.enum(['fields', 'content']).default('fields').describe('Compare fields, or the text of the page'),
  thresholds: Thresholds.optional(),
  array_fields: z
    .record(FieldName, ArrayFieldInput)
    .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `at most ${MAX_FIELDS} fields`)
    .default({})
    .describe('How arrays are compared, by field'),
  content: ContentInput.optional().describe('The watched content in mode content; default the Markdown of the page'),
  ignore_patterns: z
    .array(IgnorePattern)
    .max(MAX_PATTERNS)
    .default([])
    .describe('RE2 expressions; their matches in texts are not compared'),
  digest: Digest.nullable().default(null),
  notify_on_first_run: z.boolean().default(false).describe('Report the values of the first completed run as a change'),
  baseline: z
    .enum(['last_change', 'previous_run'])
    .default('last_change')
    .describe('Compare with the value last reported, or with that of the run before'),
  confirm_runs: wholeNumber(1, 10)
    .default(1)
    .describe('Completed runs in a row that must see a new value before it is reported'),
  null_policy: z
    .enum(['confirm', 'change', 'ignore'])
    .default('confirm')
    .describe('A value that disappears or appears: reported after at least two runs, like any change, or never'),
  failing_after: wholeNumber(1, MAX_FAILING_AFTER)
    .optional()
    .describe('Runs in a row without a result, failed or skipped, after which monitor.failing is sent; default 3'),
});

/** The watched part of a target, and the differences to report. */
export const Watch = WatchInput.superRefine((watch, context) => {
  const refuse = (member: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [member], message });
  };
  if (watch.mode === 'fields') {
    if (watch.content !== undefined) refuse('content', 'requires mode: content');
    return;
  }
  if (watch.fields !== undefined) refuse('fields', 'not allowed in mode content');
  if (watch.thresholds !== undefined) refuse('thresholds', 'not allowed in mode content');
  if (Object.keys(watch.array_fields).length > 0) refuse('array_fields', 'not allowed in mode content');
});

/** The watch options of all kinds of monitors; a preset allows some of them. */
export const StoredWatch = WatchInput.extend({
  parity_threshold: ThresholdInput.optional().describe('How much the prices of the channels may differ'),
});

export type Watch = z.output<typeof StoredWatch>;

/** The content that a watch in mode `content` compares. */
export type WatchContent = z.output<typeof ContentInput>;

/** Gets the content that a watch compares; null in mode `fields`. */
export function getWatchedContent(watch: Watch): WatchContent | null {
  if (watch.mode === 'fields') return null;
  return watch.content ?? { of: 'markdown', ignore_selectors: [] };
}
