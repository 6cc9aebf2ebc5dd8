import { z } from 'zod';
import type { Watch } from './watch.ts';

const ComparedValue = z.object({
  /** JSON, or its beginning if `digest` is set. */
  value: z.unknown(),
  currency: z.string().nullable().optional(),
  /** What a price includes. Values with different bases are not compared. */
  basis: z.string().optional(),
  /** SHA-256 of a value that is too large to be stored. */
  digest: z.string().optional(),
});

const PendingValue = z.object({
  seen: ComparedValue,
  /** Completed runs in a row that saw this value. */
  count: z.int(),
  /** Completed runs in a row that saw any value (or none, if `seen` is null). */
  side: z.int(),
});

const FieldBaseline = z.object({ held: ComparedValue, pending: PendingValue.optional() });

const RowBaseline = z.object({
  fields: z.record(z.string(), FieldBaseline),
  /** Runs in a row that saw a new row, or missed a known one. */
  pending: z.object({ is: z.enum(['new', 'gone']), count: z.int() }).optional(),
});

const WatchedBaseline = FieldBaseline.extend({
  /** Rows of an array that is compared by key, instead of the value. */
  rows: z.record(z.string(), RowBaseline).optional(),
});

const ContentBaseline = z.object({
  hash: z.string().nullable(),
  /** Null if it was too long to be stored. */
  text: z.string().nullable(),
  /** Describes the selected and ignored content. Another selection restarts the comparison. */
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
  /** The run whose values were last reported, or the first run. */
  run_id: z.string(),
  fields: z.record(z.string(), WatchedBaseline),
  content: ContentBaseline.nullable(),
  /** Kinds of page (login, refusal) that the last completed run saw. Absent in baselines of older versions. */
  page_kinds: z.array(z.string()).optional(),
  /** Whether the prices of the channels differed too much. Absent before the first comparison. */
  parity: ParityState.optional(),
});

export type ParityState = z.output<typeof ParityState>;
export type ComparedValue = z.output<typeof ComparedValue>;
export type FieldBaseline = z.output<typeof FieldBaseline>;
export type RowBaseline = z.output<typeof RowBaseline>;
export type WatchedBaseline = z.output<typeof WatchedBaseline>;
export type ContentBaseline = z.output<typeof ContentBaseline>;
export type Baseline = z.output<typeof Baseline>;

/** The options of a watch that decide when a difference counts. */
export type ConfirmationRules = Pick<Watch, 'baseline' | 'confirm_runs' | 'null_policy'>;

/** The baseline of a field after a run. */
type AdvancedBaseline = {
  /** Baseline for the next run. */
  readonly next: FieldBaseline;
  /** Baseline for the next run if this difference is not reported because other fields must change too. */
  readonly unreported: FieldBaseline;
  /** The confirmed difference, null for none. */
  readonly confirmed: { readonly from: ComparedValue; readonly to: ComparedValue } | null;
};

/** Runs in a row that must see a value appear or disappear. */
const MIN_PRESENCE_RUNS = 2;

/**
 * Advances the baseline of one field by one run. `isSame` returns whether two present values differ too little to be
 * reported. A new value must stay the same, by this measure, for the number of runs that confirm it.
 */
export function advanceBaseline(
  known: FieldBaseline,
  now: ComparedValue,
  isSame: (one: ComparedValue, other: ComparedValue) => boolean,
  rules: ConfirmationRules,
): AdvancedBaseline {
  const { held: previous } = known;
  const changesPresence = isPresent(previous) !== isPresent(now);
  if (!changesPresence && (!isPresent(now) || isSame(previous, now)))
    return buildUnchanged({ held: refreshValue(previous, now, rules) });
  if (changesPresence && rules.null_policy === 'ignore')
    return buildUnchanged({ held: isPresent(now) ? now : previous });
  const pending = countPending(known.pending, now, isSame);
  const sideRuns = changesPresence && rules.null_policy === 'confirm' ? MIN_PRESENCE_RUNS : 1;
  const waiting = { held: previous, pending };
  if (pending.count < rules.confirm_runs || pending.side < sideRuns) {
    return { next: waiting, unreported: waiting, confirmed: null };
  }
  const next = { held: now };
  return {
    next,
    unreported: rules.baseline === 'previous_run' ? next : waiting,
    confirmed: { from: previous, to: now },
  };
}

/** Whether a value is present. */
export function isPresent({ value }: ComparedValue): boolean {
  return value !== null && value !== undefined;
}

/** The result of a run without a difference. */
export function buildUnchanged(field: FieldBaseline): AdvancedBaseline {
  return { next: field, unreported: field, confirmed: null };
}

/** The baseline value after a run without a difference. A known currency is kept. */
function refreshValue(previous: ComparedValue, now: ComparedValue, { baseline }: ConfirmationRules): ComparedValue {
  if (baseline === 'previous_run') return (now.currency ?? null) === null ? copyCurrency(previous, now) : now;
  return (previous.currency ?? null) === null ? copyCurrency(now, previous) : previous;
}

function copyCurrency(source: ComparedValue, target: ComparedValue): ComparedValue {
  return (source.currency ?? null) === null ? target : { ...target, currency: source.currency };
}

function countPending(
  pending: FieldBaseline['pending'],
  now: ComparedValue,
  isSame: (one: ComparedValue, other: ComparedValue) => boolean,
): NonNullable<FieldBaseline['pending']> {
  if (pending === undefined || isPresent(pending.seen) !== isPresent(now)) return { seen: now, count: 1, side: 1 };
  const stays = !isPresent(now) || isSame(pending.seen, now);
  return {
    seen: stays ? pending.seen : now,
    count: stays ? pending.count + 1 : 1,
    side: pending.side + 1,
  };
}
