import { z } from 'zod';
import { notFound, partly } from '#sites/framework/answers.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, boolean, line, list, natural } from '#extract/values/raw.ts';
import { AD_DETAILS, findAdData, parseAd, SingleAd } from './ad-library.ts';
import { refuseAddress } from './addresses.ts';
import { parseConstant } from './shared.ts';
import { answerAbsent, socialnet } from './site.ts';

const AdInput = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the ad in the library; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the ad in the library'),
});

/** An ad by its id in the library. */
export const ad = socialnet({
  path: '/adLibrary/ad',
  summary: 'A single ad of the ad library by its archive id, in a browser session',
  input: AdInput,
  anyOf: ['id', 'url'],
  record: z.object({ ad: SingleAd }),
  aliases: { id: ['ad_archive_id', 'archive_id'] },
  expected: ['ad.page.id', 'ad.page.name', 'ad.start_date', 'ad.text', 'ad.display_format'],
  canary: { id: '1162213025296847' },
  needs: 'browser',
  captures: [AD_DETAILS],
  request: (input, site) => ({ origin: 'web', path: '/ads/library/', query: { id: readAdId(input, site) } }),
  parse(page, input, site) {
    const wanted = readAdId(input, site);
    const parsed = parsePage(page.body, page.url);
    const held = [
      ...objectsWith(parsed, 'ad_archive_id', 'snapshot'),
      ...objectsWith(parsed, 'adArchiveID', 'snapshot'),
    ];
    const found = held.flatMap((one) => parseAd(one) ?? []).find((one) => one.id === wanted);
    if (found === undefined) {
      const said = lineAt(parsed, '[role=main]') ?? lineAt(parsed, 'body') ?? '';
      return held.length === 0 && GONE_TEXT.test(said)
        ? notFound('the library no longer shows it')
        : answerAbsent(page, 'the ad');
    }
    const details = findAdData(page, parsed, { rule: AD_DETAILS.name, members: ['ad_details'] }).map(
      (one) => one['ad_details'],
    );
    const transparency = details.map(parseTransparency).find((one) => one !== null) ?? null;
    const record = { ad: { ...found, transparency } };
    const mustTell = held.some((one) => at(one, 'ad_archive_id') === wanted && at(one, 'is_aaa_eligible') === true);
    return mustTell && details.length === 0
      ? partly(record, 'the page did not load what the law wants told of the ad')
      : record;
  },
});

function readAdId({ id, url }: z.output<typeof AdInput>, site: Pick<SiteView, 'locate'>): string {
  if (id !== undefined) return isId(id.trim()) ? id.trim() : refuseReference('id', 'is no number of an ad');
  const place = URL.parse(site.locate(url ?? '')?.path ?? '', 'http://site');
  const found = place?.pathname.startsWith('/ads/library') === true ? place.searchParams.get('id') : null;
  return isId(found) ? found : refuseAddress(site.locate(url ?? '')?.path ?? '', 'an ad of the library');
}

function isId(text: string | null): text is string {
  return /^\d{5,25}$/.test(text ?? '');
}

/** The message of the page if the ad does not exist. */
const GONE_TEXT = /no longer available|isn['’]t available|couldn['’]t find|no ads match/i;

type Transparency = NonNullable<SingleAd['transparency']>;

const MAX_ROWS = 1_000;

/** Parses the data that the law requires, from the details of an ad. Null if they contain none. */
function parseTransparency(details: unknown): SingleAd['transparency'] {
  const places = at(details, 'transparency_by_location');
  const [paid] = list(at(details, 'aaa_info', 'payer_beneficiary_data'));
  const transparency: Transparency = {
    eu: parseReach(at(places, 'eu_transparency'), 'eu_total_reach'),
    uk: parseReach(at(places, 'uk_transparency'), 'total_reach'),
    payer: line(at(paid, 'payer')),
    beneficiary: line(at(paid, 'beneficiary')),
  };
  return Object.values(transparency).every((one) => one === null) ? null : transparency;
}

function parseReach(raw: unknown, total: string): Transparency['eu'] {
  if (typeof raw !== 'object' || raw === null) return null;
  const locations = at(raw, 'location_audience');
  const breakdown = at(raw, 'age_country_gender_reach_breakdown');
  return {
    total_reach: natural(at(raw, total) ?? at(raw, 'total_reach')),
    age_min: natural(at(raw, 'age_audience', 'min')),
    age_max: natural(at(raw, 'age_audience', 'max')),
    gender: parseConstant(at(raw, 'gender_audience')),
    locations: Array.isArray(locations)
      ? locations.slice(0, MAX_ROWS).flatMap((one) => {
          const name = line(at(one, 'name'));
          return name === null
            ? []
            : [{ name, type: parseConstant(at(one, 'type')), excluded: boolean(at(one, 'excluded')) }];
        })
      : null,
    breakdown: Array.isArray(breakdown) ? breakdown.flatMap(parseReachRows).slice(0, MAX_ROWS) : null,
  };
}

function parseReachRows(raw: unknown) {
  const country = line(at(raw, 'country'));
  return list(at(raw, 'age_gender_breakdowns')).map((one) => ({
    country,
    age_range: line(at(one, 'age_range')),
    male: natural(at(one, 'male')),
    female: natural(at(one, 'female')),
    unknown: natural(at(one, 'unknown')),
  }));
}
