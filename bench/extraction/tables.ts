import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { chooseCurrency } from '#extract/values/currencies.ts';
import { parseDate } from '#extract/values/dates.ts';
import { parseMoneyText } from '#extract/values/money.ts';
import { isHeldOut } from './corpus.ts';
import type { Scores } from './suites.ts';
import { computeMean } from './text-scores.ts';

/** Scores of one row: 1 if parsed correctly, otherwise 0. */
export type ScoredRow = {
  /** The row and the parsed value. */
  readonly row: string;
  readonly heldOut: boolean;
  readonly figures: Scores;
};

/** Tables of short texts with expected values. */
export const TABLES: Readonly<Record<string, (folder: string) => readonly ScoredRow[]>> = {
  prices: scorePrices,
  dates: scoreDates,
};

const Prices = z.array(
  z.object({
    input: z
      .string()
      .nullable()
      .transform((text) => text ?? ''),
    currency_hint: z.string().nullable(),
    amount: z.number().nullable(),
    currency: z.string().nullable(),
  }),
);
const Dates = z.array(
  z.object({
    test: z.string().catch(''),
    date_string: z.unknown().optional(),
    expected: z.object({ datetime: z.string().optional() }).nullish().catch(null).optional(),
  }),
);
/** The year assumed for texts without a year. */
const THIS_YEAR = '2012';

/** The mean of each figure over rows. */
export function scoreRows(rows: readonly ScoredRow[]): Scores {
  const names = Object.keys(rows[0]?.figures ?? {});
  return Object.fromEntries(names.map((name) => [name, computeMean(rows.map(({ figures }) => figures[name] ?? 0))]));
}

/** Price texts as shops write them: the amount, the currency (as any of the codes that its sign stands for), and both. */
function scorePrices(folder: string): readonly ScoredRow[] {
  return Prices.parse(readRows(folder, 'price.json')).map((row) => {
    const assumed = row.currency_hint === null ? null : parseCurrencyHint(row.currency_hint);
    const found = parseMoneyText(row.input, { locale: null, currency: assumed });
    const amount = Number((found?.amount ?? null) === row.amount);
    const silent = row.amount === null && found === null;
    const currency = Number(silent || (found?.currency ?? null) === getExpectedCurrency(row.currency, assumed));
    return {
      row: `${JSON.stringify(row)} ${JSON.stringify(found)}`,
      heldOut: isHeldOut(row.input),
      figures: { amount, currency, both: amount * currency },
    };
  });
}

/** The expected currency; a sign without a currency matches nothing. */
function getExpectedCurrency(sign: string | null, assumed: string | null): string | null {
  return sign === null ? null : (chooseCurrency(sign.replace(/\.$/, ''), assumed, null) ?? sign);
}

function parseCurrencyHint(hint: string): string | null {
  const stated = chooseCurrency(hint.trim().replace(/\.$/, ''), null, null);
  return stated ?? parseMoneyText(hint, { locale: null, currency: null })?.currency ?? null;
}

/** Written dates with year, month and day in some fifty languages: the expected day, and the time if there is one. */
function scoreDates(folder: string): readonly ScoredRow[] {
  return Dates.parse(readRows(folder, 'dateparser.json')).flatMap(({ test, date_string: text, expected }) => {
    const wanted = expected?.datetime;
    if (!test.includes('test_dates_parsing') || typeof text !== 'string' || wanted === undefined) return [];
    if (wanted.startsWith(THIS_YEAR) && !text.includes(THIS_YEAR)) return [];
    const found = parseDate(text, null);
    const day = Number(found?.day === wanted.slice(0, 10));
    const minute = day * Number((found?.time ?? '00:00').slice(0, 5) === wanted.slice(11, 16));
    return [{ row: `${text} ${wanted} ${JSON.stringify(found)}`, heldOut: isHeldOut(text), figures: { day, minute } }];
  });
}

function readRows(folder: string, name: string): unknown {
  const file = join(folder, 'tables', name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
