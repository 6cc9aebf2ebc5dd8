import { z } from 'zod';
import { findCanonicalUrl, listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import {
  getPath,
  toCount,
  toLine,
  toMediaUrl,
  toTimestamp,
  parseAmount,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parsePlayPage, parseStars } from './play.ts';
import {
  App,
  AppInput,
  buildEmptyApp,
  buildItunesRequest,
  isFromStore,
  LOCALE_ALIASES,
  parseItunesApp,
  parseItunesResults,
  readApp,
} from './shared.ts';
import { APPLE_HOME, appstore } from './site.ts';

const AppAnswer = z.object({ app: App });

type AppSource = EndpointSource<typeof AppInput, typeof AppAnswer>;

const lookupSource: AppSource = {
  name: 'lookup',
  when: isFromStore('apple'),
  request: (input, site) => buildItunesRequest('/lookup', { id: readApp(input, site).id, entity: 'software' }, input),
  parse: parseLookupAnswer,
};

const appleSource: AppSource = {
  name: 'apple',
  when: isFromStore('apple'),
  request: (input, site) => ({
    origin: 'apple',
    path: `/${input.country.toLowerCase()}/app/id${readApp(input, site).id}`,
    language: input.language,
  }),
  parse(source, input, site) {
    const app = parseApplePage(parsePage(source.body, source.url), readApp(input, site).id);
    return app === null
      ? unusable('the requested app is missing')
      : markPartial({ app }, 'size, languages, version and release notes, which only the documented lookup has');
  },
};

const playSource: AppSource = {
  name: 'play',
  when: isFromStore('play'),
  request: (input, site) => ({
    origin: 'play',
    path: '/store/apps/details',
    query: { id: readApp(input, site).id, hl: input.language, gl: input.country.toUpperCase() },
    language: input.language,
  }),
  parse(source, input, site) {
    const shown = parsePlayPage(parsePage(source.body, source.url), readApp(input, site).id);
    if (shown === null) return unusable('the requested app is missing');
    const { app, isWhole } = shown;
    return isWhole ? { app } : markPartial({ app }, 'the page had only its structured data');
  },
};

export const appstoreApp = appstore({
  path: '/app',
  summary: 'An app of either store by id or url',
  input: AppInput,
  anyOf: ['id', 'url'],
  aliases: LOCALE_ALIASES,
  record: AppAnswer,
  sources: [lookupSource, appleSource, playSource],
  expected: ['app.developer', 'app.icon_url', 'app.description_text', 'app.updated_at', 'app.category'],
  canary: { id: '284882215' },
});

function parseLookupAnswer({ body }: SourcePage, input: AppInput, site: SiteContext): ReturnType<AppSource['parse']> {
  const results = parseItunesResults(body);
  if (results === null) return unusable('no answer of the lookup');
  if (results.length === 0) return notFound(`there is no such app in the store of ${input.country.toUpperCase()}`);
  const { id } = readApp(input, site);
  const app = results.map((one) => parseItunesApp(one)).find((one) => one?.id === id);
  return app === undefined || app === null ? unusable('the requested app is missing') : { app };
}

/** Parses the structured data of a page in Apple's store. Null if it is not the page of the app. */
function parseApplePage(page: ParsedPage, id: string): App | null {
  const own = listEntities(page, 'SoftwareApplication', 'MobileApplication')[0]?.members;
  const title = toLine(own?.['name']);
  const canonical = URL.parse(findCanonicalUrl(page) ?? '', APPLE_HOME);
  if (own === undefined || title === null || canonical === null || !canonical.pathname.endsWith(`/id${id}`))
    return null;
  const offer = getPath(own, 'offers', 0) ?? getPath(own, 'offers');
  const price = parseAmount(getPath(offer, 'price'));
  return {
    ...buildEmptyApp({ id, store: 'apple', url: `${APPLE_HOME}${canonical.pathname}`, title }),
    developer: {
      id: /\/id(\d+)/.exec(toLine(getPath(own, 'author', 'url')) ?? '')?.[1] ?? null,
      name: toLine(getPath(own, 'author', 'name')),
      url: toCleanUrl(getPath(own, 'author', 'url'), APPLE_HOME),
      website_url: null,
    },
    icon_url: toMediaUrl(toList(own['image'])[0], APPLE_HOME),
    screenshots: parseScreenshots(own['screenshot']),
    price,
    currency: toLine(getPath(offer, 'priceCurrency')),
    is_free: price === null ? null : price === 0,
    rating: parseStars(getPath(own, 'aggregateRating', 'ratingValue')),
    rating_count:
      toCount(getPath(own, 'aggregateRating', 'reviewCount') ?? getPath(own, 'aggregateRating', 'ratingCount'), null)
        ?.value ?? null,
    category: toLine(own['applicationCategory']),
    description_text: toText(own['description']),
    minimum_os: toLine(own['operatingSystem']),
    released_at: toTimestamp(own['datePublished']),
  };
}

function parseScreenshots(raw: unknown): readonly string[] | null {
  const pictures = toList(raw).flatMap((one) => toMediaUrl(getPath(one, 'url') ?? one, APPLE_HOME) ?? []);
  return pictures.length === 0 ? null : pictures;
}
