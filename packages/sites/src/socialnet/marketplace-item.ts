import { z } from 'zod';
import { ListingInput, itemIdOf, readItem } from './marketplace-item-page.ts';
import { Listing } from './marketplace-item-record.ts';
import { socialnet } from './site.ts';

/** One listing of the marketplace. */
export const item = socialnet({
  path: '/marketplace/item',
  summary: 'A marketplace listing by id or url',
  input: ListingInput,
  anyOf: ['id', 'url'],
  record: z.object({ item: Listing }),
  expected: [
    'item.price',
    'item.description',
    'item.location_text',
    'item.created_at',
    'item.images',
    'item.seller.id',
  ],
  canary: { id: '2089540198183457' },
  request: (input, site) => ({ origin: 'web', path: `/marketplace/item/${itemIdOf(input, site)}/` }),
  parse: (page, input, site) => readItem(page, itemIdOf(input, site)),
});
