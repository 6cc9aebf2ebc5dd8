import { findTextValue } from '#extract/structured/entities.ts';
import type { RawValue } from './lookup.ts';
import type { Tree } from '#extract/html/tree.ts';
import { readMoney } from '#extract/values/money.ts';
import { readPriceIn } from '#extract/view/price-texts.ts';
import { toValue, type TypedValue, type ValueContext, type ValueType } from '#extract/values/values.ts';

const PLAIN_DECIMAL = /^\s*-?\d{1,15}(?:\.\d{1,6})?\s*$/;

/** An amount that a machine writes as people do, in a way that depends on the country. */
const SINGLE_COMMA = /^\s*\d{1,3},\d{3}\s*$/;

/** A raw value as the type asked; null when it cannot be read as that. The markup of `tree` tells the parts of a price. */
export function toTypedValue(
  type: ValueType,
  { value, isMachineValue: machine, node }: RawValue,
  reading: ValueContext,
  tree: Tree | null = null,
): TypedValue | null {
  if (type === 'money' && node !== undefined && tree !== null) return readPriceIn(tree, node, reading);
  if (typeof value === 'boolean') return type === 'boolean' ? value : type === 'string' ? String(value) : null;
  const text = findTextValue(value);
  if (text === null) return null;
  const number = typeof value === 'number' ? value : machine && PLAIN_DECIMAL.test(text) ? Number(text) : null;
  if (machine && type === 'money' && SINGLE_COMMA.test(text)) {
    const amount = readMoney(text, { ...reading, currency: null })?.amount;
    return amount === readMoney(text, { locale: null, currency: null })?.amount && amount !== undefined
      ? { amount, currency: reading.currency }
      : null;
  }
  if (number === null || !Number.isFinite(number))
    return typeof value === 'number' ? null : toValue(type, text, reading);
  if (type === 'number') return number;
  if (type === 'integer') return Number.isSafeInteger(number) ? number : null;
  if (type === 'money') return { amount: number, currency: reading.currency };
  return toValue(type, text, reading);
}
