import type { Queryable } from '#store/db.ts';
import { StoredWatch, type Watch } from '#features/monitors/compare/watch.ts';
import { computeLocalMinute, createLocalTimeFormat } from '#features/monitors/schedule/schedule.ts';
import type { MonitorDefinition } from './definition.ts';
import type { MonitorRow } from './rows.ts';

const OPEN = `update monitors set digest_from = coalesce(digest_from, $2), digest_due_at = coalesce(digest_due_at, $3)
  where id = $1`;
const END_NOW = 'update monitors set digest_due_at = $2 where id = $1 and digest_due_at > $2';

const MINUTE_MS = 60_000;

export type DigestRule = NonNullable<Watch['digest']>;

/** The period whose changes are sent together, ms. */
export type DigestWindow = { readonly from: number; readonly to: number };

/**
 * Computes the window of an instant. Windows end when the local time, in minutes since 1970, is a multiple of the
 * interval away from the time of day `at`. So intervals that divide a day end at the same times every day. If a clock
 * change skips the end of a window, it ends after the gap.
 */
export function computeWindow(
  { interval_minutes: interval, at }: DigestRule,
  wall: Intl.DateTimeFormat,
  now: number,
): DigestWindow {
  const [hours = 0, minutes = 0] = (at ?? '00:00').split(':').map(Number);
  const anchor = hours * 60 + minutes;
  const shown = computeLocalMinute(now, wall);
  const slot = anchor + Math.floor((shown - anchor) / interval) * interval;
  const minute = Math.floor(now / MINUTE_MS);
  const toInstant = (wanted: number): number => {
    const guess = minute + wanted - shown;
    const mended = guess + wanted - computeLocalMinute(guess * MINUTE_MS, wall);
    const isShown = computeLocalMinute(mended * MINUTE_MS, wall) === wanted;
    return (isShown ? mended : Math.max(guess, mended)) * MINUTE_MS;
  };
  return { from: toInstant(slot), to: Math.max(toInstant(slot + interval), (minute + 1) * MINUTE_MS) };
}

/** Opens the window for a change, in the transaction that writes the change with the monitor locked. */
export async function openDigestWindow(
  tx: Queryable,
  { monitor, rule, now }: { readonly monitor: MonitorRow; readonly rule: DigestRule; readonly now: number },
): Promise<void> {
  const { from, to } = computeWindow(rule, createLocalTimeFormat(monitor.timezone), now);
  await tx.query(OPEN, [monitor.id, from, to]);
}

/** Ends the open window of a monitor now, so that the scheduler sends its digest. */
export async function endDigestWindow(tx: Queryable, monitorId: string, now: number): Promise<void> {
  await tx.query(END_NOW, [monitorId, now]);
}

/** Ends the open window of a monitor that is switched off, or whose windows will end at other times. */
export async function endOutdatedWindow(
  tx: Queryable,
  row: MonitorRow,
  { definition, now }: { readonly definition: MonitorDefinition; readonly now: number },
): Promise<void> {
  const [before, after] = [StoredWatch.parse(JSON.parse(row.watch)).digest, StoredWatch.parse(definition.watch).digest];
  const isSame = row.timezone === definition.timezone && JSON.stringify(before) === JSON.stringify(after);
  if (!definition.active || !isSame) await endDigestWindow(tx, row.id, now);
}
