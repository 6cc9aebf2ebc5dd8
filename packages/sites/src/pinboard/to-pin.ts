import { isJsonObject } from '#extract/values/json-object.ts';
import { findWith } from '#extract/json/search.ts';
import { toPrice } from '#extract/values/prices.ts';
import {
  at,
  boolean,
  countOf,
  decimal,
  integer,
  line,
  list,
  mediaUrl,
  moment,
  text,
  url,
} from '#extract/values/raw.ts';
import type { Pin } from './pin-record.ts';
import { PINBOARD_HOME } from './site.ts';

/** Numbers of pins have at least six digits. */
const ID = /^\d{6,25}$/;

/** The number of a pin; null for what is none. */
export function pinIdOf(raw: unknown): string | null {
  const id = line(raw);
  return id !== null && ID.test(id) ? id : null;
}

/** The address of a pin under its number. */
export function pinUrlOf(id: string): string {
  return `${PINBOARD_HOME}/pin/${id}/`;
}

/** A pin in the site's own data; null for what is none. */
export function toPin(raw: unknown): Pin | null {
  const id = pinIdOf(at(raw, 'id'));
  if (id === null) return null;
  const images = picturesOf(at(raw, 'images'));
  const video = videoOf(raw);
  const grid = text(at(raw, 'closeup_unified_description')) ?? text(at(raw, 'description'));
  return {
    id,
    url: pinUrlOf(id),
    title: line(at(raw, 'title')) ?? line(at(raw, 'grid_title')) ?? line(at(raw, 'rich_summary', 'display_name')),
    description: grid ?? text(at(raw, 'seo_description')),
    alt_text: text(at(raw, 'auto_alt_text')) ?? text(at(raw, 'alt_text')),
    link: url(at(raw, 'link'), PINBOARD_HOME),
    domain: line(at(raw, 'domain')),
    created_at: moment(at(raw, 'created_at'), 'en-US'),
    dominant_color: line(at(raw, 'dominant_color')),
    is_video: video !== null || at(raw, 'is_video') === true,
    is_promoted: boolean(at(raw, 'is_promoted')),
    is_repin: boolean(at(raw, 'is_repin')),
    images,
    image_url: images.find(({ size }) => size === 'orig')?.url ?? images.at(-1)?.url ?? null,
    video,
    carousel: carouselOf(at(raw, 'carousel_data', 'carousel_slots')),
    pinner: pinnerOf(at(raw, 'pinner')) ?? pinnerOf(at(raw, 'native_creator')),
    board: boardOf(at(raw, 'board')),
    stats: statsOf(raw),
    tags: tagsOf(raw),
    product: productOf(raw),
  };
}

function picturesOf(raw: unknown): Pin['images'] {
  return Object.entries(isJsonObject(raw) ? raw : {}).flatMap(([size, picture]) => {
    const address = mediaUrl(at(picture, 'url'), PINBOARD_HOME);
    if (address === null) return [];
    return [{ size, url: address, width: countIn(at(picture, 'width')), height: countIn(at(picture, 'height')) }];
  });
}

/** A count that may be a fraction where the site computes sizes. */
function countIn(raw: unknown): number | null {
  const value = decimal(raw);
  return value === null || value < 0 ? null : Math.round(value);
}

function isStream(film: unknown): boolean {
  return /\.m3u8(?:\?|$)/.test(line(at(film, 'url')) ?? '');
}

