import { z } from 'zod';

const ComparedValue = z.object({
  /** JSON, or its beginning where `digest` is set. */
  value: z.unknown(),
  currency: z.string().nullable().optional(),
  /** What a price includes: values of another basis are not compared. */
  basis: z.string().optional(),
  /** SHA-256 of a value too large to be kept. */
  digest: z.string().optional(),
});

const Pending = z.object({
  seen: ComparedValue,
  /** Completed runs in a row that saw this value. */
  count: z.int(),
  /** Completed runs in a row that saw any value, or where `seen` is null none. */
  side: z.int(),
});

const FieldBaseline = z.object({ held: ComparedValue, pending: Pending.optional() });

const RowBaseline = z.object({
  fields: z.record(z.string(), FieldBaseline),
  /** Runs in a row that saw a new row, or missed a known one. */
  pending: z.object({ is: z.enum(['new', 'gone']), count: z.int() }).optional(),
});

const WatchedBaseline = FieldBaseline.extend({
  /** The rows of an array that is compared by key, in place of the value. */
  rows: z.record(z.string(), RowBaseline).optional(),
});

const ContentBaseline = z.object({
  hash: z.string().nullable(),
  /** Null where it was too long to be kept. */
  text: z.string().nullable(),
  /** The selected and ignored content; another selection restarts the comparison. */
  of: z.string(),
  pending: z.object({ hash: z.string().nullable(), count: z.int(), side: z.int() }).optional(),
});

const ParityState = z.object({
  is: z.enum(['inside', 'outside']),
  cheapest: z.string(),
  spread: z.object({ abs: z.number(), pct: z.number().nullable() }),
});

/** The values that later runs are compared with: plain JSON of at most a few MiB, stored with the monitor. */
export const Baseline = z.object({
  /** The run whose values were last reported, or the first. */
  run_id: z.string(),
  fields: z.record(z.string(), WatchedBaseline),
  content: ContentBaseline.nullable(),
  /** The kinds of page other than content that the last completed run saw; absent in baselines of older versions. */
  page_kinds: z.array(z.string()).optional(),
  /** Whether the prices of several channels were apart, unknown before they were compared. */
  parity: ParityState.optional(),
});

export type ParityState = z.output<typeof ParityState>;
export type ComparedValue = z.output<typeof ComparedValue>;
export type FieldBaseline = z.output<typeof FieldBaseline>;
export type RowBaseline = z.output<typeof RowBaseline>;
export type WatchedBaseline = z.output<typeof WatchedBaseline>;
export type ContentBaseline = z.output<typeof ContentBaseline>;
export type Baseline = z.output<typeof Baseline>;
