import { textValueOf } from '#extract/structured/entities.ts';
import type { Raw } from './lookup.ts';
import { toValue, type TypedValue, type ValueReading, type ValueType } from '#extract/values/values.ts';

const PLAIN_DECIMAL = /^\s*-?\d{1,15}(?:\.\d{1,6})?\s*$/;

/** A raw value as the type asked; null when it cannot be read as that. */
export function toTyped(type: ValueType, { value, machine }: Raw, reading: ValueReading): TypedValue | null {
  if (typeof value === 'boolean') return type === 'boolean' ? value : type === 'string' ? String(value) : null;
  const text = textValueOf(value);
  if (text === null) return null;
  const number = typeof value === 'number' ? value : machine && PLAIN_DECIMAL.test(text) ? Number(text) : null;
  if (number === null || !Number.isFinite(number))
    return typeof value === 'number' ? null : toValue(type, text, reading);
  if (type === 'number') return number;
  if (type === 'integer') return Number.isSafeInteger(number) ? number : null;
  if (type === 'money') return { amount: number, currency: reading.currency };
  return toValue(type, text, reading);
}
