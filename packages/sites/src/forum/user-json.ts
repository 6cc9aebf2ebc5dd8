import { pageOf, unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, integer, line, list, mediaUrl, moment, url } from '#extract/values/raw.ts';
import { type JsonCall, jsonSources } from './json-sources.ts';
import { atMost, listQueryOf } from './listing.ts';
import { toApiComment } from './post-json.ts';
import { WEB } from './site.ts';
import { listedPostOf } from './subreddit-json.ts';
import { APART, areBy, ForumUser, personOf } from './user-input.ts';
import type { UserInput, UserItem, UserPage } from './user-input.ts';

/** What a person is, and then what they wrote; the pages after the first are of that alone. */
export const userJson = jsonSources<UserInput, UserPage>({
  first: (input, site) =>
    site.cursor === null ? { path: `/user/${personOf(input, site)}/about` } : overviewOf(input, site),
  read: (call) => {
    const raw = tryParse(call.body);
    return at(raw, 'kind') === 't2' && call.kept === undefined ? readAbout(raw, call) : readItems(raw, call);
  },
});

function overviewOf(input: UserInput, site: JsonCall<UserInput>['site']) {
  return {
    path: `/user/${personOf(input, site)}/overview`,
    query: { ...listQueryOf(input, site), sort: input.sort },
  };
}

function readAbout(raw: unknown, { input, site, ask }: JsonCall<UserInput>) {
  const user = toUser(at(raw, 'data'));
  if (user?.name.toLowerCase() !== personOf(input, site).toLowerCase()) return unusable('the person asked for');
  // Nothing of one who is suspended is shown.
  return user.is_suspended === true ? pageOf({ user, items: [] }, null) : ask(overviewOf(input, site), user);
}

function readItems(raw: unknown, { input, site, kept }: JsonCall<UserInput>) {
  const children = at(raw, 'data', 'children');
  if (at(raw, 'kind') !== 'Listing' || !Array.isArray(children)) return unusable('a list of posts and comments');
  const items = list(children).flatMap((child) => itemOf(child) ?? []);
  if (items.length === 0 && children.length > 0) return unusable('posts and comments that can be read');
  if (!areBy(personOf(input, site), items)) return unusable('what somebody else wrote');
  const { elements, next } = atMost(site, { elements: items, next: line(at(raw, 'data', 'after')) });
  return pageOf({ user: kept === undefined ? null : ForumUser.parse(kept), items: elements }, next);
}

function itemOf(child: unknown): UserItem | null {
  const data = at(child, 'data');
  if (at(child, 'kind') === 't3') {
    const post = listedPostOf(data);
    return post === null ? null : { kind: 'post', ...post };
  }
  const comment = at(child, 'kind') === 't1' ? toApiComment(data) : null;
  if (comment === null) return null;
  return {
    ...comment,
    ...APART,
    subreddit: line(at(data, 'subreddit')),
    post_title: line(at(data, 'link_title')),
    post_url: url(at(data, 'link_permalink'), WEB),
  };
}

function toUser(data: unknown): ForumUser | null {
  const name = line(at(data, 'name'));
  if (name === null) return null;
  const id = line(at(data, 'id'));
  return {
    name,
    id: id === null ? null : `t2_${id}`,
    created_at: moment(at(data, 'created_utc')),
    link_karma: integer(at(data, 'link_karma')),
    comment_karma: integer(at(data, 'comment_karma')),
    total_karma: integer(at(data, 'total_karma')),
    is_moderator: boolean(at(data, 'is_mod')),
    is_employee: boolean(at(data, 'is_employee')),
    is_suspended: boolean(at(data, 'is_suspended')) ?? false,
    icon_url: mediaUrl(line(at(data, 'snoovatar_img')) ?? line(at(data, 'icon_img')), WEB),
  };
}
