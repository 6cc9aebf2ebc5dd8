import type { Runnable } from '#engine/call/operation.ts';
import { RECORDS_KEPT_MS } from '#engine/identity/plans.ts';
import { toPoints } from '#features/monitors/compare/series.ts';
import { CronProblem } from '#features/monitors/schedule/cron-dialect.ts';
import { type Schedule, shortestGap, toSchedule } from '#features/monitors/schedule/schedule.ts';
import type { MonitorHistory } from '#features/monitors/store/history.ts';
import { readSeries } from '#features/monitors/store/series-reader.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { monitorSeries, previewSchedule } from './chart-operations.ts';

const MINUTE_MS = 60_000;

/** Binds what a chart of a monitor and the choice of its schedule need. */
export function bindCharts({
  db,
  history,
}: {
  readonly db: Db;
  readonly history: MonitorHistory;
}): readonly Runnable[] {
  return [
    monitorSeries.runs(async ({ id, field = null, points, ...range }, { caller, now, signal }) => {
      await history.demand(caller.tenant, id);
      const { to = now } = range;
      const from = Math.max(range.from ?? 0, now - RECORDS_KEPT_MS);
      if (from > to) throw new ServiceError('invalid_request', 'from: is after to');
      const { fields, marks, oldest, isCut } = await readSeries(db, { id, from, to, field }, signal);
      return {
        monitor_id: id,
        from: toTimestamp(oldest),
        to: toTimestamp(to),
        fields: fields.map(({ seen, ...series }) => ({
          ...series,
          points: toPoints(seen, points).map(({ at, ...point }) => ({ at: toTimestamp(at), ...point })),
        })),
        marks: marks.map(({ at, kind, runId }) => ({ at: toTimestamp(at), kind, run_id: runId })),
        cut: isCut,
      };
    }),
    previewSchedule.runs(async ({ cron, timezone, count }, { caller, now }) => {
      const schedule = scheduleOf(cron, timezone);
      const gap = shortestGap(schedule, now);
      const next = nextOf(schedule, now, count);
      const local = localFormat(timezone);
      return {
        cron,
        timezone,
        next: next.map((at) => toTimestamp(at)),
        local: next.map((at) => local.format(at)),
        shortest_gap_minutes: gap === null ? null : gap / MINUTE_MS,
        allowed: gap === null || gap >= caller.plan.monitor_interval_ms,
      };
    }),
  ];
}

function scheduleOf(cron: string, timezone: string): Schedule {
  try {
    return toSchedule(cron, timezone);
  } catch (error) {
    if (!(error instanceof CronProblem)) throw error;
    const { message } = error;
    throw new ServiceError('invalid_request', message.startsWith('timezone: ') ? message : `cron: ${message}`);
  }
}

function nextOf({ nextTick }: Schedule, now: number, count: number): readonly number[] {
  const next: number[] = [];
  for (let at = nextTick(now); at !== null && next.length < count; at = nextTick(at)) next.push(at);
  return next;
}

/** `2026-11-24 09:00` on the clocks of a zone. */
function localFormat(timezone: string): Intl.DateTimeFormat {
  const digits = '2-digit';
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
  });
}
