import type { FieldBaseline, ComparedValue } from './baseline.ts';
import type { Watch } from './watch.ts';

/** The members of a watch that decide when a difference counts. */
export type ConfirmationRules = Pick<Watch, 'baseline' | 'confirm_runs' | 'null_policy'>;

/** The baseline of a field after a run. */
export type AdvancedBaseline = {
  /** For the next run. */
  readonly next: FieldBaseline;
  /** For the next run if this difference is not reported, because other fields must have changed too. */
  readonly unreported: FieldBaseline;
  /** The confirmed difference, null for none. */
  readonly confirmed: { readonly from: ComparedValue; readonly to: ComparedValue } | null;
};

/** Runs in a row that must see a value appear or disappear. */
const NULL_RUNS = 2;

/**
 * Advances the baseline of one field by one run. `isSame` tells whether two present values differ too little to be reported;
 * by the same measure a new value must stay the same in as many runs as confirm it.
 */
export function advanceBaseline(
  known: FieldBaseline,
  now: ComparedValue,
  isSame: (one: ComparedValue, other: ComparedValue) => boolean,
  rules: ConfirmationRules,
): AdvancedBaseline {
  const { held } = known;
  const changesPresence = isPresent(held) !== isPresent(now);
  if (!changesPresence && (!isPresent(now) || isSame(held, now)))
    return unchanged({ held: refreshed(held, now, rules) });
  if (changesPresence && rules.null_policy === 'ignore') return unchanged({ held: isPresent(now) ? now : held });
  const pending = toPending(known.pending, now, isSame);
  const sideRuns = changesPresence && rules.null_policy === 'confirm' ? NULL_RUNS : 1;
  const waiting = { held, pending };
  if (pending.count < rules.confirm_runs || pending.side < sideRuns) {
    return { next: waiting, unreported: waiting, confirmed: null };
  }
  const next = { held: now };
  return { next, unreported: rules.baseline === 'previous_run' ? next : waiting, confirmed: { from: held, to: now } };
}

/** Whether a value is present. */
export function isPresent({ value }: ComparedValue): boolean {
  return value !== null && value !== undefined;
}

/** The result of a run without a difference. */
export function unchanged(field: FieldBaseline): AdvancedBaseline {
  return { next: field, unreported: field, confirmed: null };
}

/** The baseline value after a run without a difference; a known currency stays known. */
function refreshed(held: ComparedValue, now: ComparedValue, { baseline }: ConfirmationRules): ComparedValue {
  if (baseline === 'previous_run') return (now.currency ?? null) === null ? withCurrencyOf(held, now) : now;
  return (held.currency ?? null) === null ? withCurrencyOf(now, held) : held;
}

function withCurrencyOf(source: ComparedValue, held: ComparedValue): ComparedValue {
  return (source.currency ?? null) === null ? held : { ...held, currency: source.currency };
}

function toPending(
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
