import { z } from 'zod';
import { findCanonicalUrl, listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listVariables } from '#extract/dom/scripts.ts';
import { findObjects, findObjectsWith, mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toNumber, toLine, toArray, toMediaUrl, toNatural, toText } from '#extract/values/raw.ts';
import { notFound, notInSource, markPartial, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import {
  buildApiRequest,
  buildLinks,
  buildPictureUrl,
  cleanOutboundUrl,
  hasToken,
  type Launch,
  listNodes,
  parseLaunch,
  parsePerson,
  parseTopics,
  Person,
  ProfileLink,
  readQueryError,
  Topic,
} from './shared.ts';
import { DATA_MARK, productHunt, HOME, PATH_KINDS } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Topics = z.array(Topic).readonly().nullable();

/** A product with its launches. Votes and comments are those of the requested launch, else of the latest. */
const Product = z.object({
  id: Text,
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  tagline: Text,
  description: Text,
  website_url: Text,
  upvotes: Count,
  launch_day_upvotes: Count,
  followers: Count,
  review_count: Count,
  rating: z.number().min(0).max(5).nullable(),
  topics: Topics,
  categories: Topics,
  makers: z.array(Person).readonly().nullable(),
  hunter: Person.nullable(),
  launched_at: Text,
  launches: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        tagline: Text,
        slug: z.string(),
        launched_at: Text,
        upvotes: Count,
        comment_count: Count,
        daily_rank: Count,
      }),
    )
    .readonly()
    .nullable(),
  comment_count: Count,
  thumbnail_url: Text,
  media: z
    .array(z.object({ type: z.enum(['image', 'video']), url: z.string() }))
    .readonly()
    .nullable(),
  links: z.array(ProfileLink).readonly().nullable(),
});

type Product = z.output<typeof Product>;

const ProductInput = z.object({
  slug: z.string().min(1).max(200).optional().describe("The last segment of the product's address"),
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The number of one of its launches; takes precedence over slug and url'),
  url: z.url().max(2000).optional().describe('Address of the product, or of one of its launches'),
});

type ProductInput = z.output<typeof ProductInput>;

const ProductAnswer = z.object({ product: Product });

type ProductSource = EndpointSource<typeof ProductInput, typeof ProductAnswer>;

const pageSource: ProductSource = {
  name: 'page',
  request(input, site) {
    const { kind, key } = readTarget(input, site);
    return { origin: 'web', path: `/${kind}/${encodeURIComponent(key)}` };
  },
  parse: (source, input, site) => buildAnswer(parseProductPage(source, input, site)),
};

const apiSource: ProductSource = {
  name: 'api',
  lacks:
    'the documented interface has only launches: no followers, reviews, categories and other launches of the product',
  when: hasToken,
  request: buildProductApiRequest,
  parse: (source, input, site) => buildAnswer(parseApiProduct(source, input, site)),
};

export const productHuntProduct = productHunt({
  path: '/product',
  summary: 'A product with its makers and launches',
  input: ProductInput,
  record: ProductAnswer,
  anyOf: ['id', 'slug', 'url'],
  aliases: { slug: ['product'] },
  sources: [pageSource, apiSource],
  expected: ['product.tagline', 'product.upvotes', 'product.topics', 'product.makers', 'product.launched_at'],
  canary: { slug: 'framer' },
});

/** The requested product or launch, by slug or id. */
type LaunchTarget = { readonly kind: 'products' | 'posts'; readonly key: string };

