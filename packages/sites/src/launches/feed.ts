import { findWith } from '#extract/json/search.ts';
import { at, boolean, line, list } from '#extract/values/raw.ts';
import { nodesOf } from './launch.ts';

/** The posts of a leaderboard in the site's own data, as far as they were sent. */
export type Feed = {
  readonly posts: readonly unknown[];
  /** The token of what follows, null at the end, undefined where the data do not say. */
  readonly next: string | null | undefined;
};

/** The largest leaderboard in the site's data, which has it more than once; null for none. Advertisements are no posts. */
export function feedIn(data: unknown): Feed | null {
  const feeds = findWith(data, 'homefeedItems')
    .map(({ homefeedItems }) => homefeedItems)
    .filter((one) => Array.isArray(at(one, 'edges')))
    .toSorted((one, other) => list(at(other, 'edges')).length - list(at(one, 'edges')).length);
  const [feed] = feeds;
  if (feed === undefined) return null;
  const posts = nodesOf(feed).filter((node) => line(at(node, '__typename')) === 'Post');
  const more = boolean(at(feed, 'pageInfo', 'hasNextPage'));
  if (more === null) return { posts, next: undefined };
  return { posts, next: more ? line(at(feed, 'pageInfo', 'endCursor')) : null };
}
