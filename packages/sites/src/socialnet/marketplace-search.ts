import { z } from 'zod';
import { empty, unusable } from '#sites/framework/answers.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { FoundItem, toFound } from './found-item.ts';
import { MarketplaceSearchInput, requestOf } from './marketplace-search-input.ts';
import { heldBy, socialnet, withheld } from './site.ts';

/** Listings of the marketplace: those that the page of a search holds. */
export const marketplaceSearch = socialnet({
  path: '/marketplace/search',
  summary: 'Things for sale on the marketplace, new or used: listings by words, place and filters',
  input: MarketplaceSearchInput,
  record: z.object({ items: z.array(FoundItem).readonly() }),
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'items',
  limit: { default: 24, most: 24 },
  expected: ['items.price', 'items.location_text', 'items.image_url', 'items.seller'],
  canary: { search: 'bicycle', location: 'houston' },
  request: requestOf,
  parse(page, input) {
    const parsed = parsePage(page.body, page.url);
    const asked = objectsWith(parsed, 'bqf').flatMap((one) => line(at(one, 'bqf', 'query')) ?? []);
    const isOther = asked.length > 0 && !asked.some((words) => words.toLowerCase() === input.search.toLowerCase());
    if (isOther) return unusable(`the results of another search: ${asked[0]?.slice(0, 100)}`);
    const feeds = objectsWith(parsed, 'marketplace_search').map((one) => at(one, 'marketplace_search', 'feed_units'));
    const edges = feeds.flatMap((feed) => list(at(feed, 'edges')));
    const hasMore = feeds.some((feed) => at(feed, 'page_info', 'has_next_page') === true);
    const items = new Map(edges.flatMap((edge) => toFound(at(edge, 'node', 'listing')) ?? []));
    if (items.size === 0) {
      const isNothing = edges.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(at(feed, 'edges')));
      // Without the frame of a search the site has only held its results back.
      return isNothing && FRAME.test(page.body) ? empty() : withheld(page, 'the listings of a search');
    }
    return heldBy({ items: [...items.values()] }, hasMore);
  },
});

/** Parts that draw the page of a search, whatever it found. */
const FRAME = /CometMarketplaceSearchContentContainer|MarketplaceFilterField|marketplace_seo_page/;
