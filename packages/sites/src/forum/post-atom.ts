import { notHere, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { readRich } from '#extract/dom/elements.ts';
import { line, moment, url } from '#extract/values/raw.ts';
import { authorName, bareComment, barePost, type Comment, type ForumPost, idOfFullname } from './fields.ts';
import { postPathOf, type PostInput, sortOf, wantedOf } from './post-input.ts';
import { WEB } from './site.ts';

/** The feed of a post, which anyone may read. */
export const atom = {
  name: 'atom',
  lacks: 'scores and counts: the feed has none',
  request: (input: PostInput, site: Sending): SiteRequest => {
    const wanted = wantedOf(input, site);
    if ('share' in wanted) return { origin: 'web', path: wanted.share };
    const query = { limit: input.comment_limit, sort: sortOf(input) };
    return { origin: 'web', path: `${postPathOf(input, wanted.id)}/.rss`, query };
  },
  parse: (page: SourcePage, input: PostInput, site: SiteView) => {
    const wanted = wantedOf(input, site);
    if ('share' in wanted) return notHere('a shared link leads to no feed');
    const entries = feedEntriesOf(readXml(page.body));
    const post = entries.find((entry) => idOfFullname('t3', feedTextOf(entry, 'id')) === wanted.id);
    const title = post === undefined ? null : feedTextOf(post, 'title');
    if (post === undefined || title === null) return unusable('no post in the feed');
    const comments = entries.map(toFeedComment).filter((comment) => comment !== null);
    return {
      post: toFeedPost(post, { id: wanted.id, title }),
      comments: comments.slice(0, input.comment_limit),
      comments_truncated: true,
    };
  },
};

export function feedEntriesOf(feed: XmlElement | null): readonly XmlElement[] {
  return (feed?.children ?? []).filter(({ name }) => name === 'entry');
}

export function toFeedPost(
  entry: XmlElement,
  { id, title }: { readonly id: string; readonly title: string },
): ForumPost {
  const body = readRich(feedTextOf(entry, 'content') ?? '', WEB);
  const author = authorOf(entry);
  return {
    ...barePost(id, title, linkOf(entry) ?? `${WEB}/comments/${id}/`),
    author: author === null ? null : { name: author, id: null },
    created_at: moment(feedTextOf(entry, 'published') ?? feedTextOf(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
  };
}

/** The feed does not tell answers from comments: its depth is open. */
export function toFeedComment(entry: XmlElement): Comment | null {
  const id = idOfFullname('t1', feedTextOf(entry, 'id'));
  if (id === null) return null;
  const body = readRich(feedTextOf(entry, 'content') ?? '', WEB);
  return {
    ...bareComment(id),
    depth: null,
    author: authorOf(entry),
    created_at: moment(feedTextOf(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: linkOf(entry),
  };
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function feedTextOf(element: XmlElement, name: string): string | null {
  return line(childOf(element, name)?.text);
}

function authorOf(entry: XmlElement): string | null {
  return authorName(line(childOf(childOf(entry, 'author'), 'name')?.text)?.replace(/^\/u\//, '') ?? null);
}

function linkOf(entry: XmlElement): string | null {
  return url(childOf(entry, 'link')?.attributes.get('href'), WEB);
}
