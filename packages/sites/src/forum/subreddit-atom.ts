import { pageOf, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { mediaUrl } from '#extract/values/raw.ts';
import { idOfFullname, type ForumPost } from './fields.ts';
import { afterFeed, listQueryOf } from './listing.ts';
import { feedEntriesOf, feedTextOf, toFeedPost } from './post-atom.ts';
import { WEB } from './site.ts';
import { areOf, bareSubreddit, communityOf, type SubredditInput } from './subreddit-input.ts';

/** The feed of a community, which anyone may read. */
export const subredditAtom = {
  name: 'atom',
  lacks: 'scores and counts: the feed has none',
  request: (input: SubredditInput, site: Sending): SiteRequest => ({
    origin: 'web',
    path: `/r/${communityOf(input, site)}/${input.sort}/.rss`,
    query: listQueryOf(input, site),
  }),
  parse: (page: SourcePage, input: SubredditInput, site: SiteView) => {
    const name = communityOf(input, site);
    const feed = readXml(page.body);
    const posts = feedEntriesOf(feed).flatMap((entry) => feedPostOf(entry) ?? []);
    if (feed === null || posts.length === 0) return unusable('no post in the feed');
    if (!areOf(name, posts)) return unusable('the posts of another community');
    const next = afterFeed(site, posts);
    if (site.cursor !== null) return pageOf({ subreddit: null, posts }, next);
    const about = {
      ...bareSubreddit(name, posts),
      title: feedTextOf(feed, 'title'),
      description: feedTextOf(feed, 'subtitle'),
      icon_url: mediaUrl(feedTextOf(feed, 'logo'), WEB),
    };
    return pageOf({ subreddit: about, posts }, next);
  },
};

/** One post of a feed; null for what is none. */
export function feedPostOf(entry: XmlElement): ForumPost | null {
  const id = idOfFullname('t3', feedTextOf(entry, 'id'));
  const title = feedTextOf(entry, 'title');
  return id === null || title === null ? null : toFeedPost(entry, { id, title });
}
