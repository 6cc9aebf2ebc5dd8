/** The fields of a cron expression as sorted numbers. Sunday is 0. */
export type CronFields = {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  /**
   * Whether the hour field starts with `*`. Such an expression fires every real hour, any other once at each local
   * time.
   */
  readonly everyHour: boolean;
  /** Whether the field is restricted. If both are, a day matches if either field matches. */
  readonly namesDays: boolean;
  readonly namesWeekdays: boolean;
};

type Bounds = { readonly name: string; readonly min: number; readonly max: number; readonly words: readonly string[] };

const MAX_CRON_CHARS = 100;
const MONTH_WORDS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const WEEKDAY_WORDS = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const FIELDS: readonly Bounds[] = [
  { name: 'minute', min: 0, max: 59, words: [] },
  { name: 'hour', min: 0, max: 23, words: [] },
  { name: 'day of month', min: 1, max: 31, words: [] },
  { name: 'month', min: 1, max: 12, words: MONTH_WORDS },
  { name: 'day of week', min: 0, max: 7, words: WEEKDAY_WORDS },
];
const MACROS: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
]);
/** February in a leap year. */
const MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Thrown for an invalid cron expression; its message is for the caller. */
export class CronError extends Error {}

/**
 * Parses a cron expression of five fields or a macro, with lists, ranges, steps over `*` or a range, and names of
 * months and weekdays. Throws CronError if it is invalid or never fires.
 */
export function parseCron(text: string): CronFields {
  if (text.length > MAX_CRON_CHARS)
    throw new CronError(`a cron expression must have at most ${MAX_CRON_CHARS} characters`);
  const written = text.trim();
  const parts = (MACROS.get(written.toLowerCase()) ?? written).split(/[ \t]+/);
  if (written.startsWith('@') && parts.length === 1) {
    throw new CronError(`unknown macro; valid ones are ${[...MACROS.keys()].join(', ')}`);
  }
  if (parts.length !== FIELDS.length) {
    throw new CronError(
      'expected five fields: minute, hour, day of month, month, day of week; or words such as every 6 hours or daily at 9:00',
    );
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = FIELDS.map((bounds, index) =>
    parseField(parts[index] ?? '', bounds),
  );
  const [, hourPart = '', dayPart = '', , weekdayPart = ''] = parts;
  const fields: CronFields = {
    minutes,
    hours,
    days,
    months,
    weekdays: [...new Set(weekdays.map((day) => day % 7))].toSorted((a, b) => a - b),
    everyHour: hourPart.startsWith('*'),
    namesDays: !isWildcard(dayPart),
    namesWeekdays: !isWildcard(weekdayPart),
  };
  if (!canFire(fields)) throw new CronError('never fires: these months have no such day');
  return fields;
}

/** Returns the problem of a cron expression, null if it is valid. */
export function checkCron(text: string): string | null {
  try {
    parseCron(text);
    return null;
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return error.message;
  }
}

/** Whether a cron expression fires on a calendar day. The month is 1 to 12, the weekday 0 to 6. */
export function isOnDay(fields: CronFields, month: number, day: number, weekday: number): boolean {
  if (!fields.months.includes(month)) return false;
  const onDay = fields.days.includes(day);
  const onWeekday = fields.weekdays.includes(weekday);
  return fields.namesDays && fields.namesWeekdays ? onDay || onWeekday : onDay && onWeekday;
}

function isWildcard(part: string): boolean {
  return part === '*' || part === '*/1';
}

function canFire({ days, months, namesDays, namesWeekdays }: CronFields): boolean {
  if (!namesDays || namesWeekdays) return true;
  return months.some((month) => (days[0] ?? 1) <= (MONTH_LENGTHS[month - 1] ?? 31));
}

function parseField(text: string, bounds: Bounds): readonly number[] {
  const values = new Set(text.split(',').flatMap((item) => parseItem(item, bounds)));
  return [...values].toSorted((a, b) => a - b);
}

/** Parses `*`, `5`, `1-5`, or one of `*` and `1-5` with a step. */
function parseItem(item: string, bounds: Bounds): readonly number[] {
  const [range = '', stepText, more] = item.split('/');
  const step = stepText === undefined ? 1 : parseNumber(stepText, { ...bounds, words: [] });
  if (more !== undefined || step === null) throw buildError(bounds, item, 'is not valid');
  if (step < 1 || step > bounds.max) throw buildError(bounds, item, `has a step that is not 1 to ${bounds.max}`);
  if (range === '*') {
    const last = bounds.words === WEEKDAY_WORDS ? 6 : bounds.max;
    return listRange(bounds.min, last, step);
  }
  const [firstText = '', lastText, third] = range.split('-');
  const first = parseNumber(firstText, bounds);
  const last = lastText === undefined ? first : parseNumber(lastText, bounds, 'end');
  if (third !== undefined || first === null || last === null) throw buildError(bounds, item, 'is not valid');
  if (lastText === undefined && stepText !== undefined) {
    throw buildError(bounds, item, 'is ambiguous: write the step after * or a range');
  }
  for (const value of [first, last]) {
    if (value < bounds.min || value > bounds.max) {
      throw buildError(bounds, item, `is not within ${bounds.min} to ${bounds.max}`);
    }
  }
  if (first > last) throw buildError(bounds, item, 'is a range that ends before it starts');
  return listRange(first, last, step);
}

/** Parses a number or name. Sunday at the end of a range is 7. */
function parseNumber(text: string, { words }: Bounds, place: 'start' | 'end' = 'start'): number | null {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const at = words.indexOf(text.toUpperCase());
  if (at < 0) return null;
  if (words === MONTH_WORDS) return at + 1;
  return at === 0 && place === 'end' ? 7 : at;
}

function listRange(first: number, last: number, step: number): readonly number[] {
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}

function buildError({ name }: Bounds, item: string, what: string): CronError {
  return new CronError(`${name}: ${item.slice(0, 20)} ${what}`);
}
