import type { SearchResult } from './search-results.ts';

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const MINUTES: Readonly<Record<(typeof UNITS)[number], number>> = {
  second: 1 / 60,
  minute: 1,
  hour: 60,
  day: 1440,
  week: 10_080,
  month: 43_800,
  year: 525_600,
};
const AGE = new RegExp(`(\\d{1,4}) (${UNITS.join('|')})s? ago`);

/** The newest first, by the words that the site has for their age; what has none comes last. */
export function sortByAge(results: readonly SearchResult[]): readonly SearchResult[] {
  return results.toSorted((one, other) => ageOf(one) - ageOf(other));
}

/** In minutes. */
function ageOf({ published_text: text }: SearchResult): number {
  const [, count, name] = AGE.exec(text ?? '') ?? [];
  const unit = UNITS.find((one) => one === name);
  return unit === undefined ? Number.MAX_SAFE_INTEGER : Number(count) * MINUTES[unit];
}
