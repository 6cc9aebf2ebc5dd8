import { unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { variablesOf } from '#extract/dom/scripts.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { countOf } from '#extract/values/raw.ts';
import { isSameTerm, termAt, toBoard } from './board.ts';
import type { Board } from './board.ts';
import { feedIn } from './feed.ts';
import type { Feed } from './feed.ts';
import type { LeaderboardInput } from './leaderboard-input.ts';
import { DATA, LAUNCHES_HOME } from './site.ts';
import type { Period } from './term.ts';

/** A leaderboard that was read from its page. */
export type ReadBoard = { readonly board: Board; readonly next: Feed['next'] };

/** Reads the page of a leaderboard: the data in its scripts, else what it shows. */
export function readLeaderboardPage(
  source: SourcePage,
  input: LeaderboardInput,
): ReadBoard | ReturnType<typeof unusable> {
  const page = parsePage(source.body, source.url);
  const term = termAt(source.requested);
  const shown = [source.url, canonicalOf(page) ?? source.url].map(termAt);
  if (term === null || !shown.every((other) => isSameTerm(term, other))) return unusable('another leaderboard');
  const feed = feedIn(variablesOf(page, DATA)) ?? shownIn(page, term.period);
  if (feed === null) return unusable('a leaderboard');
  const board = toBoard(feed.posts, { input, term, filter: 'client', headers: source.headers });
  if (board.products.length === 0 && board.topic === null && feed.posts.length > 0)
    return unusable('launches that can be read');
  return { board, next: feed.next };
}

/** What the page of a leaderboard shows; null for any other page, or for one that shows neither launches nor that there are none. */
function shownIn(page: ParsedPage, period: Period): Feed | null {
  if (!/best of product hunt/i.test(`${lineAt(page, 'h1') ?? ''} ${lineAt(page, 'title') ?? ''}`)) return null;
  const posts = all(page, '[data-test^="post-item-"]').flatMap((item) => toPost(page, item, period) ?? []);
  const isFuture = /look into the future/i.test(lineAt(page, 'main') ?? lineAt(page, 'body') ?? '');
  return posts.length > 0 || isFuture ? { posts, next: posts.length > 0 ? undefined : null } : null;
}

/** A launch as the page shows it, in the form of the site's data. Its name may have its rank before it. */
function toPost(page: ParsedPage, item: number, period: Period) {
  const id = /^post-item-(\d+)$/.exec(attributeOf(page.tree, item, 'data-test') ?? '')?.[1];
  const named = one(page, '[data-test^="post-name-"]', item);
  const [, rank, name] = /^(?:(\d{1,4})\. )?(.+)$/.exec(lineOf(page, named) ?? '') ?? [];
  const slug = /^\/(?:products|posts)\/([^/?#]+)/.exec(attributeAt(page, 'a[href]', 'href', item) ?? '')?.[1];
  if (id === undefined || name === undefined || slug === undefined) return null;
  const topics = all(page, 'a[href^="/topics/"]', item).map((link) => ({
    node: { name: lineOf(page, link), slug: attributeOf(page.tree, link, 'href')?.slice('/topics/'.length) },
  }));
  const votes = countOf(lineAt(page, '[data-test="vote-button"]', item), 'en-US')?.value;
  const picture = attributeAt(page, 'img', 'src', item);
  return {
    __typename: 'Post',
    id,
    name,
    slug,
    tagline: lineAt(page, '[data-test^="post-name-"] + *', item),
    product: { slug },
    topics: { edges: topics },
    votesCount: votes,
    [`${period}Rank`]: rank,
    thumbnail: { url: picture === null ? null : new URL(picture, LAUNCHES_HOME).href },
  };
}
