import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, decimal, line, list, mediaUrl, natural, text } from '#extract/values/raw.ts';
import { nodesOf, pictureOf, toLaunch, topicsOf } from './launch.ts';
import type { Launch } from './launch.ts';
import { toLinks, toOutside } from './links.ts';
import { toPerson } from './person.ts';
import type { LaunchedProduct } from './product-record.ts';
import { LAUNCHES_HOME } from './site.ts';

/** A product in the site's own data, its posts, and the one of them that is asked for, null for the latest. */
export type Known = {
  readonly slug: string;
  readonly product: JsonObject;
  readonly posts: readonly JsonObject[];
  readonly asked: string | null;
};

/** Members of a product that lead elsewhere. */
const LINKS = [
  'twitterUrl',
  'facebookUrl',
  'instagramUrl',
  'linkedinUrl',
  'githubUrl',
  'threadsUrl',
  'mediumUrl',
  'iosUrl',
  'androidUrl',
] as const;

/** The record of a product; null where its name is not known. */
export function toProduct({ slug, product, posts, asked }: Known): LaunchedProduct | null {
  const launches = posts
    .flatMap((post) => toLaunch(post) ?? [])
    .toSorted((one, other) => (other.launched_at ?? '').localeCompare(one.launched_at ?? ''));
  const main = launches.find(({ id, slug: own }) => asked === id || asked === own) ?? launches[0] ?? null;
  const post = posts.find(({ id }) => main !== null && line(id) === main.id) ?? {};
  const name = line(product['name']) ?? main?.name ?? null;
  if (name === null) return null;
  const reviews = natural(product['reviewsCount']);
  const elsewhere = LINKS.map((one) => product[one]).filter((one) => one !== undefined);
  return {
    id: line(product['id']),
    name,
    slug,
    url: `${LAUNCHES_HOME}/products/${encodeURIComponent(slug)}`,
    tagline: line(product['tagline']) ?? main?.tagline ?? null,
    description: text(product['description']) ?? text(post['description']),
    website_url: websiteOf(product) ?? toOutside(post['website']),
    upvotes: main?.upvotes ?? null,
    launch_day_upvotes: main?.launch_day_upvotes ?? null,
    followers: natural(product['followersCount']),
    review_count: reviews,
    // A product without reviews has a rating of 0.
    rating: reviews === 0 ? null : (ratingOf(product['reviewsRating']) ?? ratingOf(post['reviewsRating'])),
    topics: topicsOf(product['topics']) ?? main?.topics ?? null,
    categories: topicsOf(product['categories']),
    makers: makersOf(product['makers']) ?? makersOf(post['makers']),
    hunter: toPerson(post['hunter'] ?? post['user']),
    launched_at: main?.launched_at ?? null,
    launches: launches.length === 0 ? null : launches.map(toShort),
    comment_count: main?.comment_count ?? null,
    thumbnail_url: pictureOf(product['logoUuid']) ?? main?.thumbnail_url ?? null,
    media: mediaOf(product['media']) ?? mediaOf(post['media']),
    links: elsewhere.length === 0 ? null : toLinks(elsewhere),
  };
}

function toShort({ id, name, tagline, slug, launched_at, upvotes, comment_count, daily_rank }: Launch) {
  return { id, name, tagline, slug, launched_at, upvotes, comment_count, daily_rank };
}

/** A list, or a connection of the site's interface. */
function elementsIn(raw: unknown): readonly unknown[] | null {
  if (Array.isArray(raw)) return list(raw);
  return Array.isArray(at(raw, 'edges')) ? nodesOf(raw) : null;
}

function makersOf(raw: unknown): LaunchedProduct['makers'] {
  return elementsIn(raw)?.flatMap((one) => toPerson(one) ?? []) ?? null;
}

function websiteOf(product: JsonObject): string | null {
  const domain = line(product['websiteDomain']) ?? line(product['cleanUrl']);
  return toOutside(product['websiteUrl']) ?? (domain === null ? null : toOutside(`https://${domain}`));
}

function ratingOf(raw: unknown): number | null {
  const rating = decimal(raw);
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

function mediaOf(raw: unknown): LaunchedProduct['media'] {
  const elements = elementsIn(raw);
  if (elements === null) return null;
  return elements.filter(isJsonObject).flatMap((one): NonNullable<LaunchedProduct['media']> => {
    const film = mediaUrl(one['videoUrl'] ?? at(one, 'metadata', 'url'), LAUNCHES_HOME);
    if (film !== null) return [{ type: 'video', url: film }];
    const picture = pictureOf(one['imageUuid']) ?? mediaUrl(one['url'], LAUNCHES_HOME);
    return picture === null ? [] : [{ type: 'image', url: picture }];
  });
}
