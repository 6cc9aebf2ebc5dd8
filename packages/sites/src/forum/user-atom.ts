import { pageOf, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { afterFeed, listQueryOf } from './listing.ts';
import { feedEntriesOf, feedTextOf, toFeedComment } from './post-atom.ts';
import { feedPostOf } from './subreddit-atom.ts';
import { APART, areBy, personOf } from './user-input.ts';
import type { UserInput, UserItem } from './user-input.ts';

/** The feed of a person, which anyone may read. */
export const userAtom = {
  name: 'atom',
  lacks: 'scores, counts and the person: the feed has none',
  request: (input: UserInput, site: Sending): SiteRequest => ({
    origin: 'web',
    path: `/user/${personOf(input, site)}/.rss`,
    query: { ...listQueryOf(input, site), sort: input.sort },
  }),
  parse: (page: SourcePage, input: UserInput, site: SiteView) => {
    const items = feedEntriesOf(readXml(page.body)).flatMap((entry) => itemOf(entry) ?? []);
    if (items.length === 0) return unusable('nothing in the feed');
    if (!areBy(personOf(input, site), items)) return unusable('what somebody else wrote');
    return pageOf({ user: null, items }, afterFeed(site, items));
  },
};

function itemOf(entry: XmlElement): UserItem | null {
  const post = feedPostOf(entry);
  if (post !== null) return { kind: 'post', ...post };
  const comment = toFeedComment(entry);
  if (comment === null) return null;
  const [, name = null] = /\/r\/([^/]+)\/comments\//.exec(comment.permalink ?? '') ?? [];
  return {
    ...comment,
    ...APART,
    subreddit: name,
    post_title: feedTextOf(entry, 'title')?.replace(/^\/u\/\S+ on /, '') ?? null,
    post_url: comment.permalink?.replace(/[^/]+\/?$/, '') ?? null,
  };
}
