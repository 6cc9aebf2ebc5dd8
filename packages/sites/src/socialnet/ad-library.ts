import { z } from 'zod';
import type { SourcePage } from '#sites/framework/request.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith, parseEmbedded } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** Where all documents of the site's own interface are asked for. */
const INTERFACE = '/api/graphql/';

/** What the page of one advertisement loads when its details are shown. */
export const AD_DETAILS = { name: 'details', path: INTERFACE, operation: /^AdLibraryV3AdDetailsQuery$/, most: 3 };

/** What the page of a search loads as it is scrolled; the first time, too, where it came without. */
export const MORE_ADS = {
  name: 'ads',
  path: INTERFACE,
  operation: /^AdLibrary\w*(?:Search|Pagination)\w*Query$/,
  most: 40,
};

/** The objects with these members of the page itself and of what it loaded under a name, in this order. */
export function toldBy(
  { captures }: SourcePage,
  parsed: ParsedPage,
  { rule, members }: { readonly rule: string; readonly members: readonly [string, ...string[]] },
): readonly JsonObject[] {
  const loaded = captures.filter(({ name }) => name === rule).map(({ text }) => parseEmbedded(text));
  return [...objectsWith(parsed, ...members), ...loaded.flatMap((one) => findWith(one, ...members))];
}

const Day = z.iso.date().optional();

export const AdFilters = {
  country: z
    .string()
    .regex(/^(?:[A-Za-z]{2}|ALL)$/, 'must be two letters (ISO 3166-1), such as de, or ALL')
    .default('US')
    .describe('ISO 3166-1 code of the country where it is shown, or ALL'),
  ad_type: z.enum(['all', 'political_and_issue_ads']).default('all').describe('Only ads of this kind'),
  media_type: z.enum(['all', 'image', 'video', 'meme', 'none']).default('all').describe('Only ads that show this'),
  platforms: z
    .array(z.enum(['facebook', 'instagram', 'messenger', 'audience_network', 'whatsapp', 'threads']))
    .max(6)
    .default([])
    .describe('Only ads shown on one of these'),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}$/, 'must be a code of two or three letters (ISO 639), such as de'))
    .max(20)
    .default([])
    .describe('ISO 639 codes of the language of the text'),
  start_date_min: Day.describe('First shown on this day or later'),
  start_date_max: Day.describe('First shown on this day or earlier'),
  sort: z
    .enum(['total_impressions', 'relevancy_monthly_grouped'])
    .default('total_impressions')
    .describe('The order of the ads'),
} as const;

const Filters = z.object(AdFilters);

/** The filters as the query of a search says them. */
export function filterQuery(filters: z.output<typeof Filters>) {
  const { country, ad_type: adType, media_type: mediaType, sort, platforms, languages } = filters;
  return {
    ad_type: adType,
    country: country.toUpperCase(),
    is_targeted_country: false,
    media_type: mediaType,
    ...numbered('publisher_platforms', platforms),
    ...numbered('content_languages', languages),
    'start_date[min]': filters.start_date_min,
    'start_date[max]': filters.start_date_max,
    'sort_data[mode]': sort,
    'sort_data[direction]': 'desc',
  };
}

function numbered(name: string, values: readonly string[]) {
  return Object.fromEntries(values.map((value, at) => [`${name}[${at}]`, value]));
}
