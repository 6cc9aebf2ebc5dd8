import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';

const TIMES = ['hour', 'day', 'week', 'month', 'year', 'all'] as const;

/** The stretch of time that a ranking covers. */
export const Time = z.enum(TIMES).optional().describe('Of what time the posts are; for top and controversial alone');

/** How many elements one page of the site holds unless it is told. */
export const PAGE_SIZE = 25;

type Ordered = { readonly sort: string; readonly time?: (typeof TIMES)[number] | undefined };

/** Refuses a time for an order that has none. */
export function checkTime({ sort, time }: Ordered): void {
  if (time !== undefined && sort !== 'top' && sort !== 'controversial')
    refuseParameter('time', 'belongs to sort=top and sort=controversial');
}

/** Where in a list its wanted stretch is, in the words that JSON, plain pages and feeds share. */
export function listQueryOf({ time }: Pick<Ordered, 'time'>, { cursor, limit }: SiteView) {
  return { limit: limit ?? PAGE_SIZE, t: time, after: cursor };
}

type Stretch<T> = { readonly elements: readonly T[]; readonly next: string | null };

/** No more of a page than is wanted: what is pinned comes on top of it, and the list goes on after any element. */
export function atMost<T extends { readonly fullname: string }>(
  { limit }: SiteView,
  { elements, next }: Stretch<T>,
): Stretch<T> {
  if (limit === null || elements.length <= limit) return { elements, next };
  const kept = elements.slice(0, limit);
  return { elements: kept, next: kept.at(-1)?.fullname ?? null };
}

/** The last element of a feed that is full, after which it goes on: a feed does not say so itself. */
export function afterFeed({ limit }: SiteView, elements: readonly { readonly fullname: string }[]): string | null {
  return elements.length < (limit ?? PAGE_SIZE) ? null : (elements.at(-1)?.fullname ?? null);
}

/** The number behind which a link of a page leads on in its list. */
export function afterOf(href: string | null, base: string): string | null {
  const after = URL.parse(href ?? '', base)?.searchParams.get('after') ?? null;
  return after === null || after === '' || after.length > 200 ? null : after;
}
