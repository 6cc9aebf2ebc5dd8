import { readMoment } from '#extract/values/dates.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { readMoney } from '#extract/values/money.ts';
import { toValue } from '#extract/values/values.ts';
import type { ComparedValue } from './baseline.ts';
import type { ValueKind, FieldShape } from './shapes.ts';

const BARE = { locale: null, currency: null, baseUrl: 'about:blank' };

/** Reads a value by its shape: null where there is none, undefined where it does not fit. */
export function readAs(shape: FieldShape, value: unknown): ComparedValue | undefined {
  if (value === null || value === undefined) return { value: null };
  if (shape.kind === 'list' || shape.kind === 'rows') return Array.isArray(value) ? { value } : undefined;
  return READERS[shape.kind](value);
}

const READERS: Readonly<Record<ValueKind, (value: unknown) => ComparedValue | undefined>> = {
  any: (value) => ({ value }),
  string: (value) => (typeof value === 'string' ? { value } : undefined),
  url: (value) => (typeof value === 'string' ? { value } : undefined),
  date: (value) => (typeof value === 'string' && readMoment(value, null) !== null ? { value } : undefined),
  number: (value) => (isFiniteNumber(value) ? { value } : undefined),
  boolean: readBoolean,
  money: readPrice,
};

function readBoolean(value: unknown): ComparedValue | undefined {
  if (typeof value === 'boolean') return { value };
  const read = typeof value === 'string' ? toValue('boolean', value, BARE) : null;
  return read === null ? undefined : { value: read };
}

function readPrice(value: unknown): ComparedValue | undefined {
  if (isFiniteNumber(value)) return { value, currency: null };
  const price = typeof value === 'string' ? readMoney(value, BARE) : value;
  if (!isJsonObject(price)) return undefined;
  const { amount, currency } = price;
  if (amount === null) return { value: null };
  return isFiniteNumber(amount)
    ? { value: amount, currency: typeof currency === 'string' ? currency : null }
    : undefined;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
