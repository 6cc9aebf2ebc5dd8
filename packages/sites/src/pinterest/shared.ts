import { z } from 'zod';
import { findPathKind, type PathKinds, refuseLinkKind, refuseReference } from '#sites/framework/site.ts';
import { blocked, notFound, rateLimited, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { RequestContext, SiteRequest, SiteContext } from '#sites/framework/request.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { parsePriceFields } from '#extract/values/money.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toNumber,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

const Picture = z.object({ size: z.string(), url: z.string(), width: Count, height: Count });

export const Pin = z.object({
  id: z.string(),
  url: z.string(),
  title: Text,
  description: Text,
  alt_text: Text,
  link: Text.describe('The external link of the pin'),
  domain: Text,
  created_at: Text,
  dominant_color: Text,
  is_video: z.boolean(),
  is_promoted: Flag,
  is_repin: Flag,
  images: z.array(Picture).readonly(),
  image_url: Text,
  video: z
    .object({
      url: Text,
      hls_url: Text,
      thumbnail_url: Text,
      duration_ms: Count,
      width: Count,
      height: Count,
    })
    .nullable(),
  carousel: z
    .array(z.object({ title: Text, link: Text, image_url: Text }))
    .readonly()
    .nullable(),
  pinner: z.object({ id: Text, username: Text, name: Text, url: Text, followers: Count, image_url: Text }).nullable(),
  board: z.object({ id: Text, name: Text, url: Text }).nullable(),
  stats: z.object({ saves: Count, comments: Count, reactions: Count, shares: Count }),
  tags: z.array(z.string()).readonly().nullable(),
  product: z
    .object({
      price: z.number().min(0).nullable(),
      currency: Text,
      price_text: Text,
      availability: Text,
    })
    .nullable(),
});

export type Pin = z.output<typeof Pin>;

/** Ids of pins have at least six digits. */
const ID = /^\d{6,25}$/;

/** Reads the id of a pin; null for any other value. */
export function readPinId(raw: unknown): string | null {
  const id = toLine(raw);
  return id !== null && ID.test(id) ? id : null;
}

/** Builds the address of a pin. */
function buildPinUrl(id: string): string {
  return `${HOME}/pin/${id}/`;
}

/** Converts a pin of the site's data; null without a valid id. */
export function toPin(raw: unknown): Pin | null {
  const id = readPinId(getPath(raw, 'id'));
  if (id === null) return null;
  const images = listImages(getPath(raw, 'images'));
  const video = readVideo(raw);
  const grid = toText(getPath(raw, 'closeup_unified_description')) ?? toText(getPath(raw, 'description'));
  return {
    id,
    url: buildPinUrl(id),
    title:
      toLine(getPath(raw, 'title')) ??
      toLine(getPath(raw, 'grid_title')) ??
      toLine(getPath(raw, 'rich_summary', 'display_name')),
    description: grid ?? toText(getPath(raw, 'seo_description')),
    alt_text: toText(getPath(raw, 'auto_alt_text')) ?? toText(getPath(raw, 'alt_text')),
    link: toCleanUrl(getPath(raw, 'link'), HOME),
    domain: toLine(getPath(raw, 'domain')),
    created_at: toTimestamp(getPath(raw, 'created_at'), 'en-US'),
    dominant_color: toLine(getPath(raw, 'dominant_color')),
    is_video: video !== null || getPath(raw, 'is_video') === true,
    is_promoted: toBoolean(getPath(raw, 'is_promoted')),
    is_repin: toBoolean(getPath(raw, 'is_repin')),
    images,
    image_url: images.find(({ size }) => size === 'orig')?.url ?? images.at(-1)?.url ?? null,
    video,
    carousel: readCarousel(getPath(raw, 'carousel_data', 'carousel_slots')),
    pinner: readPinner(getPath(raw, 'pinner')) ?? readPinner(getPath(raw, 'native_creator')),
    board: readBoard(getPath(raw, 'board')),
    stats: readStats(raw),
    tags: listTags(raw),
    product: readProduct(raw),
  };
}

function listImages(raw: unknown): Pin['images'] {
  return Object.entries(isJsonObject(raw) ? raw : {}).flatMap(([size, picture]) => {
    const address = toMediaUrl(getPath(picture, 'url'), HOME);
    if (address === null) return [];
    return [
      {
        size,
        url: address,
        width: readRoundedCount(getPath(picture, 'width')),
        height: readRoundedCount(getPath(picture, 'height')),
      },
    ];
  });
}

/** Reads a count and rounds it, because computed sizes can be fractions. */
function readRoundedCount(raw: unknown): number | null {
  const value = toNumber(raw);
  return value === null || value < 0 ? null : Math.round(value);
}

function isStream(film: unknown): boolean {
  return /\.m3u8(?:\?|$)/.test(toLine(getPath(film, 'url')) ?? '');
}

/** Reads the video of a pin, or of the first page of a story: one file and one stream. */
function readVideo(raw: unknown): Pin['video'] {
  const lists = [
    getPath(raw, 'videos', 'video_list'),
    ...findObjectsWith(getPath(raw, 'story_pin_data'), 'video_list').map((one) => one['video_list']),
  ];
  const films = Object.values(lists.find(isJsonObject) ?? {}).filter(isJsonObject);
  const files = films.filter((film) => !isStream(film));
  const [file] = files.toSorted((one, other) => (toNumber(other['width']) ?? 0) - (toNumber(one['width']) ?? 0));
  const stream = films.find(isStream);
  const main = file ?? stream;
  if (main === undefined) return null;
  const pick = (name: string): unknown => main[name] ?? getPath(stream, name);
  return {
    url: toMediaUrl(getPath(file, 'url'), HOME),
    hls_url: toMediaUrl(getPath(stream, 'url'), HOME),
    thumbnail_url: toMediaUrl(pick('thumbnail'), HOME),
    duration_ms: readRoundedCount(pick('duration')),
    width: readRoundedCount(pick('width')),
    height: readRoundedCount(pick('height')),
  };
}

function readCarousel(raw: unknown): Pin['carousel'] {
  if (!Array.isArray(raw)) return null;
  return toArray(raw).map((slot) => ({
    title: toLine(getPath(slot, 'title')),
    link: toCleanUrl(getPath(slot, 'link'), HOME),
    image_url: listImages(getPath(slot, 'images')).at(-1)?.url ?? null,
  }));
}

function readPinner(raw: unknown): Pin['pinner'] {
  const username = toLine(getPath(raw, 'username'));
  const name = toLine(getPath(raw, 'full_name')) ?? toLine(getPath(raw, 'first_name'));
  if (username === null && name === null) return null;
  return {
    id: toLine(getPath(raw, 'id')),
    username,
    name,
    url: username === null ? null : `${HOME}/${encodeURIComponent(username)}/`,
    followers: toCount(getPath(raw, 'follower_count'), null)?.value ?? null,
    image_url: toMediaUrl(getPath(raw, 'image_large_url') ?? getPath(raw, 'image_medium_url'), HOME),
  };
}

function readBoard(raw: unknown): Pin['board'] {
  const name = toLine(getPath(raw, 'name'));
  return name === null ? null : { id: toLine(getPath(raw, 'id')), name, url: toCleanUrl(getPath(raw, 'url'), HOME) };
}

/** Reads the first of several values that is a count. */
function readFirstCount(...candidates: readonly unknown[]): number | null {
  return candidates.map((one) => toCount(one, null)?.value ?? null).find((one) => one !== null) ?? null;
}

function readStats(raw: unknown): Pin['stats'] {
  const known = getPath(raw, 'aggregated_pin_data');
  const reactions = getPath(raw, 'reaction_counts');
  return {
    saves: readFirstCount(
      getPath(known, 'aggregated_stats', 'saves'),
      getPath(raw, 'save_count'),
      getPath(raw, 'repin_count'),
    ),
    comments: readFirstCount(getPath(known, 'comment_count'), getPath(raw, 'comment_count')),
    reactions: isJsonObject(reactions)
      ? Object.values(reactions).reduce<number>((sum, one) => sum + Math.max(0, toInteger(one) ?? 0), 0)
      : null,
    shares: readFirstCount(getPath(raw, 'share_count')),
  };
}

const MAX_TAGS = 100;

function listTags(raw: unknown): Pin['tags'] {
  const annotations = [...toArray(getPath(raw, 'pin_join', 'visual_annotation')), ...toArray(getPath(raw, 'hashtags'))];
  const tags = [...new Set(annotations.flatMap((one) => toLine(getPath(one, 'name') ?? one)?.replace(/^#/, '') ?? []))];
  return tags.length === 0 ? null : tags.slice(0, MAX_TAGS);
}

function readProduct(raw: unknown): Pin['product'] {
  const [product] = [getPath(raw, 'rich_summary', 'products', 0), getPath(raw, 'product_pin_data', 'items', 0)].filter(
    isJsonObject,
  );
  const offer = getPath(product, 'offer_summary');
  if (product === undefined || offer === undefined) return null;
  const currency = toLine(getPath(offer, 'currency'));
  const price = parsePriceFields(toLine(getPath(offer, 'price')), { locale: 'en-US', currency });
  const stock = toBoolean(getPath(offer, 'in_stock'));
  const availability = toLine(getPath(offer, 'availability'));
  return {
    ...price,
    currency: price.currency ?? currency,
    availability: availability ?? (stock === null ? null : stock ? 'in_stock' : 'out_of_stock'),
  };
}

/** A call of the API, as the site's pages make it. */
type ResourceCall = {
  readonly name: string;
  /** The path of the page that makes the call. */
  readonly page: string;
  /** The handler of that page. */
  readonly handler: string;
  readonly options: Readonly<Record<string, unknown>>;
};

/** Builds a request of the API, as the site's pages send it. */
export function buildResourceRequest(
  { name, page, handler, options }: ResourceCall,
  { now }: Pick<RequestContext, 'now'>,
): SiteRequest {
  return {
    origin: 'web',
    path: `/resource/${name}Resource/get/`,
    query: { source_url: page, data: JSON.stringify({ options, context: {} }) },
    headers: {
      accept: 'application/json, text/javascript, */*, q=0.01',
      'x-requested-with': 'XMLHttpRequest',
      'x-pinterest-appstate': 'active',
      'x-pinterest-pws-handler': handler,
    },
    cookies: { csrftoken: now.toString(16).padStart(32, '0') },
  };
}

/** An API answer: its data, the bookmark of the next page, and the options of the request. */
type ResourceAnswer = { readonly data: unknown; readonly next: string | null; readonly options: unknown };

/** Reads the data of an API answer, or the refusal instead of it. */
export function readResource(body: string): ResourceAnswer | { readonly refusal: SiteAnswer } {
  const raw = parseJsonValue(body);
  const response = getPath(raw, 'resource_response');
  const status =
    toInteger(getPath(response, 'error', 'http_status')) ?? toInteger(getPath(response, 'http_status')) ?? 200;
  if (status === 404) return { refusal: notFound('there is no such page') };
  if (status === 429) return { refusal: rateLimited() };
  if (status === 401 || status === 403) return { refusal: blocked('authorization') };
  const data = getPath(response, 'data');
  if (status >= 400 || data === undefined) return { refusal: unusable('no data of the interface') };
  const bookmark = toLine(getPath(raw, 'resource', 'options', 'bookmarks', 0)) ?? toLine(getPath(response, 'bookmark'));
  return { data, next: isLastBookmark(bookmark) ? null : bookmark, options: getPath(raw, 'resource', 'options') };
}

/** Checks for the last bookmark: none, `-end-`, or a base64 text that begins with `cbNone`. */
function isLastBookmark(bookmark: string | null): boolean {
  return bookmark === null || bookmark === '-end-' || bookmark.startsWith('Y2JOb25lO');
}

export const AccountInput = z.object({
  username: z.string().min(1).max(100).optional().describe('The name in the address of the account, with or without @'),
  url: z.url().max(2000).optional().describe('Address of the account'),
});

export type AccountInput = z.output<typeof AccountInput>;

const USERNAME = /^[a-z0-9][a-z0-9_-]{1,49}$/i;
/** First segments of paths that are not accounts. */
const PAGES: ReadonlySet<string> = new Set([
  'pin',
  'search',
  'ideas',
  'resource',
  'today',
  'settings',
  'login',
  'explore',
  'topics',
  'categories',
  'business',
  'password',
  'videos',
]);

/** Finds the name of the requested account in lower case. Throws `not_found`, and `invalid_request` for another address. */
export function findAccountName(input: AccountInput, site: SiteContext): string {
  const { username } = input;
  const place = username === undefined ? site.locate(input.url ?? '') : null;
  const path = place?.origin === 'web' ? place.path : '';
  const name = (username?.trim().replace(/^@/, '') ?? /^\/([^/?#]+)/.exec(path)?.[1] ?? '').toLowerCase();
  const isBoard = username === undefined && findPlaceKind(path) === 'a board';
  if (USERNAME.test(name) && !PAGES.has(name) && !isBoard) return name;
  return username === undefined
    ? refuseAddress(path, 'an account')
    : refuseReference('username', 'is not an account of this site');
}

export const Account = z.object({
  id: Text,
  username: z.string(),
  name: Text,
  url: z.string(),
  about: Text,
  website_url: Text,
  domain_verified: Flag,
  followers: Count,
  following: Count,
  pins: Count,
  boards: Count,
  monthly_views: Count,
  image_url: Text,
  cover_image_url: Text,
  is_partner: Flag,
  is_verified_merchant: Flag,
  is_private: Flag,
  last_pin_saved_at: Text,
  seo_title: Text,
  country: Text,
});

export type Account = z.output<typeof Account>;

/** Builds the API request of an account. */
export function buildAccountRequest(username: string, site: RequestContext): SiteRequest {
  const options = { username, field_set_key: 'unauth_profile' };
  return buildResourceRequest({ name: 'User', page: `/${username}/`, handler: 'www/[username].js', options }, site);
}

/** Reads the account of an API answer, or the refusal instead of it. */
export function readAccount(
  body: string,
  username: string,
): { readonly account: Account } | { readonly refusal: SiteAnswer } {
  const read = readResource(body);
  if ('refusal' in read) return read;
  const account = toAccount(read.data);
  if (account === null) return { refusal: unusable('no account') };
  return account.username.toLowerCase() === username
    ? { account }
    : { refusal: unusable('the requested account is missing') };
}

/** Converts an account of the site's data; null without a username. */
export function toAccount(raw: unknown): Account | null {
  const username = toLine(getPath(raw, 'username'));
  if (username === null) return null;
  const count = (name: string): number | null => toCount(getPath(raw, name), null)?.value ?? null;
  const cover = getPath(raw, 'profile_cover', 'images');
  return {
    id: toLine(getPath(raw, 'id')),
    username,
    name: toLine(getPath(raw, 'full_name')) ?? toLine(getPath(raw, 'first_name')),
    url: `${HOME}/${encodeURIComponent(username)}/`,
    about: toText(getPath(raw, 'about')),
    website_url: toCleanUrl(getPath(raw, 'website_url'), HOME),
    domain_verified: toBoolean(getPath(raw, 'domain_verified')),
    followers: count('follower_count'),
    following: count('following_count'),
    pins: count('pin_count'),
    boards: count('board_count'),
    // -1 means that the views are not public.
    monthly_views: count('profile_views'),
    image_url: toMediaUrl(getPath(raw, 'image_xlarge_url') ?? getPath(raw, 'image_large_url'), HOME),
    cover_image_url: toMediaUrl(getPath(cover, 'originals', 'url') ?? getPath(cover, 'orig', 'url'), HOME),
    is_partner: toBoolean(getPath(raw, 'is_partner')),
    is_verified_merchant: toBoolean(getPath(raw, 'is_verified_merchant')),
    is_private: toBoolean(getPath(raw, 'is_private_profile')),
    last_pin_saved_at: toTimestamp(getPath(raw, 'last_pin_save_time'), 'en-US'),
    seo_title: toLine(getPath(raw, 'seo_title')),
    country: toLine(getPath(raw, 'country')),
  };
}

const PATH_KINDS: PathKinds = [
  [/^\/pin\//, 'a pin'],
  [/^\/search\b/, 'a search'],
  [/^\/(?:ideas|explore|topics|categories|today)\b/, 'a topic'],
  [/^\/(?:settings|login|password|business|resource)\b/, 'a form'],
  [/^\/[^/?]+\/[^_/?][^/?]*/, 'a board'],
  [/^\/[^/?]+/, 'an account'],
];

/** Finds the kind of page of a path; null if unknown. */
function findPlaceKind(path: string): string | null {
  return findPathKind(PATH_KINDS, path);
}

/** Refuses an address of another kind and names that kind. Throws `invalid_request`. */
export function refuseAddress(path: string, wanted: string): never {
  return refuseLinkKind({ parameter: 'url', kind: findPlaceKind(path), wanted });
}

/** Reads the initial state of a page; undefined for a page without one. */
export function readState(page: ParsedPage): unknown {
  const data = findJsonScript(page, { id: '__PWS_INITIAL_PROPS__' }) ?? findJsonScript(page, { id: '__PWS_DATA__' });
  return getPath(data, 'initialReduxState') ?? getPath(data, 'props', 'initialReduxState');
}
