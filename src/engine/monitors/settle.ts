import type { FieldBaseline, Held } from './baseline.ts';
import type { Watch } from './watch.ts';

/** What of a watch decides when a difference counts. */
export type Rules = Pick<Watch, 'baseline' | 'confirm_runs' | 'null_policy'>;

/** Where a field stands after a run. */
export type Settled = {
  /** What the next run compares with. */
  readonly next: FieldBaseline;
  /** The same where the difference is not reported after all, because other fields must have changed as well. */
  readonly unreported: FieldBaseline;
  /** The difference that counts now, null for none. */
  readonly passed: { readonly from: Held; readonly to: Held } | null;
};

/** Runs in a row that must see a value go or come. */
const NULL_RUNS = 2;

/**
 * Takes one field one run further. `isSame` says whether two values that are there differ too little to be reported; a
 * new value must be the same, by that measure, in as many runs as are to confirm it.
 */
export function settle(
  known: FieldBaseline,
  now: Held,
  isSame: (one: Held, other: Held) => boolean,
  rules: Rules,
): Settled {
  const { held } = known;
  const crosses = isThere(held) !== isThere(now);
  if (!crosses && (!isThere(now) || isSame(held, now))) return unmoved(moved(held, now, rules));
  if (crosses && rules.null_policy === 'ignore') return unmoved(isThere(now) ? now : held);
  const pending = toPending(known.pending, now, isSame);
  const sideRuns = crosses && rules.null_policy === 'confirm' ? NULL_RUNS : 1;
  const waiting = { held, pending };
  if (pending.count < rules.confirm_runs || pending.side < sideRuns) {
    return { next: waiting, unreported: waiting, passed: null };
  }
  const next = { held: now };
  return { next, unreported: rules.baseline === 'previous_run' ? next : waiting, passed: { from: held, to: now } };
}

/** Whether a value is there at all. */
export function isThere({ value }: Held): boolean {
  return value !== null && value !== undefined;
}

function unmoved(held: Held): Settled {
  return { next: { held }, unreported: { held }, passed: null };
}

/** The value to compare with after a run that saw no difference: a currency that has become known stays known. */
function moved(held: Held, now: Held, { baseline }: Rules): Held {
  if (baseline === 'previous_run') return (now.currency ?? null) === null ? withCurrencyOf(held, now) : now;
  return (held.currency ?? null) === null ? withCurrencyOf(now, held) : held;
}

function withCurrencyOf(teller: Held, held: Held): Held {
  return (teller.currency ?? null) === null ? held : { ...held, currency: teller.currency };
}

function toPending(
  pending: FieldBaseline['pending'],
  now: Held,
  isSame: (one: Held, other: Held) => boolean,
): NonNullable<FieldBaseline['pending']> {
  if (pending === undefined || isThere(pending.seen) !== isThere(now)) return { seen: now, count: 1, side: 1 };
  const stays = !isThere(now) || isSame(pending.seen, now);
  return {
    seen: stays ? pending.seen : now,
    count: stays ? pending.count + 1 : 1,
    side: pending.side + 1,
  };
}
