import { z } from 'zod';
import { canonicalOf, things } from '#extract/dom/described.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { at, countOf, line, mediaUrl, moment, statedAmount, text, url } from '#extract/values/raw.ts';
import { notFound, partly, unusable } from '#sites/framework/answers.ts';
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
      ? unusable('the requested app')
      : partly({ app }, 'size, languages, version and release notes, which only the documented lookup has');
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
    if (shown === null) return unusable('the requested app');
    const { app, isWhole } = shown;
    return isWhole ? { app } : partly({ app }, 'the page had only its structured data');
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
  if (results === null) return unusable('an answer of the lookup');
  if (results.length === 0) return notFound(`there is no such app in the store of ${input.country.toUpperCase()}`);
  const { id } = readApp(input, site);
  const app = results.map((one) => parseItunesApp(one)).find((one) => one?.id === id);
  return app === undefined || app === null ? unusable('the requested app') : { app };
}

/** Parses the structured data of a page in Apple's store. Null if it is not the page of the app. */
function parseApplePage(page: ParsedPage, id: string): App | null {
  const own = things(page, 'SoftwareApplication', 'MobileApplication')[0]?.members;
  const title = line(own?.['name']);
  const canonical = URL.parse(canonicalOf(page) ?? '', APPLE_HOME);
  if (own === undefined || title === null || canonical === null || !canonical.pathname.endsWith(`/id${id}`))
    return null;
  const offer = at(own, 'offers', 0) ?? at(own, 'offers');
  const price = statedAmount(at(offer, 'price'));
  return {
    ...buildEmptyApp({ id, store: 'apple', url: `${APPLE_HOME}${canonical.pathname}`, title }),
    developer: {
      id: /\/id(\d+)/.exec(line(at(own, 'author', 'url')) ?? '')?.[1] ?? null,
      name: line(at(own, 'author', 'name')),
      url: url(at(own, 'author', 'url'), APPLE_HOME),
      website_url: null,
    },
    icon_url: mediaUrl(toList(own['image'])[0], APPLE_HOME),
    screenshots: parseScreenshots(own['screenshot']),
    price,
    currency: line(at(offer, 'priceCurrency')),
    is_free: price === null ? null : price === 0,
    rating: parseStars(at(own, 'aggregateRating', 'ratingValue')),
    rating_count:
      countOf(at(own, 'aggregateRating', 'reviewCount') ?? at(own, 'aggregateRating', 'ratingCount'), null)?.value ??
      null,
    category: line(own['applicationCategory']),
    description_text: text(own['description']),
    minimum_os: line(own['operatingSystem']),
    released_at: moment(own['datePublished']),
  };
}

function parseScreenshots(raw: unknown): readonly string[] | null {
  const pictures = toList(raw).flatMap((one) => mediaUrl(at(one, 'url') ?? one, APPLE_HOME) ?? []);
  return pictures.length === 0 ? null : pictures;
}
