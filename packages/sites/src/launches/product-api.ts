import { notHere, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { askApi, queryRefusalOf } from './graph-api.ts';
import { targetOf } from './product-input.ts';
import type { LaunchedInput } from './product-input.ts';
import type { LaunchedProduct } from './product-record.ts';
import { toProduct } from './to-product.ts';

const PERSON = '{ id username name headline profileImage }';
const QUERY = `query Launch($id: ID, $slug: String) { post(id: $id, slug: $slug) {
  __typename id name slug tagline description url website votesCount commentsCount reviewsRating createdAt featuredAt
  thumbnail { url } media { type url videoUrl } topics(first: 20) { edges { node { name slug } } }
  user ${PERSON} makers ${PERSON} } }`;

/** The documented interface knows launches alone; the first of a product has mostly its slug. */
export function askApiForProduct(input: LaunchedInput, site: Sending): SiteRequest {
  const { key } = targetOf(input, site);
  const isNumber = /^\d+$/.test(key);
  return askApi(site, QUERY, { id: isNumber ? key : null, slug: isNumber ? null : key });
}

export function readApiProduct(source: SourcePage, input: LaunchedInput, site: SiteView): LaunchedProduct | SiteAnswer {
  const answer = tryParse(source.body);
  const refused = queryRefusalOf(answer);
  if (refused !== null) return refused;
  const post = at(answer, 'data', 'post');
  if (!isJsonObject(post))
    return isJsonObject(at(answer, 'data')) ? notHere('no launch of that name') : unusable('a launch');
  const { key } = targetOf(input, site);
  const slug = line(post['slug'])?.toLowerCase() ?? '';
  if (key !== slug && key !== line(post['id'])) return unusable('the launch asked for');
  return toProduct({ slug, product: {}, posts: [post], asked: key }) ?? unusable('the name of the product');
}