/** The film of a pin, or of the first page of a story: one file and one stream. */
function videoOf(raw: unknown): Pin['video'] {
  const lists = [
    at(raw, 'videos', 'video_list'),
    ...findWith(at(raw, 'story_pin_data'), 'video_list').map((one) => one['video_list']),
  ];
  const films = Object.values(lists.find(isJsonObject) ?? {}).filter(isJsonObject);
  const files = films.filter((film) => !isStream(film));
  const [file] = files.toSorted((one, other) => (decimal(other['width']) ?? 0) - (decimal(one['width']) ?? 0));
  const stream = films.find(isStream);
  const main = file ?? stream;
  if (main === undefined) return null;
  const pick = (name: string): unknown => main[name] ?? at(stream, name);
  return {
    url: mediaUrl(at(file, 'url'), PINBOARD_HOME),
    hls_url: mediaUrl(at(stream, 'url'), PINBOARD_HOME),
    thumbnail_url: mediaUrl(pick('thumbnail'), PINBOARD_HOME),
    duration_ms: countIn(pick('duration')),
    width: countIn(pick('width')),
    height: countIn(pick('height')),
  };
}

function carouselOf(raw: unknown): Pin['carousel'] {
  if (!Array.isArray(raw)) return null;
  return list(raw).map((slot) => ({
    title: line(at(slot, 'title')),
    link: url(at(slot, 'link'), PINBOARD_HOME),
    image_url: picturesOf(at(slot, 'images')).at(-1)?.url ?? null,
  }));
}

function pinnerOf(raw: unknown): Pin['pinner'] {
  const username = line(at(raw, 'username'));
  const name = line(at(raw, 'full_name')) ?? line(at(raw, 'first_name'));
  if (username === null && name === null) return null;
  return {
    id: line(at(raw, 'id')),
    username,
    name,
    url: username === null ? null : `${PINBOARD_HOME}/${encodeURIComponent(username)}/`,
    followers: countOf(at(raw, 'follower_count'), null)?.value ?? null,
    image_url: mediaUrl(at(raw, 'image_large_url') ?? at(raw, 'image_medium_url'), PINBOARD_HOME),
  };
}

function boardOf(raw: unknown): Pin['board'] {
  const name = line(at(raw, 'name'));
  return name === null ? null : { id: line(at(raw, 'id')), name, url: url(at(raw, 'url'), PINBOARD_HOME) };
}

/** The first of several values that is a count. */
function firstCount(...given: readonly unknown[]): number | null {
  return given.map((one) => countOf(one, null)?.value ?? null).find((one) => one !== null) ?? null;
}

function statsOf(raw: unknown): Pin['stats'] {
  const known = at(raw, 'aggregated_pin_data');
  const reactions = at(raw, 'reaction_counts');
  return {
    saves: firstCount(at(known, 'aggregated_stats', 'saves'), at(raw, 'save_count'), at(raw, 'repin_count')),
    comments: firstCount(at(known, 'comment_count'), at(raw, 'comment_count')),
    reactions: isJsonObject(reactions)
      ? Object.values(reactions).reduce<number>((sum, one) => sum + Math.max(0, integer(one) ?? 0), 0)
      : null,
    shares: firstCount(at(raw, 'share_count')),
  };
}

const MOST_TAGS = 100;

function tagsOf(raw: unknown): Pin['tags'] {
  const given = [...list(at(raw, 'pin_join', 'visual_annotation')), ...list(at(raw, 'hashtags'))];
  const tags = [...new Set(given.flatMap((one) => line(at(one, 'name') ?? one)?.replace(/^#/, '') ?? []))];
  return tags.length === 0 ? null : tags.slice(0, MOST_TAGS);
}

function productOf(raw: unknown): Pin['product'] {
  const [product] = [at(raw, 'rich_summary', 'products', 0), at(raw, 'product_pin_data', 'items', 0)].filter(
    isJsonObject,
  );
  const offer = at(product, 'offer_summary');
  if (product === undefined || offer === undefined) return null;
  const currency = line(at(offer, 'currency'));
  const price = toPrice(line(at(offer, 'price')), { locale: 'en-US', currency });
  const stock = boolean(at(offer, 'in_stock'));
  const said = line(at(offer, 'availability'));
  return {
    ...price,
    currency: price.currency ?? currency,
    availability: said ?? (stock === null ? null : stock ? 'in_stock' : 'out_of_stock'),
  };
}
