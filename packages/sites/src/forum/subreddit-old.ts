import { blocked, pageOf, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { all, attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { integer, moment } from '#extract/values/raw.ts';
import { idOfFullname, type ForumPost } from './fields.ts';
import { afterOf, atMost, listQueryOf } from './listing.ts';
import { attributeIn, isPage, toOldPost } from './post-old.ts';
import { WEB } from './site.ts';
import { areOf, bareSubreddit, communityOf, type Subreddit, type SubredditInput } from './subreddit-input.ts';

/** The plain page of a community: posts, and most of what there is about it, in one request. */
export const subredditOldPage = {
  name: 'old',
  lacks: 'texts of the posts, description and icon of the community: the plain page has none',
  request: (input: SubredditInput, site: Sending): SiteRequest => ({
    origin: 'old',
    path: `/r/${communityOf(input, site)}/${input.sort}/`,
    query: listQueryOf(input, site),
  }),
  parse: (source: SourcePage, input: SubredditInput, site: SiteView) => {
    const page = parsePage(source.body, source.url);
    const name = communityOf(input, site);
    const table = one(page, '#siteTable');
    if (table === 0) return isPage(page) ? unusable('a list of posts') : blocked('no_page');
    const nodes = all(page, ':scope > .thing.link', table).filter((node) => !isAdvert(page, node));
    const posts = nodes.flatMap((node) => postAt(page, node) ?? []);
    if (posts.length === 0 && (nodes.length > 0 || one(page, '#noresults') === 0))
      return unusable('posts that can be read');
    const shown = lineAt(page, '.side .redditname') ?? (posts.length === 0 ? null : name);
    if (shown?.toLowerCase() !== name.toLowerCase() || !areOf(name, posts))
      return unusable('the posts of another community');
    const said = attributeAt(page, '.next-button a', 'href');
    const { elements, next } = atMost(site, { elements: posts, next: afterOf(said, WEB) });
    if (site.cursor !== null) return pageOf({ subreddit: null, posts: elements }, next);
    return pageOf({ subreddit: toSubreddit(page, bareSubreddit(name, elements), input), posts: elements }, next);
  },
};

/** One post of a list on a plain page; null for what has neither number nor title. */
export function postAt(page: ParsedPage, node: number): ForumPost | null {
  const id = idOfFullname('t3', attributeIn(page, node, 'data-fullname'));
  const title = lineAt(page, 'a.title', node);
  if (id === null || title === null) return null;
  // A list shows neither what is archived nor the words that tell a removed post.
  return { ...toOldPost(page, node, { id, title }), is_archived: null, is_removed: null };
}

function isAdvert(page: ParsedPage, node: number): boolean {
  return attributeIn(page, node, 'data-promoted') === 'true';
}

function toSubreddit(page: ParsedPage, bare: Subreddit, { sort }: SubredditInput): Subreddit {
  return {
    ...bare,
    // The title of the page is that of the community in its usual order alone.
    title: sort === 'hot' ? lineAt(page, 'title') : null,
    subscribers: integer(lineAt(page, '.side .subscribers .number')),
    active_users: integer(lineAt(page, '.side .users-online .number')),
    created_at: moment(attributeAt(page, '.side .age time', 'datetime')),
  };
}
