import { z } from 'zod';

const ORDERS = { relevance: undefined, newest: 'date', views: 'views' } as const;
const DATES = { today: 'today', week: 'this-week', month: 'this-month', year: 'this-year' } as const;

export const AltSearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z.enum(['video', 'short', 'all']).default('all').describe('What to keep of each page of results'),
  sort: z.enum(['relevance', 'newest', 'views']).default('relevance').describe('The order of the videos'),
  date: z.enum(['today', 'week', 'month', 'year']).optional().describe('Published within'),
  duration: z.enum(['short', 'long']).optional().describe('Only videos that are this long'),
  license: z.enum(['now']).optional().describe('Only what can be licensed at once'),
});

export type AltSearchInput = z.output<typeof AltSearchInput>;

/** A search in the site's own words. */
export function altQueryOf({ search, sort, date, duration, license }: AltSearchInput, cursor: string | null) {
  const since = date === undefined ? undefined : DATES[date];
  return { q: search, sort: ORDERS[sort], date: since, duration, license, page: cursor };
}

/** Words as they are compared: those of the site with those that were asked for. */
export function toPlainSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');
}
