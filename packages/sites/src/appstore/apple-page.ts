import { canonicalOf, things } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { statedAmount, at, countOf, line, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { bareApp } from './app-record.ts';
import type { App } from './app-record.ts';
import { appStars } from './play-app.ts';
import { APPLE_HOME } from './site.ts';

/** The app as its page in Apple's store describes it for search engines; null where that is none, or another. */
export function readApplePage(page: ParsedPage, id: string): App | null {
  const own = things(page, 'SoftwareApplication', 'MobileApplication')[0]?.members;
  const title = line(own?.['name']);
  const canonical = URL.parse(canonicalOf(page) ?? '', APPLE_HOME);
  if (own === undefined || title === null || canonical === null || !canonical.pathname.endsWith(`/id${id}`))
    return null;
  const offer = at(own, 'offers', 0) ?? at(own, 'offers');
  const price = statedAmount(at(offer, 'price'));
  return {
    ...bareApp({ id, store: 'apple', url: `${APPLE_HOME}${canonical.pathname}`, title }),
    developer: {
      id: /\/id(\d+)/.exec(line(at(own, 'author', 'url')) ?? '')?.[1] ?? null,
      name: line(at(own, 'author', 'name')),
      url: url(at(own, 'author', 'url'), APPLE_HOME),
      website_url: null,
    },
    icon_url: mediaUrl(toList(own['image'])[0], APPLE_HOME),
    screenshots: screenshotsOf(own['screenshot']),
    price,
    currency: line(at(offer, 'priceCurrency')),
    is_free: price === null ? null : price === 0,
    rating: appStars(at(own, 'aggregateRating', 'ratingValue')),
    rating_count:
      countOf(at(own, 'aggregateRating', 'reviewCount') ?? at(own, 'aggregateRating', 'ratingCount'), null)?.value ??
      null,
    category: line(own['applicationCategory']),
    description_text: text(own['description']),
    minimum_os: line(own['operatingSystem']),
    released_at: moment(own['datePublished']),
  };
}

function screenshotsOf(raw: unknown): readonly string[] | null {
  const pictures = toList(raw).flatMap((one) => mediaUrl(at(one, 'url') ?? one, APPLE_HOME) ?? []);
  return pictures.length === 0 ? null : pictures;
}
