import { z } from 'zod';
import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { merged } from '#extract/json/search.ts';
import { isCurrency } from '#extract/values/currencies.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { toPrice } from '#extract/values/prices.ts';
import { at, boolean, decimal, line, list, mediaUrl, moment, natural } from '#extract/values/raw.ts';
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
  const headers = objectsWith(parsed, 'profile_header_renderer').map((one) =>
    at(one, 'profile_header_renderer', 'user'),
  );
  const [header, ...fragments] = headers.filter(isJsonObject);
  const user = header === undefined ? {} : merged([header, ...fragments.filter((one) => one['id'] === header['id'])]);
  const id = line(at(user, 'delegate_page', 'id'));
  const pages = objectsWith(parsed, 'delegate_page').map((one) => one['delegate_page']);
  const own = pages.filter(isJsonObject).filter((one) => id === null || line(one['id']) === id);
  const page = merged(own);
  const addresses = [line(user['url']), openGraph(parsed, 'og:url'), canonicalOf(parsed)];
  const profiles = addresses.flatMap((one) => (one === null ? [] : (parseProfileAddress(one, source.url) ?? [])));
  const names = profiles.flatMap((one) => ('name' in one ? [one.name] : []));
  const ids = [line(user['id']), line(page['id']), ...profiles.flatMap((one) => ('id' in one ? [one.id] : []))];
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
  const link = URL.parse(attributeAt(page, EMBED_LINK, 'href') ?? '', page.url);
  const name = line(attributeAt(page, EMBED_LINK, 'title')) ?? lineAt(page, EMBED_LINK);
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
  const fragments = [...new Set(GROUP_MEMBERS.flatMap((member) => objectsWith(parsed, member)))];
  const ids = new Set(fragments.flatMap((one) => line(one['id']) ?? []));
  const id = /^\d{5,20}$/.test(wanted) ? wanted : (findGroupId(source, parsed, { wanted, ids }) ?? null);
  const own = fragments.filter((one) => id !== null && line(one['id']) === id);
  // The card that describes a group is nested in it, and may not repeat its id.
  const cards = own.flatMap((one) => list(one['comet_discussion_tab_cards']).map((card) => at(card, 'group')));
  const raw = merged([...own, ...cards.filter(isJsonObject)]);
  const name = line(raw['name']) ?? line(at(raw, 'featurable_title', 'text'));
  if (name !== null && own.length > 0) return { id, name, raw };
  const title = openGraph(parsed, 'og:title')?.replace(/ \| Facebook$/, '');
  const isShared = listGroupNames(source, parsed).some((word) => word === wanted || isSameName(word, wanted));
  return title !== undefined && isShared ? { id, name: title, raw: {} } : null;
}

/** Finds the id of a group with this name: by its address, or the only id of a page with such an address. */
function findGroupId(
  source: SourcePage,
  parsed: ParsedPage,
  { wanted, ids }: { readonly wanted: string; readonly ids: ReadonlySet<string> },
): string | undefined {
  const named = objectsWith(parsed, 'id', 'url').find((one) => {
    const address = URL.parse(line(one['url']) ?? '', HOME);
    const word = address === null ? null : parseGroupPath(address.pathname);
    return word !== null && isSameName(word, wanted) && ids.has(line(one['id']) ?? '');
  });
  if (named !== undefined) return line(named['id']) ?? undefined;
  const words = listGroupNames(source, parsed);
  const [groupId] = objectsWith(parsed, 'groupID').flatMap((one) => line(one['groupID']) ?? []);
  return words.some((word) => isSameName(word, wanted)) ? groupId : undefined;
}

/** Lists the names in the canonical addresses of a page. */
function listGroupNames({ url }: SourcePage, parsed: ParsedPage): readonly string[] {
  return [openGraph(parsed, 'og:url'), canonicalOf(parsed)].flatMap((one) => {
    const address = URL.parse(one ?? '', url);
    return address === null ? [] : (parseGroupPath(address.pathname) ?? []);
  });
}

/** Builds the address of a group, with its name if it has one. */
export function buildGroupUrl({ id, raw }: GroupData, wanted: string): string {
  const address = URL.parse(line(at(raw, 'url')) ?? '', HOME);
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
  const url = mediaUrl(at(picture, 'uri'), HOME);
  if (url === null) return null;
  return {
    url,
    width: natural(at(picture, 'width')),
    height: natural(at(picture, 'height')),
    alt: parseCaption(caption),
  };
}

/** Parses the site's description of a picture. Null if it is the sentence for a missing one. */
export function parseCaption(raw: unknown): string | null {
  const caption = line(raw);
  return caption === 'No photo description available.' ? null : caption;
}

/** Parses the fields that a listing's own page and a result page have in common. */
export function parseListingFields(listing: JsonObject) {
  return {
    ...parsePrice(listing),
    original_price: parseOriginalPrice(listing['strikethrough_price']),
    is_sold: boolean(listing['is_sold']),
    is_pending: boolean(listing['is_pending']),
    category_id: line(listing['marketplace_listing_category_id']),
    delivery_types: parseConstants(listing['delivery_types']),
  };
}

export function parseListingTitle(listing: JsonObject): string | null {
  return (
    line(listing['marketplace_listing_title']) ??
    line(listing['base_marketplace_listing_title']) ??
    line(listing['custom_title'])
  );
}

/** Parses the price. A currency sign such as `$` is ambiguous, so the currency is null unless the listing names it. */
function parsePrice(listing: JsonObject) {
  const wording =
    line(at(listing, 'formatted_price', 'text')) ?? line(at(listing, 'listing_price', 'formatted_amount'));
  const named = line(at(listing, 'listing_price', 'currency'));
  const currency = named !== null && isCurrency(named) ? named : null;
  const shown = toPrice(wording, { locale: 'en', currency });
  const amount = decimal(at(listing, 'listing_price', 'amount')) ?? -1;
  const isGiven = amount > 0 || (amount === 0 && (shown.price === 0 || /^free$/i.test(wording ?? '')));
  const price = isGiven ? amount : shown.price;
  return { price, currency: price === null ? null : (currency ?? shown.currency), price_text: wording };
}

/** Parses the price before a reduction. */
function parseOriginalPrice(raw: unknown): number | null {
  const amount = decimal(at(raw, 'amount'));
  const price = amount ?? toPrice(line(at(raw, 'formatted_amount')), { locale: 'en', currency: null }).price;
  return price !== null && price > 0 ? price : null;
}

/** Parses a list of the site's constants, in lower case. */
function parseConstants(raw: unknown): readonly string[] | null {
  return Array.isArray(raw) ? list(raw).flatMap((one) => parseConstant(one) ?? []) : null;
}

/** Parses a constant of the site, in lower case. Null if it means unknown. */
export function parseConstant(raw: unknown): string | null {
  const word = line(raw)?.toLowerCase() ?? null;
  return word === 'not_sure' || word === 'unknown' || word === 'other' ? null : word;
}

const ONLINE_PLACE = 'Online event';

/** Parses the time and place of an event, for its own page and for result pages. */
export function parseTimeAndPlace(raw: JsonObject) {
  const place = line(at(raw, 'event_place', 'contextual_name')) ?? line(at(raw, 'event_place', 'name'));
  const isOnline = boolean(raw['is_online']) ?? (place === ONLINE_PLACE ? true : null);
  return {
    time_text: line(raw['day_time_sentence']) ?? line(raw['capitalized_day_time_sentence']),
    start_time: moment(raw['start_timestamp']) ?? moment(raw['current_start_timestamp']),
    is_online: isOnline,
    location_name: isOnline === true || place === ONLINE_PLACE ? null : place,
  };
}
