import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { LAUNCHES_PLACES } from './site.ts';

export const LaunchedInput = z.object({
  slug: z.string().min(1).max(200).optional().describe('The last part of its address'),
  id: z.string().min(1).max(200).optional().describe('The number of one of its launches; wins over slug and url'),
  url: z.url().max(2000).optional().describe('Its page, or that of one of its launches'),
});

export type LaunchedInput = z.output<typeof LaunchedInput>;

/** What is asked for: a product, or one of its launches, by slug or number. */
export type LaunchTarget = { readonly kind: 'products' | 'posts'; readonly key: string };

const SLUG = /^[a-z0-9][a-z0-9._-]{0,199}$/i;
const IN_PATH = /^\/(?:(products|posts)\/([^/?#]+)|r\/p\/(\d{1,12}))(?:[/?#]|$)/;

/** The product or launch that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function targetOf({ slug, id, url }: LaunchedInput, site: Pick<SiteView, 'locate'>): LaunchTarget {
  if (id !== undefined)
    return /^\d{1,12}$/.test(id) ? { kind: 'posts', key: id } : refuseReference('id', 'is not a number');
  const given = slug?.trim() ?? '';
  if (SLUG.test(given)) return { kind: 'products', key: given.toLowerCase() };
  const name = slug === undefined ? 'url' : 'slug';
  const place = site.locate(slug ?? url ?? '');
  const [, kind, key, number] = IN_PATH.exec(place?.path ?? '') ?? [];
  if (number !== undefined) return { kind: 'posts', key: number };
  if (key === undefined && place !== null)
    return refusePlace({ parameter: name, place, kinds: LAUNCHES_PLACES, wanted: 'a product' });
  if (key === undefined || !SLUG.test(key)) return refuseReference(name, 'names no product of this site');
  return { kind: kind === 'posts' ? 'posts' : 'products', key: key.toLowerCase() };
}
