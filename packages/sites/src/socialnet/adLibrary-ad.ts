import { z } from 'zod';
import { notFound, partly } from '#sites/framework/answers.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at } from '#extract/values/raw.ts';
import { refuseAddress } from './address-kinds.ts';
import { AD_DETAILS, toldBy } from './ad-library.ts';
import { SingleAd } from './ad-record.ts';
import { transparencyOf } from './ad-transparency.ts';
import { toAd } from './ad.ts';
import { absent, socialnet } from './site.ts';

const input = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the ad in the library; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the ad in the library'),
});

function adIdOf({ id, url }: z.output<typeof input>, site: Pick<SiteView, 'locate'>): string {
  if (id !== undefined) return isId(id.trim()) ? id.trim() : refuseReference('id', 'is no number of an ad');
  const place = URL.parse(site.locate(url ?? '')?.path ?? '', 'http://site');
  const found = place?.pathname.startsWith('/ads/library') === true ? place.searchParams.get('id') : null;
  return isId(found) ? found : refuseAddress(site.locate(url ?? '')?.path ?? '', 'an ad of the library');
}

function isId(text: string | null): text is string {
  return /^\d{5,25}$/.test(text ?? '');
}

/** What the page says in the place of an ad that is not there. */
const GONE = /no longer available|isn['’]t available|couldn['’]t find|no ads match/i;

/** An advertisement by its number in the library. */
export const ad = socialnet({
  path: '/adLibrary/ad',
  summary: 'A single ad of the ad library by its archive id, in a browser session',
  input,
  anyOf: ['id', 'url'],
  record: z.object({ ad: SingleAd }),
  aliases: { id: ['ad_archive_id', 'archive_id'] },
  expected: ['ad.page.id', 'ad.page.name', 'ad.start_date', 'ad.text', 'ad.display_format'],
  canary: { id: '1162213025296847' },
  needs: 'browser',
  captures: [AD_DETAILS],
  request: (asked, site) => ({ origin: 'web', path: '/ads/library/', query: { id: adIdOf(asked, site) } }),
  parse(page, asked, site) {
    const wanted = adIdOf(asked, site);
    const parsed = parsePage(page.body, page.url);
    const held = [
      ...objectsWith(parsed, 'ad_archive_id', 'snapshot'),
      ...objectsWith(parsed, 'adArchiveID', 'snapshot'),
    ];
    const found = held.flatMap((one) => toAd(one) ?? []).find((one) => one.id === wanted);
    if (found === undefined) {
      const said = lineAt(parsed, '[role=main]') ?? lineAt(parsed, 'body') ?? '';
      return held.length === 0 && GONE.test(said) ? notFound('the library no longer shows it') : absent(page, 'the ad');
    }
    const details = toldBy(page, parsed, { rule: AD_DETAILS.name, members: ['ad_details'] }).map(
      (one) => one['ad_details'],
    );
    const told = details.map(transparencyOf).find((one) => one !== null) ?? null;
    const record = { ad: { ...found, transparency: told } };
    const mustTell = held.some((one) => at(one, 'ad_archive_id') === wanted && at(one, 'is_aaa_eligible') === true);
    return mustTell && details.length === 0
      ? partly(record, 'the page did not load what the law wants told of the ad')
      : record;
  },
});
