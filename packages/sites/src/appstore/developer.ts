import { z } from 'zod';
import { findCanonicalUrl } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { getPath, toLine } from '#extract/values/raw.ts';
import { notFound, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseLink } from '#sites/framework/site.ts';
import { parsePlayCards } from './play.ts';
import {
  type AppStore,
  AppSummary,
  buildItunesRequest,
  cleanPageUrl,
  LOCALE_ALIASES,
  LOCALE_INPUT,
  parseItunesApp,
  parseItunesResults,
  type StoreItem,
  STORES,
  summarizeApp,
} from './shared.ts';
import { APPLE_HOME, appstore, PLAY_HOME, PATH_KINDS } from './site.ts';

const DeveloperInput = z.object({
  id: z.string().min(1).max(300).optional().describe('Number of the developer, or the name that some have in play'),
  url: z.url().max(2000).optional().describe('Address of the developer in either store'),
  ...LOCALE_INPUT,
});

type DeveloperInput = z.output<typeof DeveloperInput>;

const DeveloperAnswer = z.object({
  developer: z
    .object({ id: z.string(), store: z.enum(STORES), name: z.string().nullable(), url: z.string() })
    .nullable(),
  apps: z.array(AppSummary).readonly(),
});

type DeveloperSource = EndpointSource<typeof DeveloperInput, typeof DeveloperAnswer>;

const lookupSource: DeveloperSource = {
  name: 'lookup',
  when: isFromStore('apple'),
  request: (input, site) =>
    buildItunesRequest('/lookup', { id: readDeveloper(input, site).id, entity: 'software', limit: 200 }, input),
  parse: parseLookupAnswer,
};

const playSource: DeveloperSource = {
  name: 'play',
  lacks: 'the page has only the first apps; the store loads the others on scrolling',
  when: isFromStore('play'),
  request(input, site) {
    const { id } = readDeveloper(input, site);
    const query = { id, hl: input.language, gl: input.country.toUpperCase() };
    return { origin: 'play', path: buildPlayPath(id), query, language: input.language };
  },
  parse: parseDeveloperPage,
};

export const appstoreDeveloper = appstore({
  path: '/developer',
  summary: 'A developer of either store and their apps',
  input: DeveloperInput,
  anyOf: ['id', 'url'],
  aliases: { limit: ['per_page'], ...LOCALE_ALIASES },
  record: DeveloperAnswer,
  list: 'apps',
  limit: { default: 50, max: 200 },
  sources: [lookupSource, playSource],
  expected: ['developer.name', 'apps.icon_url', 'apps.is_free'],
  canary: { id: '284882218' },
});

function parseLookupAnswer(
  { body }: SourcePage,
  input: DeveloperInput,
  site: SiteContext,
): ReturnType<DeveloperSource['parse']> {
  const { id } = readDeveloper(input, site);
  const results = parseItunesResults(body);
  if (results === null) return unusable('no answer of the lookup');
  if (results.length === 0) return notFound('there is no such developer in the store');
  const own = results.find(
    (one) => toLine(getPath(one, 'wrapperType')) === 'artist' && toLine(getPath(one, 'artistId')) === id,
  );
  const apps = results.flatMap((one) => parseItunesApp(one) ?? []).filter(({ developer }) => developer?.id === id);
  if (own === undefined && apps.length === 0) return unusable('the requested developer is missing');
  const address =
    cleanPageUrl(getPath(own, 'artistLinkUrl') ?? getPath(own, 'artistViewUrl')) ?? apps[0]?.developer?.url;
  const name = toLine(getPath(own, 'artistName')) ?? apps[0]?.developer?.name ?? null;
  return {
    developer: { id, store: 'apple', name, url: address ?? `${APPLE_HOME}/developer/id${id}` },
    apps: apps.map((app) => summarizeApp(app)),
  };
}

function parseDeveloperPage(
  source: SourcePage,
  input: DeveloperInput,
  site: SiteContext,
): ReturnType<DeveloperSource['parse']> {
  const { id } = readDeveloper(input, site);
  const page = parsePage(source.body, source.url);
  const shown = URL.parse(findCanonicalUrl(page) ?? '', PLAY_HOME)?.searchParams.get('id');
  if (shown !== id) return unusable('the requested developer is missing');
  const apps = parsePlayCards(page);
  if (apps.length === 0) return unusable('no readable apps');
  const name = apps.find(({ developer }) => developer !== null)?.developer?.name ?? null;
  const address = `${PLAY_HOME}${buildPlayPath(id)}?id=${encodeURIComponent(id)}`;
  return { developer: { id, store: 'play', name, url: address }, apps };
}

/** Returns a test of whether the requested developer is in a store. */
function isFromStore(store: AppStore) {
  return (site: SiteContext, input: DeveloperInput): boolean => readDeveloper(input, site).store === store;
}

/** Reads the developer from the input. Apple's ids are shorter than Google's. */
function readDeveloper({ id, url }: DeveloperInput, site: SiteContext): StoreItem {
  if (id !== undefined) return { store: /^\d{5,12}$/.test(id) ? 'apple' : 'play', id };
  const place = site.locate(url ?? '');
  const address = place === null ? null : URL.parse(place.path, PLAY_HOME);
  const number = /\/developer\/(?:[^/]+\/)?id(\d{5,12})(?:\/|$)/.exec(address?.pathname ?? '')?.[1];
  if (place !== null && place.origin !== 'play' && number !== undefined) return { store: 'apple', id: number };
  const isPlay = place?.origin === 'play' && /^\/store\/apps\/dev(?:eloper)?$/.test(address?.pathname ?? '');
  const name = isPlay ? address?.searchParams.get('id') : null;
  return name === null || name === undefined || name === ''
    ? refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'a developer' })
    : { store: 'play', id: name };
}

function buildPlayPath(id: string): string {
  return `/store/apps/${/^\d{13,}$/.test(id) ? 'dev' : 'developer'}`;
}
