import { at, boolean, line, list, natural } from '#extract/values/raw.ts';
import type { SingleAd } from './ad-record.ts';
import { wordOf } from './listing.ts';

type Transparency = NonNullable<SingleAd['transparency']>;
const MOST_ROWS = 1_000;

/** What the law wants told, of the details that the page of an advertisement loads; null where they tell nothing. */
export function transparencyOf(details: unknown): SingleAd['transparency'] {
  const places = at(details, 'transparency_by_location');
  const [paid] = list(at(details, 'aaa_info', 'payer_beneficiary_data'));
  const told: Transparency = {
    eu: reachOf(at(places, 'eu_transparency'), 'eu_total_reach'),
    uk: reachOf(at(places, 'uk_transparency'), 'total_reach'),
    payer: line(at(paid, 'payer')),
    beneficiary: line(at(paid, 'beneficiary')),
  };
  return Object.values(told).every((one) => one === null) ? null : told;
}

function reachOf(raw: unknown, total: string): Transparency['eu'] {
  if (typeof raw !== 'object' || raw === null) return null;
  const locations = at(raw, 'location_audience');
  const breakdown = at(raw, 'age_country_gender_reach_breakdown');
  return {
    total_reach: natural(at(raw, total) ?? at(raw, 'total_reach')),
    age_min: natural(at(raw, 'age_audience', 'min')),
    age_max: natural(at(raw, 'age_audience', 'max')),
    gender: wordOf(at(raw, 'gender_audience')),
    locations: Array.isArray(locations)
      ? locations.slice(0, MOST_ROWS).flatMap((one) => {
          const name = line(at(one, 'name'));
          return name === null ? [] : [{ name, type: wordOf(at(one, 'type')), excluded: boolean(at(one, 'excluded')) }];
        })
      : null,
    breakdown: Array.isArray(breakdown) ? breakdown.flatMap(rowsOf).slice(0, MOST_ROWS) : null,
  };
}

function rowsOf(raw: unknown) {
  const country = line(at(raw, 'country'));
  return list(at(raw, 'age_gender_breakdowns')).map((one) => ({
    country,
    age_range: line(at(one, 'age_range')),
    male: natural(at(one, 'male')),
    female: natural(at(one, 'female')),
    unknown: natural(at(one, 'unknown')),
  }));
}
