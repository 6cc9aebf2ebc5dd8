import { z } from 'zod';

/** The disk limit for the data: a percentage of the volume, or bytes. */
export type DiskQuota = { readonly percent: number } | { readonly bytes: number };

type Size = { readonly amount: number; readonly unit: string };

const UNITS: Readonly<Record<string, number>> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const DEFAULT_INDEX_SIZE: Size = { amount: 5, unit: 'GB' };

/** Parses a percentage such as `80%` or a size such as `20GB`. */
export function parseDiskQuota(text: string, context: z.RefinementCtx): DiskQuota {
  const size = parseSize(text);
  if (size?.unit === '%' && size.amount > 0 && size.amount <= 100) return { percent: size.amount };
  if (size !== null && size.unit !== '%' && size.amount > 0) return { bytes: toBytes(size) };
  context.addIssue({ code: 'custom', message: 'must be a share such as 80% or a size such as 20GB' });
  return z.NEVER;
}

/** Parses the maximum size of the search index, bytes: `off` is null, `on` is the default size. */
export function parseIndexBytes(text: string, context: z.RefinementCtx): number | null {
  if (text === 'off') return null;
  const size = text === 'on' ? DEFAULT_INDEX_SIZE : parseSize(text);
  if (size !== null && size.unit !== '%' && size.amount > 0) return toBytes(size);
  context.addIssue({ code: 'custom', message: 'must be off, on, or a size such as 20GB' });
  return z.NEVER;
}

function parseSize(text: string): Size | null {
  const match = /^(\d+(?:\.\d+)?)\s*(%|[KMGT]B|)$/i.exec(text);
  return match === null ? null : { amount: Number(match[1]), unit: (match[2] ?? '').toUpperCase() };
}

function toBytes({ amount, unit }: Size): number {
  return Math.floor(amount * (UNITS[unit] ?? 1));
}
