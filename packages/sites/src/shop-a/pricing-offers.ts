import { pageOf, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { moment } from '#extract/values/raw.ts';
import { productOf } from './asin.ts';
import { readPrice } from './fields.ts';
import { offersCountOf, offerSignsOf, offersOf } from './offers.ts';
import { Pricing } from './pricing-record.ts';
import type { Offer, PricingInput } from './pricing-record.ts';
import type { Domain } from './site.ts';

/** Offers on one page of the fragment. */
const ON_A_PAGE = 10;

type PricingAnswer = { readonly pricing: Pricing };

/** Which page of the fragment a token stands for, and how many of its offers were given. */
function placeIn(token: string | null) {
  const [, number = '1', given = '0'] = /^(\d{1,4})x(\d{1,4})$/.exec(token ?? '') ?? [];
  return { number: Number(number), given: Number(given) };
}

/** The fragment that the page of a product opens for its other offers. */
export function askForOffers(asin: string, domain: Domain, token: string | null): SiteRequest {
  return {
    origin: `web.${domain}`,
    path: '/gp/product/ajax/aodAjaxMain/',
    query: { asin, pc: 'dp', pageno: token === null ? null : placeIn(token).number },
    headers: { 'x-requested-with': 'XMLHttpRequest' },
  };
}

/** Reads a page of the fragment, the first with what the page of the product told. */
export function readOffers(
  source: SourcePage,
  input: PricingInput,
  site: SiteView,
): SiteRecord<PricingAnswer> | SiteAnswer {
  const { asin, domain } = productOf(input, site);
  const page = parsePage(source.body, source.url);
  const { isList, shown } = offerSignsOf(page);
  const all = offersOf(page, domain);
  const count = offersCountOf(page, domain);
  if (!isList || (all.length === 0 && (shown > 1 || (count ?? 0) > 0))) return unusable('a list of offers');
  const { condition } = input;
  const { number, given } = placeIn(site.cursor);
  const until = given + (site.limit ?? ON_A_PAGE);
  const wanted = all.filter((offer) => condition === 'any' || offer.condition === condition);
  const known = Pricing.safeParse(source.carry).data ?? {
    asin,
    url: `${new URL(source.url).origin}/dp/${asin}`,
    title: lineAt(page, '#aod-asin-title-text'),
    currency: readPrice(lineAt(page, '#aod-offer .a-price .a-offscreen'), { domain, stated: null }).currency,
    buy_box: null,
    checked_at: moment(source.headers['date'] ?? null),
  };
  // The cheapest stand on the first page.
  const sold = number > 1 || given > 0 ? [] : [...all, ...(known.buy_box === null ? [] : [known.buy_box])];
  const pricing: Pricing = {
    ...known,
    offers: wanted.slice(given, until),
    offers_count: count,
    lowest_new: lowestOf(sold, 'new'),
    lowest_used: lowestOf(sold, 'used'),
  };
  const isLast = all.length === 0 || (all.length < ON_A_PAGE && (count === null || number * ON_A_PAGE >= count));
  const next = until < wanted.length ? `${number}x${until}` : isLast ? null : `${number + 1}x0`;
  const answer = pageOf({ pricing }, next);
  return condition === 'any' ? answer : partly(answer, 'condition: applied to the offers of each page');
}

function lowestOf(offers: readonly Offer[], state: 'new' | 'used'): number | null {
  const prices = offers.flatMap(({ condition, price }) => (condition === state && price !== null ? [price] : []));
  return prices.length === 0 ? null : Math.min(...prices);
}
