import { notHere, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at } from '#extract/values/raw.ts';
import { askApi, queryRefusalOf } from './graph-api.ts';
import { isNamed } from './maker-page.ts';
import type { Maker } from './maker-record.ts';
import { toMaker } from './to-maker.ts';

const QUERY = `query Maker($username: String!) { user(username: $username) {
  id username name headline websiteUrl twitterUsername profileImage createdAt
  followers { totalCount } following { totalCount }
  madePosts(first: 20) { edges { node { __typename id name slug tagline votesCount createdAt featuredAt } } } } }`;

export function askApiForMaker(username: string, site: Sending): SiteRequest {
  return askApi(site, QUERY, { username });
}

export function readApiMaker(source: SourcePage, username: string): Maker | SiteAnswer {
  const answer = tryParse(source.body);
  const refused = queryRefusalOf(answer);
  if (refused !== null) return refused;
  const data = at(answer, 'data');
  const user = at(data, 'user');
  if (!isJsonObject(user)) return isJsonObject(data) ? notHere('nobody has that name') : unusable('a person');
  const maker = isNamed(user, username) ? toMaker(user) : null;
  return maker ?? unusable('the person asked for');
}
