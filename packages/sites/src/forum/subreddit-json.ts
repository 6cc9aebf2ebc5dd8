import { z } from 'zod';
import { pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, integer, line, list, mediaUrl, moment, text } from '#extract/values/raw.ts';
import type { ForumPost } from './fields.ts';
import { type JsonCall, jsonSources } from './json-sources.ts';
import { atMost, listQueryOf } from './listing.ts';
import { toApiPost } from './post-json.ts';
import { WEB } from './site.ts';
import { areOf, bareSubreddit, communityOf, SubredditPage } from './subreddit-input.ts';
import type { Subreddit, SubredditInput } from './subreddit-input.ts';

/** What is kept of the list while the community itself is asked for. */
const Kept = z.object({ page: SubredditPage, next: z.string().nullable() });

/** A list of posts, and on its first page what the community says of itself. */
export const subredditJson = jsonSources<SubredditInput, SubredditPage>({
  first: (input, site) => ({
    path: `/r/${communityOf(input, site)}/${input.sort}`,
    query: listQueryOf(input, site),
  }),
  read: (call) => (call.kept === undefined ? readPosts(call) : readAbout(call)),
});

function readPosts({ body, input, site, ask }: JsonCall<SubredditInput>) {
  const raw = tryParse(body);
  const name = communityOf(input, site);
  const children = at(raw, 'data', 'children');
  if (at(raw, 'kind') !== 'Listing' || !Array.isArray(children)) return unusable('a list of posts');
  const posts = list(children).flatMap((child) =>
    at(child, 'kind') === 't3' ? (listedPostOf(at(child, 'data')) ?? []) : [],
  );
  if (posts.length === 0 && children.length > 0) return unusable('posts that can be read');
  if (!areOf(name, posts)) return unusable('the posts of another community');
  const { elements, next } = atMost(site, { elements: posts, next: line(at(raw, 'data', 'after')) });
  if (site.cursor !== null) return pageOf({ subreddit: null, posts: elements }, next);
  const page = { subreddit: bareSubreddit(name, elements), posts: elements };
  return ask(
    { path: `/r/${name}/about` },
    { page, next },
    partly(pageOf(page, next), 'what the community says of itself'),
  );
}

function readAbout({ body, kept }: JsonCall<SubredditInput>) {
  const raw = tryParse(body);
  const { page, next } = Kept.parse(kept);
  const name = page.subreddit?.name ?? '';
  const about = at(raw, 'kind') === 't5' ? toSubreddit(at(raw, 'data')) : null;
  if (about?.name.toLowerCase() !== name.toLowerCase()) return unusable('the community asked for');
  return pageOf({ ...page, subreddit: about }, next);
}

function toSubreddit(data: unknown): Subreddit | null {
  const name = line(at(data, 'display_name'));
  if (name === null) return null;
  return {
    name,
    id: line(at(data, 'name')),
    title: line(at(data, 'title')),
    description: text(at(data, 'public_description')),
    subscribers: integer(at(data, 'subscribers')),
    active_users: integer(at(data, 'active_user_count') ?? at(data, 'accounts_active')),
    created_at: moment(at(data, 'created_utc')),
    is_nsfw: boolean(at(data, 'over18')),
    icon_url: mediaUrl(line(at(data, 'community_icon')) ?? line(at(data, 'icon_img')), WEB),
  };
}

/** One post of a list; null for what has neither number nor title. */
export function listedPostOf(data: unknown): ForumPost | null {
  const id = line(at(data, 'id'));
  const title = line(at(data, 'title'));
  return id === null || title === null ? null : toApiPost(data, { id, title });
}
