import { all, attributeAt, lineAt, one, richOf } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { countOf, mediaUrl, moment } from '#extract/values/raw.ts';
import { embeddedPage } from './embed.ts';
import type { EmbeddedPage } from './embed.ts';
import { captionOf } from './media.ts';
import { permalinkAt, plainAddress } from './permalink.ts';
import type { Post } from './post-record.ts';
import type { AskedProfile } from './profile-path.ts';
import { SOCIAL_WEB } from './site.ts';

/** The site gives no more than ten. */
const MOST_POSTS = 50;
const PICTURES = 'img.scaledImageFitWidth, img.scaledImageFitHeight, a[href*="/photo"] img';

/** The posts of an embed, newest first; null when it is not the embed of the wanted page. */
export function embeddedPosts(page: ParsedPage, wanted: AskedProfile): readonly Post[] | null {
  const shown = embeddedPage(page, wanted);
  if (shown === null) return null;
  const articles = all(page, '[role=feed] [role=article]');
  const units = articles.length > 0 ? articles : all(page, '[role=feed] > *');
  const posts = units.slice(0, MOST_POSTS).flatMap((unit) => toPost(page, unit, shown) ?? []);
  return [...new Map(posts.map((post) => [post.id, post])).values()];
}

/** A post with the time that links to it. */
function toPost(page: ParsedPage, unit: number, { id: owner, name, username }: EmbeddedPage): Post | null {
  const links = all(page, 'a[href]', unit).filter((link) => one(page, 'abbr[data-utime]', link) !== 0);
  const address = URL.parse(attributeOf(page.tree, links[0] ?? 0, 'href') ?? '', page.url);
  const place = address === null ? null : permalinkAt(`${address.pathname}${address.search}`);
  if (place === null || place.id === null) return null;
  const [reactions, comments, shares] = ['Like', 'Comment', 'Share'].map((title) =>
    countOf(lineAt(page, `[title="${title}"]`, unit), 'en-US'),
  );
  const home = username === null ? `/profile.php?id=${owner}` : `/${username}`;
  return {
    id: place.id,
    url: plainAddress(place),
    text: richOf(page, one(page, '[data-testid="post_message"]', unit))?.text ?? null,
    author: { id: owner, name, url: `${SOCIAL_WEB}${home}`, username },
    created_at: moment(attributeAt(page, 'abbr[data-utime]', 'data-utime', unit)),
    type: place.kind === 'group' || place.kind === 'share' ? 'post' : place.kind,
    images: all(page, PICTURES, unit).flatMap((node) => {
      const source = mediaUrl(attributeOf(page.tree, node, 'src'), SOCIAL_WEB);
      const alt = captionOf(attributeOf(page.tree, node, 'alt'));
      return source === null ? [] : [{ url: source, width: null, height: null, alt }];
    }),
    video: null,
    link: null,
    shared_post: null,
    stats: {
      reactions: reactions?.value ?? null,
      comments: comments?.value ?? null,
      shares: shares?.value ?? null,
      views: null,
    },
    pinned: null,
    counts_approximate: [reactions, comments, shares].some((count) => count?.approximate === true),
  };
}
