import { z } from 'zod';
import type { SourcePage } from '#sites/framework/request.ts';
import { findCanonicalUrl, findOpenGraph, readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { mergeFragments } from '#extract/json/find-objects.ts';
import { isCurrencyCode } from '#extract/values/currencies.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { parsePriceFields } from '#extract/values/money.ts';
import {
  getPath,
  toBoolean,
  toNumber,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
} from '#extract/values/raw.ts';
import { isSameName, parseGroupPath, parsePermalink, parseProfilePath, type ProfileReference } from './addresses.ts';
import { HOME } from './site.ts';

/** The owner of a page, as its header describes it. */
type Profile = {
  /** The person or page of its header. */
  readonly user: JsonObject;
  /** The page behind the header; empty for a person. */
  readonly page: JsonObject;
  /** The name in its address; null if it has none. */
  readonly name: string | null;
};

/** Finds the profile of a page. Null if it is not the wanted one. */
export function findProfile(source: SourcePage, parsed: ParsedPage, wanted: ProfileReference): Profile | null {
  const headers = listObjectsWith(parsed, 'profile_header_renderer').map((one) =>
    getPath(one, 'profile_header_renderer', 'user'),
  );
  const [header, ...fragments] = headers.filter(isJsonObject);
  const user =
    header === undefined ? {} : mergeFragments([header, ...fragments.filter((one) => one['id'] === header['id'])]);
  const id = toLine(getPath(user, 'delegate_page', 'id'));
  const pages = listObjectsWith(parsed, 'delegate_page').map((one) => one['delegate_page']);
  const own = pages.filter(isJsonObject).filter((one) => id === null || toLine(one['id']) === id);
  const page = mergeFragments(own);
  const addresses = [toLine(user['url']), findOpenGraph(parsed, 'og:url'), findCanonicalUrl(parsed)];
  const profiles = addresses.flatMap((one) => (one === null ? [] : (parseProfileAddress(one, source.url) ?? [])));
  const names = profiles.flatMap((one) => ('name' in one ? [one.name] : []));
  const ids = [toLine(user['id']), toLine(page['id']), ...profiles.flatMap((one) => ('id' in one ? [one.id] : []))];
  const isWanted = 'id' in wanted ? ids.includes(wanted.id) : names.some((name) => isSameName(name, wanted.name));
  return isWanted || isRenamed(source, names) ? { user, page, name: names[0] ?? null } : null;
}

/** Whether the site redirected from an id or a former name to the present name. */
function isRenamed({ url, requested }: SourcePage, names: readonly string[]): boolean {
  const [from, to] = [new URL(requested), new URL(url)];
  const ended = from.pathname === to.pathname ? null : parseProfilePath(to.pathname);
  return ended !== null && 'name' in ended && names.some((name) => isSameName(name, ended.name));
}

/** Finds the profile of an address. The address of a post begins with the name of its page, too. */
function parseProfileAddress(address: string, base: string): ProfileReference | null {
  const url = URL.parse(address, base);
  const path = url === null ? '' : `${url.pathname}${url.search}`;
  return parsePermalink(path) === null ? parseProfilePath(path) : null;
}

/** The page that an embed shows. */
export type EmbeddedPage = { readonly id: string | null; readonly username: string | null; readonly name: string };

const EMBED_LINK = 'a[href*="ref=embed_page"]';

/** The id of the page in the scripts of an embed. */
const EMBED_NUMBERS = [
  /initializeClickLoggers",\[[^\]]{0,500}\],\[(?:true|false),"(\d{5,20})"/,
  /"pageID":"(\d{5,20})"/,
];

/** Finds the page of an embed. Null if it is not the wanted one. */
export function findEmbeddedPage(page: ParsedPage, wanted: ProfileReference): EmbeddedPage | null {
  const link = URL.parse(readAttributeAt(page, EMBED_LINK, 'href') ?? '', page.url);
  const name = toLine(readAttributeAt(page, EMBED_LINK, 'title')) ?? readLineAt(page, EMBED_LINK);
  if (link === null || name === null) return null;
  const shown = parseProfilePath(`${link.pathname}${link.search}`);
  const [pageId = null] = EMBED_NUMBERS.flatMap((number) => number.exec(page.source)?.[1] ?? []);
  const id = pageId ?? (shown !== null && 'id' in shown ? shown.id : null);
  const username = shown !== null && 'name' in shown ? shown.name : null;
  const isWanted = 'id' in wanted ? wanted.id === id : username !== null && isSameName(username, wanted.name);
  return isWanted ? { id, username, name } : null;
}

/** A group with the data of its page. */
type GroupData = {
  readonly id: string | null;
  readonly name: string;
  /** The merged fragments; empty if the page has only Open Graph data. */
  readonly raw: JsonObject;
};

/** Members of the fragments that contain the data of a group. */
const GROUP_MEMBERS = [
  'group_member_profiles',
  'privacy_info',
  'cover_renderer',
  'description_with_entities',
  'group_locations',
  'group_feed',
  'comet_discussion_tab_cards',
] as const;

/** Finds the group of a page. Null if it is not the wanted one. */
export function findGroup(source: SourcePage, parsed: ParsedPage, wanted: string): GroupData | null {
  const fragments = [...new Set(GROUP_MEMBERS.flatMap((member) => listObjectsWith(parsed, member)))];
  const ids = new Set(fragments.flatMap((one) => toLine(one['id']) ?? []));
  const id = /^\d{5,20}$/.test(wanted) ? wanted : (findGroupId(source, parsed, { wanted, ids }) ?? null);
  const own = fragments.filter((one) => id !== null && toLine(one['id']) === id);
  // The card that describes a group is nested in it, and may not repeat its id.
  const cards = own.flatMap((one) => toArray(one['comet_discussion_tab_cards']).map((card) => getPath(card, 'group')));
  const raw = mergeFragments([...own, ...cards.filter(isJsonObject)]);
  const name = toLine(raw['name']) ?? toLine(getPath(raw, 'featurable_title', 'text'));
  if (name !== null && own.length > 0) return { id, name, raw };
  const title = findOpenGraph(parsed, 'og:title')?.replace(/ \| Facebook$/, '');
  const isShared = listGroupNames(source, parsed).some((word) => word === wanted || isSameName(word, wanted));
  return title !== undefined && isShared ? { id, name: title, raw: {} } : null;
}

/** Finds the id of a group with this name: by its address, or the only id of a page with such an address. */
function findGroupId(
  source: SourcePage,
  parsed: ParsedPage,
  { wanted, ids }: { readonly wanted: string; readonly ids: ReadonlySet<string> },
): string | undefined {
  const named = listObjectsWith(parsed, 'id', 'url').find((one) => {
    const address = URL.parse(toLine(one['url']) ?? '', HOME);
    const word = address === null ? null : parseGroupPath(address.pathname);
    return word !== null && isSameName(word, wanted) && ids.has(toLine(one['id']) ?? '');
  });
  if (named !== undefined) return toLine(named['id']) ?? undefined;
  const words = listGroupNames(source, parsed);
  const [groupId] = listObjectsWith(parsed, 'groupID').flatMap((one) => toLine(one['groupID']) ?? []);
  return words.some((word) => isSameName(word, wanted)) ? groupId : undefined;
}

/** Lists the names in the canonical addresses of a page. */
function listGroupNames({ url }: SourcePage, parsed: ParsedPage): readonly string[] {
  return [findOpenGraph(parsed, 'og:url'), findCanonicalUrl(parsed)].flatMap((one) => {
    const address = URL.parse(one ?? '', url);
    return address === null ? [] : (parseGroupPath(address.pathname) ?? []);
  });
}

/** Builds the address of a group, with its name if it has one. */
export function buildGroupUrl({ id, raw }: GroupData, wanted: string): string {
  const address = URL.parse(toLine(getPath(raw, 'url')) ?? '', HOME);
  const word = address === null ? null : parseGroupPath(address.pathname);
  return `${HOME}/groups/${word ?? id ?? wanted}/`;
}

export const Image = z.object({
  url: z.string(),
  width: z.int().min(0).nullable(),
  height: z.int().min(0).nullable(),
  alt: z.string().nullable().describe("The site's own description of the picture"),
});

export type Image = z.input<typeof Image>;

/** Parses a picture (`{uri, width, height}`) and its caption. Null if it has no address. */
export function parseImage(picture: unknown, caption: unknown): Image | null {
  const url = toMediaUrl(getPath(picture, 'uri'), HOME);
  if (url === null) return null;
  return {
    url,
    width: toNatural(getPath(picture, 'width')),
    height: toNatural(getPath(picture, 'height')),
    alt: parseCaption(caption),
  };
}

/** Parses the site's description of a picture. Null if it is the sentence for a missing one. */
export function parseCaption(raw: unknown): string | null {
  const caption = toLine(raw);
  return caption === 'No photo description available.' ? null : caption;
}

/** Parses the fields that a listing's own page and a result page have in common. */
export function parseListingFields(listing: JsonObject) {
  return {
    ...parsePrice(listing),
    original_price: parseOriginalPrice(listing['strikethrough_price']),
    is_sold: toBoolean(listing['is_sold']),
    is_pending: toBoolean(listing['is_pending']),
    category_id: toLine(listing['marketplace_listing_category_id']),
    delivery_types: parseConstants(listing['delivery_types']),
  };
}

export function parseListingTitle(listing: JsonObject): string | null {
  return (
    toLine(listing['marketplace_listing_title']) ??
    toLine(listing['base_marketplace_listing_title']) ??
    toLine(listing['custom_title'])
  );
}

/** Parses the price. A currency sign such as `$` is ambiguous, so the currency is null unless the listing names it. */
function parsePrice(listing: JsonObject) {
  const wording =
    toLine(getPath(listing, 'formatted_price', 'text')) ??
    toLine(getPath(listing, 'listing_price', 'formatted_amount'));
  const named = toLine(getPath(listing, 'listing_price', 'currency'));
  const currency = named !== null && isCurrencyCode(named) ? named : null;
  const shown = parsePriceFields(wording, { locale: 'en', currency });
  const amount = toNumber(getPath(listing, 'listing_price', 'amount')) ?? -1;
  const isGiven = amount > 0 || (amount === 0 && (shown.price === 0 || /^free$/i.test(wording ?? '')));
  const price = isGiven ? amount : shown.price;
  return { price, currency: price === null ? null : (currency ?? shown.currency), price_text: wording };
}

/** Parses the price before a reduction. */
function parseOriginalPrice(raw: unknown): number | null {
  const amount = toNumber(getPath(raw, 'amount'));
  const price =
    amount ?? parsePriceFields(toLine(getPath(raw, 'formatted_amount')), { locale: 'en', currency: null }).price;
  return price !== null && price > 0 ? price : null;
}

/** Parses a list of the site's constants, in lower case. */
function parseConstants(raw: unknown): readonly string[] | null {
  return Array.isArray(raw) ? toArray(raw).flatMap((one) => parseConstant(one) ?? []) : null;
}

/** Parses a constant of the site, in lower case. Null if it means unknown. */
export function parseConstant(raw: unknown): string | null {
  const word = toLine(raw)?.toLowerCase() ?? null;
  return word === 'not_sure' || word === 'unknown' || word === 'other' ? null : word;
}

const ONLINE_PLACE = 'Online event';

/** Parses the time and place of an event, for its own page and for result pages. */
export function parseTimeAndPlace(raw: JsonObject) {
  const place = toLine(getPath(raw, 'event_place', 'contextual_name')) ?? toLine(getPath(raw, 'event_place', 'name'));
  const isOnline = toBoolean(raw['is_online']) ?? (place === ONLINE_PLACE ? true : null);
  return {
    time_text: toLine(raw['day_time_sentence']) ?? toLine(raw['capitalized_day_time_sentence']),
    start_time: toTimestamp(raw['start_timestamp']) ?? toTimestamp(raw['current_start_timestamp']),
    is_online: isOnline,
    location_name: isOnline === true || place === ONLINE_PLACE ? null : place,
  };
}
