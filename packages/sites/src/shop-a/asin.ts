import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { DOMAINS, type Domain } from './site.ts';

/** The parameters that name a product in every endpoint of this site. */
export const ProductInput = z.object({
  asin: z.string().min(1).optional().describe('Product code of ten characters; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the product'),
  domain: z.enum(DOMAINS).optional().describe('Marketplace; that of url, else com'),
  language: z
    .string()
    .regex(/^[a-z]{2}(?:-[A-Z]{2})?$/, 'must be a language such as en or pt-BR')
    .optional()
    .describe('Language of the page, as the marketplace offers it'),
});

export type ProductInput = z.output<typeof ProductInput>;

/** What else than a product the paths of the site lead to. */
const PLACES: PlaceKinds = [
  [/^\/s(?:[/?]|$)/, 'a search'],
  [/^\/sp(?:[/?]|$)/, 'a seller'],
  [/^\/stores\//, 'the shop of a brand'],
  [/\/(?:bestsellers|zgbs|gp\/new-releases)(?:[/?]|$)/i, 'a list of products'],
  [/^\/(?:b|gp\/browse\.html|[^/]+\/b)(?:[/?]|$)/, 'a category'],
  [/^\/gp\/(?:profile|aag)\//, 'a person or a seller'],
];

const CODE = /^[A-Z0-9]{10}$/;
const IN_PATH =
  /\/(?:dp|gp\/product|gp\/aw\/d|gp\/offer-listing|exec\/obidos\/asin|product-reviews)\/([A-Z0-9]{10})(?:[/?]|$)/i;

/** The product and the marketplace that are meant. Throws `not_found`, and `invalid_request` for another address. */
export function productOf(input: ProductInput, site: SiteView): { readonly asin: string; readonly domain: Domain } {
  const given = input.asin?.trim().toUpperCase();
  if (given !== undefined && CODE.test(given)) return { asin: given, domain: input.domain ?? 'com' };
  const name = input.asin === undefined ? 'url' : 'asin';
  const place = site.locate(input.asin ?? input.url ?? '');
  if (place === null)
    return refuseReference(
      name,
      name === 'asin' ? 'is no code of ten letters and digits' : 'is no address of this site',
    );
  const asin = asinIn(place.path);
  if (asin === null) return refusePlace({ parameter: name, place, kinds: PLACES, wanted: 'a product' });
  const named = DOMAINS.find((domain) => place.origin === `web.${domain}`);
  return { asin, domain: input.domain ?? named ?? 'com' };
}

/** The product code in an address; null when it names none. */
export function asinIn(address: string): string | null {
  return IN_PATH.exec(address)?.[1]?.toUpperCase() ?? null;
}