const SLUG = /^[a-z0-9][a-z0-9._-]{0,199}$/i;
const IN_PATH = /^\/(?:(products|posts)\/([^/?#]+)|r\/p\/(\d{1,12}))(?:[/?#]|$)/;

/** Reads the product or launch from the input. Throws `not_found`, or `invalid_request` for another address. */
function readTarget({ slug, id, url }: ProductInput, site: Pick<SiteContext, 'locate'>): LaunchTarget {
  if (id !== undefined)
    return /^\d{1,12}$/.test(id) ? { kind: 'posts', key: id } : refuseReference('id', 'is not a number');
  const reference = slug?.trim() ?? '';
  if (SLUG.test(reference)) return { kind: 'products', key: reference.toLowerCase() };
  const name = slug === undefined ? 'url' : 'slug';
  const place = site.locate(slug ?? url ?? '');
  const [, kind, key, number] = IN_PATH.exec(place?.path ?? '') ?? [];
  if (number !== undefined) return { kind: 'posts', key: number };
  if (key === undefined && place !== null)
    return refuseLink({ parameter: name, place, kinds: PATH_KINDS, wanted: 'a product' });
  if (key === undefined || !SLUG.test(key)) return refuseReference(name, 'is not a product of this site');
  return { kind: kind === 'posts' ? 'posts' : 'products', key: key.toLowerCase() };
}

const DESCRIPTION_ONLY = 'the page had only its structured data';

function buildAnswer(parsed: Product | SiteAnswer) {
  if (!('slug' in parsed)) return parsed;
  return parsed.id === null && parsed.launches === null
    ? markPartial({ product: parsed }, DESCRIPTION_ONLY)
    : { product: parsed };
}

/** Parses the page of a product: the data in its scripts and its structured data. Pages of launches redirect to it. */
function parseProductPage(source: SourcePage, input: ProductInput, site: SiteContext): Product | SiteAnswer {
  const { kind, key } = readTarget(input, site);
  const page = parsePage(source.body, source.url);
  const data = listVariables(page, DATA_MARK);
  const slug = parseSlugUrl(findCanonicalUrl(page) ?? '') ?? parseSlugUrl(source.url);
  if (slug === null)
    return findObjectsWith(data, 'product').some((one) => one['product'] === null)
      ? notFound('no such product')
      : unusable('no product');
  if (kind === 'products' && slug !== key) return notFound(`the site redirects to another product: ${slug}`);
  const posts = listPosts(data, slug);
  const isWanted = (post: JsonObject): boolean =>
    [toLine(post['id']), toLine(post['slug'])?.toLowerCase()].includes(key);
  if (kind === 'posts' && !posts.some(isWanted)) return unusable('the requested launch is missing');
  const isOwn = (one: JsonObject): boolean =>
    readType(one) === 'Product' && toLine(one['slug'])?.toLowerCase() === slug;
  const product = mergeFragments([...findObjects(data, isOwn), parseDescribedProduct(page, slug)]);
  return (
    parseProduct({ slug, product, posts, requested: kind === 'posts' ? key : null }) ??
    unusable('the name of the product is missing')
  );
}

function parseSlugUrl(address: string): string | null {
  return /^\/products\/([^/?#]+)/.exec(URL.parse(address, HOME)?.pathname ?? '')?.[1]?.toLowerCase() ?? null;
}

function readType(object: JsonObject): string | null {
  return toLine(object['__typename']);
}

/** Lists the launches of a product. The data contain each launch in several fragments, which are merged. */
function listPosts(data: unknown, slug: string): readonly JsonObject[] {
  const fragments = new Map<string, JsonObject[]>();
  for (const post of findObjects(data, (one) => readType(one) === 'Post')) {
    const id = toLine(post['id']) ?? '';
    fragments.set(id, [...(fragments.get(id) ?? []), post]);
  }
  const posts = [...fragments.values()].map(mergeFragments);
  return posts.filter((post) => toLine(getPath(post, 'product', 'slug'))?.toLowerCase() === slug);
}

/** Parses the structured data of the product into the form of the site's own data. */
function parseDescribedProduct(page: ParsedPage, slug: string): JsonObject {
  const described = listEntities(page, 'Product', 'SoftwareApplication', 'WebApplication', 'MobileApplication');
  const own = described.find(
    ({ members }) => parseSlugUrl(toLine(members['url']) ?? toLine(members['@id']) ?? '') === slug,
  )?.members;
  const rating = getPath(own, 'aggregateRating');
  return {
    name: toLine(own?.['name']),
    description: own?.['description'],
    reviewsCount: getPath(rating, 'reviewCount') ?? getPath(rating, 'ratingCount'),
    reviewsRating: getPath(rating, 'ratingValue'),
  };
}

const PERSON_FIELDS = '{ id username name headline profileImage }';
const QUERY = `query Launch($id: ID, $slug: String) { post(id: $id, slug: $slug) {
  __typename id name slug tagline description url website votesCount commentsCount reviewsRating createdAt featuredAt
  thumbnail { url } media { type url videoUrl } topics(first: 20) { edges { node { name slug } } }
  user ${PERSON_FIELDS} makers ${PERSON_FIELDS} } }`;

/** The API has only launches. The first launch of a product usually has the product's slug. */
function buildProductApiRequest(input: ProductInput, site: RequestContext): SiteRequest {
  const { key } = readTarget(input, site);
  const isNumber = /^\d+$/.test(key);
  return buildApiRequest(site, QUERY, { id: isNumber ? key : null, slug: isNumber ? null : key });
}

function parseApiProduct(source: SourcePage, input: ProductInput, site: SiteContext): Product | SiteAnswer {
  const answer = parseJsonValue(source.body);
  const refused = readQueryError(answer);
  if (refused !== null) return refused;
  const post = getPath(answer, 'data', 'post');
  if (!isJsonObject(post))
    return isJsonObject(getPath(answer, 'data')) ? notInSource('no launch of that name') : unusable('no launch');
  const { key } = readTarget(input, site);
  const slug = toLine(post['slug'])?.toLowerCase() ?? '';
  if (key !== slug && key !== toLine(post['id'])) return unusable('the requested launch is missing');
  return (
    parseProduct({ slug, product: {}, posts: [post], requested: key }) ?? unusable('the name of the product is missing')
  );
}

/** A product in the site's data, its posts, and the slug or id of the requested post. Null requests the latest. */
type ProductContext = {
  readonly slug: string;
  readonly product: JsonObject;
  readonly posts: readonly JsonObject[];
  readonly requested: string | null;
};

/** Members of a product that link to other sites. */
const LINK_MEMBERS = [
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

/** Parses a product in the site's data. Null if its name is missing. */
function parseProduct({ slug, product, posts, requested }: ProductContext): Product | null {
  const ownLaunches = posts
    .flatMap((post) => parseLaunch(post) ?? [])
    .toSorted((one, other) => (other.launched_at ?? '').localeCompare(one.launched_at ?? ''));
  const main = ownLaunches.find(({ id, slug: own }) => requested === id || requested === own) ?? ownLaunches[0] ?? null;
  const post = posts.find(({ id }) => main !== null && toLine(id) === main.id) ?? {};
  const name = toLine(product['name']) ?? main?.name ?? null;
  if (name === null) return null;
  const reviews = toNatural(product['reviewsCount']);
  const links = LINK_MEMBERS.map((one) => product[one]).filter((one) => one !== undefined);
  return {
    id: toLine(product['id']),
    name,
    slug,
    url: `${HOME}/products/${encodeURIComponent(slug)}`,
    tagline: toLine(product['tagline']) ?? main?.tagline ?? null,
    description: toText(product['description']) ?? toText(post['description']),
    website_url: parseWebsite(product) ?? cleanOutboundUrl(post['website']),
    upvotes: main?.upvotes ?? null,
    launch_day_upvotes: main?.launch_day_upvotes ?? null,
    followers: toNatural(product['followersCount']),
    review_count: reviews,
    // A product without reviews has a rating of 0.
    rating: reviews === 0 ? null : (parseRating(product['reviewsRating']) ?? parseRating(post['reviewsRating'])),
    topics: parseTopics(product['topics']) ?? main?.topics ?? null,
    categories: parseTopics(product['categories']),
    makers: parseMakers(product['makers']) ?? parseMakers(post['makers']),
    hunter: parsePerson(post['hunter'] ?? post['user']),
    launched_at: main?.launched_at ?? null,
    launches: ownLaunches.length === 0 ? null : ownLaunches.map(summarizeLaunch),
    comment_count: main?.comment_count ?? null,
    thumbnail_url: buildPictureUrl(product['logoUuid']) ?? main?.thumbnail_url ?? null,
    media: parseMedia(product['media']) ?? parseMedia(post['media']),
    links: links.length === 0 ? null : buildLinks(links),
  };
}

function summarizeLaunch({ id, name, tagline, slug, launched_at, upvotes, comment_count, daily_rank }: Launch) {
  return { id, name, tagline, slug, launched_at, upvotes, comment_count, daily_rank };
}

/** Lists the elements of an array or of a GraphQL connection. */
function listElements(raw: unknown): readonly unknown[] | null {
  if (Array.isArray(raw)) return toArray(raw);
  return Array.isArray(getPath(raw, 'edges')) ? listNodes(raw) : null;
}

function parseMakers(raw: unknown): Product['makers'] {
  return listElements(raw)?.flatMap((one) => parsePerson(one) ?? []) ?? null;
}

function parseWebsite(product: JsonObject): string | null {
  const domain = toLine(product['websiteDomain']) ?? toLine(product['cleanUrl']);
  return cleanOutboundUrl(product['websiteUrl']) ?? (domain === null ? null : cleanOutboundUrl(`https://${domain}`));
}

function parseRating(raw: unknown): number | null {
  const rating = toNumber(raw);
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

function parseMedia(raw: unknown): Product['media'] {
  const elements = listElements(raw);
  if (elements === null) return null;
  return elements.filter(isJsonObject).flatMap((one): NonNullable<Product['media']> => {
    const video = toMediaUrl(one['videoUrl'] ?? getPath(one, 'metadata', 'url'), HOME);
    if (video !== null) return [{ type: 'video', url: video }];
    const picture = buildPictureUrl(one['imageUuid']) ?? toMediaUrl(one['url'], HOME);
    return picture === null ? [] : [{ type: 'image', url: picture }];
  });
}
