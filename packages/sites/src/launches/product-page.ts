import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { canonicalOf, things } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { variablesOf } from '#extract/dom/scripts.ts';
import { findObjects, findWith, merged } from '#extract/json/search.ts';
import { at, line } from '#extract/values/raw.ts';
import { targetOf } from './product-input.ts';
import type { LaunchedInput } from './product-input.ts';
import type { LaunchedProduct } from './product-record.ts';
import { DATA, LAUNCHES_HOME } from './site.ts';
import { toProduct } from './to-product.ts';

/** Reads the page of a product, to which those of its launches lead: its data, else what it describes of itself. */
export function readProductPage(
  source: SourcePage,
  input: LaunchedInput,
  site: SiteView,
): LaunchedProduct | SiteAnswer {
  const { kind, key } = targetOf(input, site);
  const page = parsePage(source.body, source.url);
  const data = variablesOf(page, DATA);
  const slug = slugIn(canonicalOf(page) ?? '') ?? slugIn(source.url);
  if (slug === null)
    return findWith(data, 'product').some((one) => one['product'] === null)
      ? notFound('no such product')
      : unusable('a product');
  if (kind === 'products' && slug !== key) return notFound(`the site leads to another product: ${slug}`);
  const posts = postsOf(data, slug);
  const isAsked = (post: JsonObject): boolean => [line(post['id']), line(post['slug'])?.toLowerCase()].includes(key);
  if (kind === 'posts' && !posts.some(isAsked)) return unusable('the launch asked for');
  const isOwn = (one: JsonObject): boolean => typeOf(one) === 'Product' && line(one['slug'])?.toLowerCase() === slug;
  const product = merged([...findObjects(data, isOwn), describedIn(page, slug)]);
  return (
    toProduct({ slug, product, posts, asked: kind === 'posts' ? key : null }) ?? unusable('the name of the product')
  );
}

function slugIn(address: string): string | null {
  return /^\/products\/([^/?#]+)/.exec(URL.parse(address, LAUNCHES_HOME)?.pathname ?? '')?.[1]?.toLowerCase() ?? null;
}

function typeOf(object: JsonObject): string | null {
  return line(object['__typename']);
}

/** The launches of a product, the fragments of each as one. */
function postsOf(data: unknown, slug: string): readonly JsonObject[] {
  const fragments = new Map<string, JsonObject[]>();
  for (const post of findObjects(data, (one) => typeOf(one) === 'Post')) {
    const id = line(post['id']) ?? '';
    fragments.set(id, [...(fragments.get(id) ?? []), post]);
  }
  const posts = [...fragments.values()].map(merged);
  return posts.filter((post) => line(at(post, 'product', 'slug'))?.toLowerCase() === slug);
}

/** What a page describes of its product for search engines, in the form of the site's data. */
function describedIn(page: ParsedPage, slug: string): JsonObject {
  const described = things(page, 'Product', 'SoftwareApplication', 'WebApplication', 'MobileApplication');
  const own = described.find(
    ({ members }) => slugIn(line(members['url']) ?? line(members['@id']) ?? '') === slug,
  )?.members;
  const rating = at(own, 'aggregateRating');
  return {
    name: line(own?.['name']),
    description: own?.['description'],
    reviewsCount: at(rating, 'reviewCount') ?? at(rating, 'ratingCount'),
    reviewsRating: at(rating, 'ratingValue'),
  };
}
