import { Cron } from 'croner';
import { type CronFields, CronError, isOnDay, parseCron } from './cron-dialect.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY_MINUTES = 1440;
const ESTIMATED_DAYS = 30;
/** Number of days searched for the shortest gap. */
const GAP_DAYS = 400;
const MAX_ZONE_CHARS = 64;
/** Names of the IANA database. Offsets such as `+01:00`, which Intl also accepts, have no clock changes. */
const ZONE_NAME = /^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+)*$/i;

/** A valid cron expression and its time zone. */
export type Schedule = {
  readonly fields: CronFields;
  readonly timezone: string;
  /** Formats instants as local time. */
  readonly localTime: Intl.DateTimeFormat;
  /** Returns the first tick after an instant, ms; null if there is none. */
  readonly nextTick: (after: number) => number | null;
};

/**
 * Creates the schedule of a cron expression in an IANA zone. A local time that a clock change skips fires once, right
 * after the gap. A repeated local time fires only the first time, unless the hour is `*`, which is every real hour.
 * Throws CronError.
 */
export function createSchedule(cron: string, timezone: string): Schedule {
  const fields = parseCron(cron);
  if (!isTimeZone(timezone)) throw new CronError('timezone: expected an IANA name, such as Europe/Berlin');
  const ticks = new Cron(formatPattern(fields, cron), {
    timezone,
    mode: '5-part',
    fixedTimeRule: 'no-wildcard',
    paused: true,
  });
  return {
    fields,
    timezone,
    localTime: createLocalTimeFormat(timezone),
    nextTick: (after) => ticks.nextRun(new Date(after))?.getTime() ?? null,
  };
}

/** Creates a format of instants as the local time of a zone. */
export function createLocalTimeFormat(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
}

/** Whether a name is a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_ZONE_CHARS || !ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Finds the last tick at or before an instant and not before `since`, null if there is none. */
export function findLastTick({ nextTick }: Schedule, now: number, since: number): number | null {
  for (let window = 5 * MINUTE_MS; ; window *= 4) {
    const from = Math.max(since, now - window);
    let last: number | null = null;
    for (let at = nextTick(from - 1); at !== null && at <= now; at = nextTick(at)) last = at;
    if (last !== null || from === since) return last;
  }
}

/** Counts the ticks after one instant and up to another, ignoring clock changes. */
export function countTicks({ fields, localTime }: Schedule, after: number, until: number): number {
  const [start, end] = [computeLocalMinute(after, localTime), computeLocalMinute(until, localTime)];
  const minutes = listMinutes(fields);
  const firstDay = Math.floor(start / DAY_MINUTES);
  const lastDay = Math.floor(end / DAY_MINUTES);
  let count = 0;
  for (let day = firstDay; day <= lastDay; day++) {
    if (!firesOn(fields, day)) continue;
    const from = day === firstDay ? start - day * DAY_MINUTES + 1 : 0;
    const to = day === lastDay ? end - day * DAY_MINUTES : DAY_MINUTES;
    count += from === 0 && to === DAY_MINUTES ? minutes.length : minutes.filter((at) => at >= from && at <= to).length;
  }
  return count;
}

/** Counts the ticks in the 30 days after an instant. */
export function countTicksIn30Days(schedule: Schedule, from: number): number {
  return countTicks(schedule, from, from + ESTIMATED_DAYS * DAY_MS);
}

/**
 * Computes the shortest time between two ticks in the 400 days after an instant, ms. Null if there are fewer than two.
 * Clock changes are ignored.
 */
export function computeShortestGap({ fields, localTime }: Schedule, from: number): number | null {
  const minutes = listMinutes(fields);
  const [first = 0] = minutes;
  const last = minutes.at(-1) ?? 0;
  const today = Math.floor(computeLocalMinute(from, localTime) / DAY_MINUTES);
  const days = Array.from({ length: GAP_DAYS }, (_, index) => today + index).filter((day) => firesOn(fields, day));
  const within = minutes.slice(1).map((at, index) => at - (minutes[index] ?? 0));
  const between = days.slice(1).map((day, index) => (day - (days[index] ?? 0)) * DAY_MINUTES + first - last);
  const gaps = [...(days.length > 0 ? within : []), ...between];
  return gaps.length === 0 ? null : Math.min(...gaps) * MINUTE_MS;
}

/** Formats the expression for the library, with lists instead of wildcards except for an hour of `*`. */
function formatPattern(fields: CronFields, cron: string): string {
  const written = cron.trim().split(/[ \t]+/)[1] ?? '*';
  const hours = fields.hours.length === 24 ? '*' : written;
  return [
    fields.minutes.join(','),
    fields.everyHour ? hours : fields.hours.join(','),
    fields.namesDays ? fields.days.join(',') : '*',
    fields.months.join(','),
    fields.namesWeekdays ? fields.weekdays.join(',') : '*',
  ].join(' ');
}

/** Lists the minutes of a day at which a schedule fires, in order. */
function listMinutes({ hours, minutes }: CronFields): readonly number[] {
  return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
}

/** Whether a schedule fires on a calendar day, counted from 1970. */
function firesOn(fields: CronFields, day: number): boolean {
  const at = new Date(day * DAY_MS);
  return isOnDay(fields, at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCDay());
}

/** Computes the local time at an instant, in minutes since 1970. */
export function computeLocalMinute(instant: number, format: Intl.DateTimeFormat): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return Math.floor(wall / MINUTE_MS);
}
