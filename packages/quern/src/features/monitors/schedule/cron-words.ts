/** Minutes and hours that divide an hour or a day, so that every gap between two runs is the same. */
const DIVIDES_HOUR: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30]);
const DIVIDES_DAY: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 8, 12]);
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * Converts a schedule in words, such as `every 6 hours` or `daily at 9:00`, to the cron expression that means exactly the
 * same. Returns any other text as it is.
 */
export function readCronWords(text: string): string {
  const words = text.trim().toLowerCase();
  const every = /^every (?:(\d{1,2}) )?(minute|hour)s?$/.exec(words);
  if (every !== null) return toInterval(Number(every[1] ?? 1), every[2] === 'hour') ?? text;
  if (words === 'hourly') return '0 * * * *';
  const at = /^(daily|weekly|every day|every (\w+day))(?: at (\d{1,2})(?::(\d{2}))?)?$/.exec(words);
  if (at === null) return text;
  const [hour, minute] = [Number(at[3] ?? 0), Number(at[4] ?? 0)];
  const day = at[1] === 'weekly' ? 1 : at[2] === undefined || at[2] === 'day' ? '*' : DAYS.indexOf(at[2]);
  return hour > 23 || minute > 59 || day === -1 ? text : `${minute} ${hour} * * ${day}`;
}

function toInterval(count: number, isHours: boolean): string | null {
  if (isHours) return DIVIDES_DAY.has(count) ? `0 */${count} * * *` : null;
  return DIVIDES_HOUR.has(count) ? `*/${count} * * * *` : null;
}
