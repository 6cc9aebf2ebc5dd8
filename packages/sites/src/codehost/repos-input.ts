import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { SiteView } from '#sites/framework/request.ts';

export const ReposInput = z.object({
  username: z.string().min(1).max(40).optional().describe('The login, with or without @'),
  url: z.url().max(2000).optional().describe('The profile'),
  page: wholeNumber(1, 10_000).default(1).describe('Which page of that many; cursor wins'),
  type: z.enum(['owner', 'all', 'member']).default('owner').describe('Their own, those they work on, or both'),
  sort: z
    .enum(['full_name', 'created', 'updated', 'pushed'])
    .default('full_name')
    .describe('The order of the repositories'),
  direction: z.enum(['asc', 'desc']).optional().describe('asc for full_name, else desc'),
});

export type ReposInput = z.output<typeof ReposInput>;

/** Which page of how many repositories each. */
export type Stretch = { readonly page: number; readonly size: number };

/** The page that a token stands for, null for none: the size belongs to it, because a caller may change `limit`. */
export function stretchOf({ cursor }: Pick<SiteView, 'cursor'>): Stretch | null {
  const [, page, size] = /^(\d{1,6})x(\d{1,3})$/.exec(cursor ?? '') ?? [];
  return page === undefined || size === undefined ? null : { page: Number(page), size: Number(size) };
}

export function toToken({ page, size }: Stretch): string {
  return `${page}x${size}`;
}

/** How the list is ordered where the caller does not say. */
export function directionOf({ sort, direction }: ReposInput): 'asc' | 'desc' {
  return direction ?? (sort === 'full_name' ? 'asc' : 'desc');
}
