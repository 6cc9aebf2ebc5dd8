import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { first } from '#extract/values/first.ts';
import { asinIn } from './asin.ts';
import { attributeById, saysWhyNoPrice } from './fields.ts';
import type { PriceOf } from './fields.ts';
import { variantsOf } from './media.ts';
import type { Variants } from './media.ts';
import type { Domain } from './site.ts';
import type { Availability, Stock } from './stock.ts';

/** The product that a page shows. */
export type PageProduct = { readonly asin: string; readonly title: string; readonly forms: Variants };

/** The product of a page, where it is the one asked for or one of its forms. */
export function shownProductOf(page: ParsedPage, wanted: string): PageProduct | SiteAnswer {
  const canonical = asinIn(canonicalOf(page) ?? '');
  const asin =
    attributeById(page, 'ASIN', 'value') ?? attributeById(page, 'averageCustomerReviews', 'data-asin') ?? canonical;
  const title = first(
    () => lineAt(page, '#productTitle'),
    () => lineAt(page, '#title'),
    () => lineAt(page, '#ebooksProductTitle'),
  );
  if (asinIn(page.url) === null) return notFound('the site leads away from the product');
  if (asin === null || title === null) return unusable('no product in the page');
  const forms = variantsOf(page);
  // A parent code shows one of its forms, and a page may name another code as its own address.
  if ([asin, forms.parent, canonical].includes(wanted)) return { asin, title, forms };
  return asinIn(page.url) === asin
    ? notFound(`the site leads to another product: ${asin}`)
    : unusable(`another product: ${asin}`);
}

/** Where a price is often left out. */
const UNSOLD: ReadonlySet<Availability> = new Set(['out_of_stock', 'unavailable', 'preorder']);

/** Whether a page shows a price, or says why it shows none; without that a price was overlooked. */
export function isPriceTold(page: ParsedPage, domain: Domain, { price, availability }: PriceOf & Stock): boolean {
  if (price !== null || (availability !== null && UNSOLD.has(availability))) return true;
  return saysWhyNoPrice(page, domain);
}
