import { z } from 'zod';
import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { openGraph } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { merged } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, line } from '#extract/values/raw.ts';
import { refuseAddress } from './address-kinds.ts';
import { toItem } from './marketplace-item-record.ts';
import { absent } from './site.ts';

export const ListingInput = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the listing; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the listing'),
});

const PATH = /^\/marketplace\/(?:[^/]+\/)?item\/(\d{5,20})\/?$/;

/** The number of the listing that is asked for. Throws `not_found`, and `invalid_request` for another address. */
export function itemIdOf({ id, url }: z.output<typeof ListingInput>, site: SiteView): string {
  if (id !== undefined)
    return /^\d{5,20}$/.test(id.trim()) ? id.trim() : refuseReference('id', 'is no number of a listing');
  const path = site.locate(url ?? '')?.path ?? '';
  return PATH.exec(path.replace(/[?#].*$/s, ''))?.[1] ?? refuseAddress(path, 'a listing');
}

/** The page tells its listing in several fragments under this name; others of the same type are suggestions. */
const DETAILS = 'marketplace_product_details_page';

/** Reads the listing that was asked for. */
export function readItem(page: SourcePage, wanted: string) {
  const parsed = parsePage(page.body, page.url);
  const pages = objectsWith(parsed, DETAILS).map((one) => one[DETAILS]);
  const own = pages.filter((one) => line(at(one, 'target', 'id')) === wanted);
  if (own.length === 0) return shared(parsed, wanted) ?? missing(page, wanted, pages);
  const targets = own.map((one) => at(one, 'target')).filter(isJsonObject);
  const renderable = own.map((one) => at(one, 'marketplace_listing_renderable_target')).find(isJsonObject);
  const read = toItem(wanted, merged(targets), renderable);
  return read === null ? absent(page, 'the title of the listing') : { item: read };
}

/** What the page tells those who share it, where that is all that it has. */
function shared(page: ParsedPage, wanted: string) {
  const address = URL.parse(openGraph(page, 'og:url') ?? '', page.url);
  if (PATH.exec(address?.pathname ?? '')?.[1] !== wanted) return null;
  const read = toItem(
    wanted,
    {
      marketplace_listing_title: openGraph(page, 'og:title'),
      redacted_description: { text: openGraph(page, 'og:description') },
      primary_listing_photo: { listing_image: { uri: openGraph(page, 'og:image') } },
    },
    null,
  );
  return read === null ? null : partly({ item: read }, 'the page gave only what it tells those who share it');
}

/** A listing that is gone leads to the marketplace itself, or is null in the data of its page. */
function missing(page: SourcePage, wanted: string, pages: readonly unknown[]) {
  const { pathname } = new URL(page.url);
  const shown = PATH.exec(pathname)?.[1];
  if (shown !== undefined ? shown !== wanted : pathname.startsWith('/marketplace'))
    return notFound('the site leads elsewhere instead');
  if (pages.some((one) => at(one, 'target') !== undefined)) return unusable(`another listing than ${wanted}`);
  return pages.length > 0
    ? notFound('there is no such listing, or it is not public')
    : absent(page, `no listing ${wanted} in the page`);
}
