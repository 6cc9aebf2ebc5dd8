import { ServiceError } from '#kernel/errors.ts';

/** Minutes and hours that divide an hour or a day, so that every gap between two runs is the same. */
const DIVIDES_HOUR: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30]);
const DIVIDES_DAY: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 8, 12]);
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Converts a schedule to a cron expression. Throws `invalid_request` for a text that no expression means exactly. */
export function toCron({
  cron,
  text,
}: {
  readonly cron?: string | undefined;
  readonly text?: string | undefined;
}): string {
  if ((cron === undefined) === (text === undefined))
    throw new ServiceError('invalid_request', 'schedule: send either cron or text');
  const found = cron ?? readText((text ?? '').trim().toLowerCase());
  if (found !== null) return found;
  const known = 'every 30 minutes, every 6 hours, hourly, daily at 9:00, weekly or every monday at 9:00';
  throw new ServiceError('invalid_request', `schedule.text: not understood; write it like ${known}, or send cron`);
}

function readText(text: string): string | null {
  const every = /^every (?:(\d{1,2}) )?(minute|hour)s?$/.exec(text);
  if (every !== null) return toInterval(Number(every[1] ?? 1), every[2] === 'hour');
  if (text === 'hourly') return '0 * * * *';
  const at = /^(daily|weekly|every day|every (\w+day))(?: at (\d{1,2})(?::(\d{2}))?)?$/.exec(text);
  if (at === null) return null;
  const [hour, minute] = [Number(at[3] ?? 0), Number(at[4] ?? 0)];
  const day = at[1] === 'weekly' ? 1 : at[2] === undefined || at[2] === 'day' ? '*' : DAYS.indexOf(at[2]);
  return hour > 23 || minute > 59 || day === -1 ? null : `${minute} ${hour} * * ${day}`;
}

function toInterval(count: number, isHours: boolean): string | null {
  if (isHours) return DIVIDES_DAY.has(count) ? `0 */${count} * * *` : null;
  return DIVIDES_HOUR.has(count) ? `*/${count} * * * *` : null;
}
