import { isJsonObject } from '#extract/values/json-object.ts';

const DEEPEST = 4;
const MAX_FIELDS = 20;

/** A number that one run has seen. */
export type SeenNumber = { readonly field: string; readonly value: number; readonly unit: string | null };

/** The numbers of one field at one time, or of several runs that are shown as one. */
export type SeriesPoint = { readonly at: number; readonly value: number; readonly min: number; readonly max: number };

/** The numbers in what a run saw, by their paths; money counts as its amount. */
export function numbersIn(values: Readonly<Record<string, unknown>>): readonly SeenNumber[] {
  const found: SeenNumber[] = [];
  for (const [name, value] of Object.entries(values)) collect(value, [name], found);
  return found;
}

function collect(value: unknown, path: readonly string[], found: SeenNumber[]): void {
  if (found.length >= MAX_FIELDS || path.length > DEEPEST) return;
  if (typeof value === 'number' && Number.isFinite(value)) found.push({ field: path.join('.'), value, unit: null });
  else if (isMoney(value)) found.push({ field: path.join('.'), value: value.amount, unit: value.currency });
  else if (Array.isArray(value)) for (const [at, one] of value.entries()) collect(one, [...path, String(at)], found);
  else if (isJsonObject(value)) for (const [name, one] of Object.entries(value)) collect(one, [...path, name], found);
}

function isMoney(value: unknown): value is { readonly amount: number; readonly currency: string | null } {
  if (!isJsonObject(value) || typeof value['amount'] !== 'number' || !Number.isFinite(value['amount'])) return false;
  const { currency } = value;
  return currency === null || typeof currency === 'string';
}

/** At most so many points, the oldest first: neighbours are put together, with their extremes. */
export function toPoints(seen: readonly { readonly at: number; readonly value: number }[], most: number) {
  const size = Math.max(1, Math.ceil(seen.length / most));
  const points: SeriesPoint[] = [];
  for (let start = 0; start < seen.length; start += size) {
    const some = seen.slice(start, start + size);
    const values = some.map(({ value }) => value);
    const last = some.at(-1);
    if (last !== undefined) points.push({ ...last, min: Math.min(...values), max: Math.max(...values) });
  }
  return points;
}
