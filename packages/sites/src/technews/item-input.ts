import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { TECHNEWS_PLACES } from './site.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { NewsItem, newsIdOf } from './item-record.ts';

export const NewsItemInput = z.object({
  id: z.string().min(1).max(50).optional().describe('The number of a story, comment, job or poll'),
  url: z.url().max(2000).optional().describe('Its page'),
  depth: wholeNumber(0, 100).default(100).describe('Answers to answers, this deep; 0 gives no comments'),
  comment_limit: wholeNumber(1, 2000).default(200).describe('Comments at most'),
});

export type NewsItemInput = z.output<typeof NewsItemInput>;

const NewsComment = NewsItem.extend({ depth: z.int().min(1).describe('1 answers the item itself') });

export type NewsComment = z.output<typeof NewsComment>;

export const ItemAnswer = z.object({
  item: NewsItem,
  comments: z
    .array(NewsComment)
    .readonly()
    .nullable()
    .describe('In the order of the page, answers after what they answer'),
  comments_truncated: z.boolean().nullable(),
});

/** The number of the wanted item. Throws `not_found`, and `invalid_request` for another address. */
export function wantedItem({ id, url }: NewsItemInput, site: SiteView): string {
  if (id !== undefined) return newsIdOf(id) ?? refuseReference('id', 'is no item of this forum');
  const place = site.locate(url ?? '');
  const query = place?.origin === 'web' && place.path.startsWith('/item?') ? place.path.slice('/item?'.length) : '';
  const number = newsIdOf(new URLSearchParams(query).get('id'));
  return number ?? refusePlace({ parameter: 'url', place, kinds: TECHNEWS_PLACES, wanted: 'an item' });
}
