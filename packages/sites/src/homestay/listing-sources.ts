import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { things } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { at, decimal, line, mediaUrl, natural, text } from '#extract/values/raw.ts';
import { describeStayPage } from './page-kinds.ts';
import { loads, loadedBy, readLocale, pageOfStay, statesOf, stayIdIn } from './page-state.ts';
import { readStay } from './read-stay.ts';
import { STAY_HOME } from './site.ts';
import { hasDays, requestStay, stayIdOf } from './stay-input.ts';
import type { StayInput } from './stay-input.ts';
import type { HomeStay, StayAnswer } from './stay-record.ts';

type StaySource = EndpointSource<typeof StayInput, typeof StayAnswer>;

/** The page in a browser, which asks for the price by itself. */
export const drawnStay: StaySource = {
  name: 'browser',
  needs: 'browser',
  captures: [loads('StaysPdpSections')],
  when: (_site, input) => hasDays(input),
  request: requestStay,
  parse: (page, input, site) => readStayPage(page, input, site),
};

/** The page as it comes. */
export const plainStay: StaySource = {
  name: 'page',
  request: requestStay,
  parse: (page, input, site) => readStayPage(page, input, site),
};

function readStayPage(source: SourcePage, input: StayInput, site: SiteView) {
  const id = stayIdOf(input, site);
  const { pathname } = new URL(source.url);
  // What is gone leads to a search of its place.
  if (/^\/(?:s\/.*|)$/.test(pathname)) return notFound('it is no longer let');
  const page = pageOfStay(source);
  const all = [...loadedBy(source), ...statesOf(page, 'StaysPdpSections')];
  const listing = readStay(all, { id, input, locale: readLocale(page, input.locale) });
  if (listing !== null)
    return hasDays(input) && listing.price === null
      ? partly({ listing }, 'the page does not tell the price of the stay')
      : { listing };
  const described = describedIn(page, id);
  const kind = describeStayPage(pathname);
  if (described === null) return unusable(`the home asked for${kind === 'a home' ? '' : `: the page is ${kind}`}`);
  return partly({ listing: described }, 'only what the page describes for search engines is there');
}

function describedIn(page: ParsedPage, id: string): HomeStay | null {
  for (const { members } of things(page, 'VacationRental', 'Product', 'LodgingBusiness')) {
    const named = [at(members, 'identifier'), at(members, 'url'), at(members, '@id')].map(line);
    const title = line(at(members, 'name'));
    if (title === null || !named.some((one) => stayIdIn(one) === id || /\/rooms\/(\d+)/.exec(one ?? '')?.[1] === id))
      continue;
    const rating = at(members, 'aggregateRating');
    const stars = decimal(at(rating, 'ratingValue'));
    return {
      ...NOTHING,
      id,
      url: `${STAY_HOME}/rooms/${id}`,
      title,
      description_text: text(at(members, 'description')),
      person_capacity: natural(at(members, 'containsPlace', 'occupancy', 'value')),
      images: toList(at(members, 'image')).flatMap((one) => mediaUrl(one, page.url) ?? []),
      latitude: decimal(at(members, 'latitude') ?? at(members, 'geo', 'latitude')),
      longitude: decimal(at(members, 'longitude') ?? at(members, 'geo', 'longitude')),
      location_text: line(at(members, 'address', 'addressLocality')),
      rating: stars === null || stars <= 0 || stars > 5 ? null : stars,
      review_count: natural(at(rating, 'ratingCount') ?? at(rating, 'reviewCount')),
    };
  }
  return null;
}

const NOTHING = {
  description_html: null,
  room_type: null,
  property_type: null,
  bedrooms: null,
  beds: null,
  bathrooms: null,
  overview: [],
  amenities: null,
  host: null,
  ratings: { cleanliness: null, accuracy: null, check_in: null, communication: null, location: null, value: null },
  house_rules: null,
  price: null,
} as const;
