import { toPlainDigits } from './numbers.ts';

const MAX_DURATION_LENGTH = 200;
/** ISO 8601 (XML Schema's duration without years and months, which have no fixed length). */
const ISO_DURATION =
  /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?$/i;
const ISO_UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;
const CLOCK_DURATION = /^-?(?:(\d{1,4}):)?(\d{1,4}):(\d{2})(?:[.,](\d{1,3}))?$/;
const DURATION_PART = /(\d{1,6}(?:[.,]\d{1,3})?)\s?(\p{L}{1,12})\.?/gu;
const BETWEEN_DURATION_PARTS = /^[\s,;.·]*(?:(?:and|und|et|y|e|en|og|och|i|и)\s)?\s*$/iu;

const UNIT_MS_BY_WORD: ReadonlyMap<string, number> = new Map(
  [
    [86_400_000, 'd day days tag tage tagen jour jours día días giorno giorni dia dias dag dagen д дн день 日 天 일'],
    [
      3_600_000,
      'h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur timer tim godz ч час часа часов 時間 小时 小時 시간',
    ],
    [
      60_000,
      'm min mins minute minutes minuten minuto minutos minuti minuut minuter min мин минута минуты минут 分 分钟 分鐘 분',
    ],
    [
      1000,
      's sec secs second seconds sek sekunde sekunden seconde secondes seg segundo segundos secondi seconden sekunder с сек секунд секунды 秒 초',
    ],
    [1, 'ms'],
  ].flatMap(([unit, words]) =>
    String(words)
      .split(' ')
      .map((word): [string, number] => [word, Number(unit)]),
  ),
);

/**
 * The milliseconds that a text gives: ISO 8601 (`PT1M35S`), a clock (`3:45`, `1:02:03`), or numbers with units
 * (`1 hr 2 min`, `2 Std. 5 Min.`). Null for a bare number, for years and months, and for anything else.
 */
export function parseDurationMs(text: string): number | null {
  const plain = toPlainDigits(text.slice(0, MAX_DURATION_LENGTH)).trim();
  return parseIsoDuration(plain) ?? parseClockDuration(plain) ?? parseUnitDuration(plain);
}

function parseIsoDuration(text: string): number | null {
  const match = ISO_DURATION.exec(text);
  if (match === null || match.slice(1).every((part) => part === undefined)) return null;
  return toWholeMs(
    ISO_UNITS_MS.reduce((sum, unit, at) => sum + unit * Number((match[at + 1] ?? '0').replace(',', '.')), 0),
  );
}

function parseClockDuration(text: string): number | null {
  const match = CLOCK_DURATION.exec(text);
  if (match === null || text.startsWith('-')) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match;
  if (Number(seconds) > 59 || (match[1] !== undefined && Number(minutes) > 59)) return null;
  return toWholeMs(
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0')),
  );
}

function parseUnitDuration(text: string): number | null {
  let total = 0;
  let end = 0;
  for (const part of text.matchAll(DURATION_PART)) {
    const unit = UNIT_MS_BY_WORD.get(part[2]?.toLowerCase() ?? '');
    if (unit === undefined || !BETWEEN_DURATION_PARTS.test(text.slice(end, part.index))) return null;
    total += unit * Number((part[1] ?? '').replace(',', '.'));
    end = part.index + part[0].length;
  }
  return end === 0 || text.slice(end).trim() !== '' ? null : toWholeMs(total);
}

function toWholeMs(value: number): number | null {
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : null;
}
