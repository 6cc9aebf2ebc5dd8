import { InvariantError } from '#extract/invariant-error.ts';

/** The least change of a number that is reported. Either limit suffices; both are inclusive. */
export type Threshold = { readonly abs?: number | undefined; readonly pct?: number | undefined };

/** The size of a numeric change. `pct` is relative to the first number, null if that is 0. */
export type NumericMove = { readonly abs: number; readonly pct: number | null };

/** A decimal number, `digits` × 10^-`scale`, which represents the shortest form of a double exactly. */
type Decimal = { readonly digits: bigint; readonly scale: number };

const DECIMAL_PATTERN = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
/** Decimal places of a reported percentage. */
const PERCENT_DIGITS = 4n;

/**
 * Whether the change from one finite number to another reaches a threshold, in exact decimals. Without a threshold, or
 * with one of 0, every difference does. From 0, every difference reaches a percentage.
 */
export function reachesThreshold(from: number, to: number, { abs, pct }: Threshold): boolean {
  const { base, move, scale } = computeDistance(from, to);
  if (move === 0n) return false;
  if (abs === undefined && pct === undefined) return true;
  return (
    (abs !== undefined && isAtLeast({ digits: move, scale }, toDecimal(abs))) || reachesPercentage(move, base, pct)
  );
}

/** Computes the change between two finite numbers as it is reported. */
export function computeMove(from: number, to: number): NumericMove {
  const { base, move, scale } = computeDistance(from, to);
  const abs = Number(`${move}e-${scale}`);
  if (base === 0n) return { abs, pct: null };
  const unit = 10n ** PERCENT_DIGITS;
  const share = (move * 200n * unit + base) / (2n * base);
  return { abs, pct: Number(`${share}e-${PERCENT_DIGITS}`) };
}

/** Computes |from| and |to − from| at the same scale. */
function computeDistance(
  from: number,
  to: number,
): { readonly base: bigint; readonly move: bigint; readonly scale: number } {
  const first = toDecimal(from);
  const second = toDecimal(to);
  const scale = Math.max(first.scale, second.scale);
  const start = scaleDigits(first, scale);
  return { base: toAbsolute(start), move: toAbsolute(scaleDigits(second, scale) - start), scale };
}

function reachesPercentage(move: bigint, base: bigint, pct: number | undefined): boolean {
  if (pct === undefined) return false;
  const { digits, scale } = toDecimal(pct);
  return move * 100n * 10n ** BigInt(scale) >= digits * base;
}

function isAtLeast(one: Decimal, other: Decimal): boolean {
  const scale = Math.max(one.scale, other.scale);
  return scaleDigits(one, scale) >= scaleDigits(other, scale);
}

function toDecimal(value: number): Decimal {
  const [, whole, fraction = '', exponent = '0'] = DECIMAL_PATTERN.exec(String(value)) ?? [];
  if (whole === undefined) throw new InvariantError(`${value} is not a finite number`);
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function scaleDigits({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

function toAbsolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
