import { blocked, pageOf, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { all, attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { integer, moment, url } from '#extract/values/raw.ts';
import { afterOf, atMost, listQueryOf } from './listing.ts';
import { attributeIn, isPage, toOldComment } from './post-old.ts';
import { WEB } from './site.ts';
import { postAt } from './subreddit-old.ts';
import { APART, areBy, bareUser, personOf } from './user-input.ts';
import type { ForumUser, UserInput, UserItem } from './user-input.ts';

/** The plain page of a person: what they wrote, with their karma beside it. */
export const userOldPage = {
  name: 'old',
  lacks: 'texts of the posts, and number, icon and standing of the person: the plain page has none',
  request: (input: UserInput, site: Sending): SiteRequest => ({
    origin: 'old',
    path: `/user/${personOf(input, site)}/`,
    query: { ...listQueryOf(input, site), sort: input.sort },
  }),
  parse: (source: SourcePage, input: UserInput, site: SiteView) => {
    const page = parsePage(source.body, source.url);
    const table = one(page, '#siteTable');
    if (table === 0) return isPage(page) ? unusable('a list of posts and comments') : blocked('no_page');
    const nodes = all(page, ':scope > .thing.link, :scope > .thing.comment', table);
    const items = nodes.flatMap((node) => itemAt(page, node) ?? []);
    if (items.length === 0 && (nodes.length > 0 || one(page, '#noresults') === 0))
      return unusable('posts and comments that can be read');
    const name = personOf(input, site);
    const shown = lineAt(page, '.side .titlebox h1');
    if (shown?.toLowerCase() !== name.toLowerCase() || !areBy(name, items)) return unusable('the person asked for');
    const { elements, next } = atMost(site, {
      elements: items,
      next: afterOf(attributeAt(page, '.next-button a', 'href'), WEB),
    });
    return pageOf({ user: site.cursor === null ? toUser(page, shown) : null, items: elements }, next);
  },
};

function itemAt(page: ParsedPage, node: number): UserItem | null {
  const classes = ` ${attributeIn(page, node, 'class') ?? ''} `;
  if (classes.includes(' link ')) {
    const post = postAt(page, node);
    return post === null ? null : { kind: 'post', ...post };
  }
  const comment = toOldComment(page, node);
  if (comment === null) return null;
  return {
    ...comment,
    ...APART,
    subreddit: attributeIn(page, node, 'data-subreddit'),
    post_title: lineAt(page, '.parent a.title', node),
    post_url: url(attributeAt(page, '.parent a.title', 'href', node), WEB),
  };
}

function toUser(page: ParsedPage, name: string): ForumUser {
  const posts = integer(lineAt(page, '.side .titlebox .karma'));
  const comments = integer(lineAt(page, '.side .titlebox .comment-karma'));
  return {
    ...bareUser(name),
    created_at: moment(attributeAt(page, '.side .age time', 'datetime')),
    link_karma: posts,
    comment_karma: comments,
    is_suspended: false,
  };
}
