const BUDDHIST_OFFSET_YEARS = 543;
const REPUBLIC_OFFSET_YEARS = 1911;
/** The years before the first of each Japanese era. */
const ERAS: ReadonlyMap<string, number> = new Map([
  ['令和', 2018],
  ['平成', 1988],
  ['昭和', 1925],
]);
const ERA_YEAR = /(令和|平成|昭和)\s?(\d{1,2}|元)\s?年/g;
const REPUBLIC_YEAR = /(?:中華)?民[國国]\s?(\d{2,3})\s?年/g;

const THAI_MONTHS =
  'มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย. กรกฎาคม|ก.ค. สิงหาคม|ส.ค. กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค.'
    .split(' ')
    .map((pair) => pair.split('|'));
const THAI_NAMES = new Map(THAI_MONTHS.map(([name = '', short = '']) => [short, name]));
const THAI_SHORT = /(?<![\u0e00-\u0e7f.])[\u0e00-\u0e7f]{1,2}\.[\u0e00-\u0e7f]\./g;
const THAI_ERA = /(?:พ\.\s?ศ\.|พุทธศักราช|ค\.\s?ศ\.)\s?/g;
const BUDDHIST_YEAR = /(?<![\d.,])(2[45]\d\d)(?![\d,])/g;
const BUDDHIST_SHORT = new RegExp(
  String.raw`(\d{1,2}\s?(?:${THAI_MONTHS.map(([name]) => name).join('|')})\s?)(\d{2})(?!\d)`,
  'g',
);

/** The months of the solar year that Iran and Afghanistan count, with the names of both. */
const SOLAR_MONTHS =
  'فروردین|حمل اردیبهشت|ثور خرداد|جوزا تیر|سرطان مرداد|امرداد|اسد شهریور|سنبله مهر|میزان آبان|عقرب آذر|قوس دی|جدی بهمن|دلو اسفند|حوت'
    .split(' ')
    .map((names) => names.split('|'));
const SOLAR_NUMBERS = new Map(
  SOLAR_MONTHS.flatMap((names, at) => names.map((name): [string, number] => [name, at + 1])),
);
const SOLAR_NAMED = new RegExp(
  String.raw`(?<!\d)(\d{1,2})\s+(${[...SOLAR_NUMBERS.keys()].join('|').replaceAll('ی', '[یي]')})(?:\s?ماه)?[\s،,]+(?:سال\s)?(1[34]\d\d)(?!\d)`,
  'g',
);
const SOLAR_NUMBERED = /(?<!\d)(1[34]\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const PERSIAN_DIGIT = /[\u06f0-\u06f9]/;
const PERSIAN_LOCALE = /^(?:fa|prs|ps|ckb|azb|mzn)(?:-|$)/i;
const THAI = /[\u0e00-\u0e7f]/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether a text may write a year in another calendar than the Gregorian one. */
export function mayHaveNonGregorianYear(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return OTHER_YEAR.test(text);
  return ERA.test(text);
}

const OTHER_SCRIPT = /[\u0600-\u06ff\u0e00-\u0e7f]/;
const OTHER_YEAR = /(?:1[34]|2[45])\d\d|[\u0e50-\u0e59]{2}/;
const ERA = /令和|平成|昭和|民[國国]/;

/** A text with the days and years of other calendars written in the Gregorian one; `plain` is the text in Western digits. */
export function toGregorian(text: string, plain: string, locale: string | null): string {
  if (THAI.test(plain) || /^th(?:-|$)/i.test(locale ?? '')) return convertBuddhistYears(plain);
  const isPersian = PERSIAN_DIGIT.test(text) || PERSIAN_LOCALE.test(locale ?? '');
  if (isPersian || /[\u0600-\u06ff]/.test(plain)) return convertSolarDates(plain, isPersian);
  return /[年]/.test(plain) ? convertEraYears(plain) : plain;
}

function convertBuddhistYears(text: string): string {
  return text
    .replaceAll(THAI_ERA, '')
    .replaceAll(THAI_SHORT, (short) => ` ${THAI_NAMES.get(short) ?? short} `)
    .replaceAll(BUDDHIST_YEAR, (year) => String(Number(year) - BUDDHIST_OFFSET_YEARS))
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(
      BUDDHIST_SHORT,
      (_, day: string, year: string) => `${day}${2500 + Number(year) - BUDDHIST_OFFSET_YEARS}`,
    );
}

function convertEraYears(text: string): string {
  return text
    .replaceAll(ERA_YEAR, (_, era: string, year: string) => `${(ERAS.get(era) ?? 0) + (Number(year) || 1)}年`)
    .replaceAll(REPUBLIC_YEAR, (_, year: string) => `${REPUBLIC_OFFSET_YEARS + Number(year)}年`);
}

function convertSolarDates(text: string, isPersian: boolean): string {
  const named = text.replaceAll(SOLAR_NAMED, (written: string, day: string, month: string, year: string) => {
    // The letter has one form on Arabic keyboards, and another on Persian ones.
    const number = SOLAR_NUMBERS.get(month.replaceAll('ي', 'ی'));
    return (number === undefined ? null : toGregorianDay(Number(year), number, Number(day))) ?? written;
  });
  if (!isPersian) return named;
  return named.replaceAll(
    SOLAR_NUMBERED,
    (written: string, year: string, _mark: string, month: string, day: string) =>
      toGregorianDay(Number(year), Number(month), Number(day)) ?? written,
  );
}

/** Years of each 33 that have a day more, which holds for the years 1244 to 1531. */
const LEAP_YEARS: ReadonlySet<number> = new Set([1, 5, 9, 13, 17, 22, 26, 30]);
const LEAP_CYCLE_YEARS = 33;
/** The first day of 1400. */
const FIRST_DAY_OF_1400_MS = Date.UTC(2021, 2, 21);

/** The Gregorian day of one of the Persian solar year; null for none. */
function toGregorianDay(year: number, month: number, day: number): string | null {
  const isLong = LEAP_YEARS.has(year % LEAP_CYCLE_YEARS);
  const length = month <= 6 ? 31 : month < 12 || isLong ? 30 : 29;
  if (month < 1 || month > 12 || day < 1 || day > length) return null;
  let days = month <= 7 ? (month - 1) * 31 : 186 + (month - 7) * 30;
  days += day - 1;
  for (let other = Math.min(year, 1400); other < Math.max(year, 1400); other++) {
    const whole = LEAP_YEARS.has(other % LEAP_CYCLE_YEARS) ? 366 : 365;
    days += year > 1400 ? whole : -whole;
  }
  return new Date(FIRST_DAY_OF_1400_MS + days * DAY_MS).toISOString().slice(0, 10);
}
