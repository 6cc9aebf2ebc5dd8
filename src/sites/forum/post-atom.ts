import { notHere, unusable } from '#features/sites/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#features/sites/request.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { readRich } from '#extract/dom/elements.ts';
import { line, moment, url } from '#extract/values/raw.ts';
import { authorName, bareComment, barePost, type Comment, idOfFullname } from './fields.ts';
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
    const entries = (readXml(page.body)?.children ?? []).filter(({ name }) => name === 'entry');
    const post = entries.find((entry) => idOfFullname('t3', textOf(entry, 'id')) === wanted.id);
    const title = post === undefined ? null : textOf(post, 'title');
    if (post === undefined || title === null) return unusable('no post in the feed');
    const body = readRich(textOf(post, 'content') ?? '', WEB);
    const author = authorOf(post);
    const comments = entries.map(toComment).filter((comment) => comment !== null);
    return {
      post: {
        ...barePost(wanted.id, title, linkOf(post) ?? `${WEB}/comments/${wanted.id}/`),
        author: author === null ? null : { name: author, id: null },
        created_at: moment(textOf(post, 'published') ?? textOf(post, 'updated')),
        text_html: body?.html ?? null,
        text: body?.text ?? null,
      },
      comments: comments.slice(0, input.comment_limit),
      comments_truncated: true,
    };
  },
};

/** The feed does not tell answers from comments: its depth is open. */
function toComment(entry: XmlElement): Comment | null {
  const id = idOfFullname('t1', textOf(entry, 'id'));
  if (id === null) return null;
  const body = readRich(textOf(entry, 'content') ?? '', WEB);
  return {
    ...bareComment(id),
    depth: null,
    author: authorOf(entry),
    created_at: moment(textOf(entry, 'updated')),
    text_html: body?.html ?? null,
    text: body?.text ?? null,
    permalink: linkOf(entry),
  };
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

function textOf(element: XmlElement, name: string): string | null {
  return line(childOf(element, name)?.text);
}

function authorOf(entry: XmlElement): string | null {
  return authorName(line(childOf(childOf(entry, 'author'), 'name')?.text)?.replace(/^\/u\//, '') ?? null);
}

function linkOf(entry: XmlElement): string | null {
  return url(childOf(entry, 'link')?.attributes.get('href'), WEB);
}
