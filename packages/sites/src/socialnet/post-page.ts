import { notFound, partly } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { attachedOf } from './attachments.ts';
import { feedbackIn } from './feedback.ts';
import { permalinkAt, plainAddress } from './permalink.ts';
import type { Permalink } from './permalink.ts';
import { commentsOn, groupOf } from './post-context.ts';
import { isAt, wantedIdsOf } from './post-place.ts';
import type { FoundPost, PostPlace } from './post-place.ts';
import { mediaIn } from './post-media.ts';
import { sharedAs } from './post-shared.ts';
import { absent } from './site.ts';
import { readStory } from './story.ts';

/** The post that was asked for, among those that its page shows besides. */
export function readAskedPost(source: SourcePage, link: Permalink) {
  const [asked, ended] = [source.requested, source.url].map((one) => new URL(one));
  const final = ended === undefined ? null : permalinkAt(`${ended.pathname}${ended.search}`);
  if (final === null && asked?.pathname !== ended?.pathname) return notFound('the site leads elsewhere instead');
  const page = parsePage(source.body, source.url);
  const wanted = wantedIdsOf(page, link, final);
  const place = {
    page,
    wanted,
    feedback: feedbackIn(page),
    address: plainAddress(final ?? link),
    kind: (final ?? link).kind,
  };
  const isMedia = /^(?:photo|reel|video)$/.test(place.kind);
  const found = (isMedia ? mediaIn(place) : null) ?? storyIn(place) ?? (isMedia ? null : mediaIn(place));
  if (found !== null) {
    const { post, raw, targets } = found;
    return { post: { ...post, group: groupOf(raw), top_comments: commentsOn(page, targets) } };
  }
  const shared = sharedAs(place);
  if (shared === null) return absent(source, 'the post asked for');
  const bare = { post: { ...shared, group: null, top_comments: null } };
  return partly(bare, 'the page gave only what it tells those who share it');
}

/** The story that goes by a wanted number or address, else one with a picture or video of that number. */
function storyIn({ page, wanted, feedback, address }: PostPlace): FoundPost | null {
  const drawn = objectsWith(page, 'comet_sections');
  let holder: FoundPost | null = null;
  for (const raw of drawn) {
    const read = readStory(raw, { feedback, pinned: null });
    if (read === null) continue;
    const { post, ids } = read;
    if (wanted.has(post.id) || isAt(post.url, wanted)) return { post, raw, targets: ids };
    if (holder === null && ids.some((id) => wanted.has(id))) holder = { post, raw, targets: ids };
  }
  if (holder !== null) return holder;
  const [asked = ''] = wanted;
  // A video's own page tells it without the frame of a post.
  for (const raw of objectsWith(page, 'attachments')) {
    const isOwn = attachedOf(raw['attachments']).ids.some((id) => wanted.has(id));
    const read = isOwn ? readStory(raw, { feedback, pinned: null, asked: { id: asked, url: address } }) : null;
    if (read !== null) return { post: read.post, raw, targets: read.ids };
  }
  return null;
}
