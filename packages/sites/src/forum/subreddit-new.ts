import { more, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { all, attributeAt, one } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { integer, line, text } from '#extract/values/raw.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { z } from 'zod';
import { afterOf } from './listing.ts';
import { readPost } from './post-new.ts';
import { WEB } from './site.ts';
import { areOf, bareSubreddit, communityOf, type SubredditInput, SubredditPage } from './subreddit-input.ts';

const LACKS = 'activity, age and icon of the community: the page does not carry them';
const Kept = z.object({ page: SubredditPage, next: z.string().nullable() });

/** The part of a page that brings its posts, and the page itself for what its head says of the community. */
export const subredditNewPage = {
  name: 'new',
  lacks: LACKS,
  request: (input: SubredditInput, site: Sending): SiteRequest => ({
    origin: 'web',
    path: `/svc/shreddit/community-more-posts/${input.sort}/`,
    query: { after: site.cursor, t: input.time?.toUpperCase(), name: communityOf(input, site) },
  }),
  parse: (source: SourcePage, input: SubredditInput, site: SiteView) => {
    const page = parsePage(source.body, source.url);
    if (source.carry !== undefined) return withHead(page, source.carry);
    const name = communityOf(input, site);
    const posts = all(page, 'shreddit-post').flatMap((node) => readPost(page, node) ?? []);
    if (posts.length === 0) return unusable('posts that can be read');
    if (!areOf(name, posts)) return unusable('the posts of another community');
    const next = afterOf(attributeAt(page, 'faceplate-partial[src*="community-more-posts"]', 'src'), WEB);
    if (site.cursor !== null) return pageOf({ subreddit: null, posts }, next);
    const bare = { subreddit: bareSubreddit(name, posts), posts };
    const without = partly(pageOf(bare, next), 'what the community says of itself');
    return more({ origin: 'web', path: `/r/${name}/` }, { page: bare, next }, without);
  },
};

function withHead(page: ParsedPage, carry: unknown) {
  const { page: kept, next } = Kept.parse(carry);
  const head = one(page, 'shreddit-subreddit-header');
  const said = (name: string) => (head === 0 ? null : attributeOf(page.tree, head, name));
  const { subreddit } = kept;
  if (subreddit === null || line(said('name'))?.toLowerCase() !== subreddit.name.toLowerCase())
    return unusable('the community asked for');
  const about = {
    ...subreddit,
    title: line(said('display-name')),
    description: text(said('description')),
    subscribers: integer(said('subscribers')),
  };
  return pageOf({ ...kept, subreddit: about }, next);
}
