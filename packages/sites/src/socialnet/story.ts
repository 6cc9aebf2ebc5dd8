import { findWith } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, line, list, moment, text } from '#extract/values/raw.ts';
import { attachedOf } from './attachments.ts';
import { statsOf } from './feedback.ts';
import type { Feedback } from './feedback.ts';
import { authorOf } from './author.ts';
import type { Post } from './post-record.ts';
import { linkAt } from './site.ts';

/** A post of the site's data, and the numbers that it goes by: its own, and those of what hangs on it. */
export type ReadStory = { readonly post: Post; readonly ids: readonly string[] };

type StoryReading = {
  readonly feedback: Feedback;
  /** What the place of the story says. */
  readonly pinned: boolean | null;
  /** What it goes by where it does not say so itself. */
  readonly asked?: { readonly id: string; readonly url: string };
};

/** A story with what its page counts for it; null without number or address. */
export function readStory(story: JsonObject, { feedback, pinned, asked }: StoryReading): ReadStory | null {
  const content = contentOf(story);
  const told = toldBy(story, content);
  const [id, address] = [told.id ?? asked?.id, told.url ?? asked?.url];
  if (id === undefined || address === undefined) return null;
  const shared = at(content, 'attached_story') ?? at(story, 'attached_story');
  const attached = attachedOf(filled(at(content, 'attachments')) ?? at(story, 'attachments'));
  const isShare = at(shared, 'actors') !== undefined || contentOf(shared) !== shared;
  const numbers = [id, ...attached.ids];
  const { counts_approximate: isApproximate, ...stats } = statsOf(feedback, numbers);
  const { images, video, link, kind } = attached;
  const post: Post = {
    ...told,
    id,
    url: address,
    author: told.author ?? attached.owner,
    type: isShare ? 'share' : kind,
    images,
    video,
    link,
    shared_post: isShare ? sharedOf(shared) : null,
    stats: video === null ? { ...stats, views: null } : stats,
    pinned,
    counts_approximate: isApproximate,
  };
  return { post, ids: numbers };
}

/** The part of a story that holds what it says. */
function contentOf(story: unknown): unknown {
  return at(story, 'comet_sections', 'content', 'story') ?? story;
}

function toldBy(story: unknown, content: unknown) {
  const address = at(content, 'wwwURL') ?? at(story, 'wwwURL') ?? at(story, 'permalink_url') ?? at(story, 'url');
  const [dated] = findWith(
    at(story, 'comet_sections', 'context_layout') ?? at(content, 'comet_sections', 'context_layout'),
    'creation_time',
  );
  return {
    id: line(at(story, 'post_id')) ?? line(at(content, 'post_id')) ?? targetOf(story),
    url: linkAt(address),
    text: messageOf(story, content),
    author: authorOf(list(at(content, 'actors'))[0] ?? list(at(story, 'actors'))[0]),
    created_at:
      moment(at(story, 'creation_time')) ?? moment(at(content, 'creation_time')) ?? moment(dated?.['creation_time']),
  };
}

/** The number by which the feedback of a story knows it. */
function targetOf(story: unknown): string | null {
  const [target] = findWith(at(story, 'comet_sections', 'feedback'), 'subscription_target_id');
  return line(target?.['subscription_target_id']);
}

function messageOf(story: unknown, content: unknown): string | null {
  const sections = at(content, 'comet_sections');
  return (
    text(at(sections, 'message', 'story', 'message', 'text')) ??
    text(at(sections, 'message_container', 'story', 'message', 'text')) ??
    text(at(content, 'message', 'text')) ??
    text(at(story, 'message', 'text'))
  );
}

function sharedOf(story: unknown): Post['shared_post'] {
  if (!isJsonObject(story)) return null;
  const content = contentOf(story);
  const { images } = attachedOf(filled(at(content, 'attachments')) ?? at(story, 'attachments'));
  return { ...toldBy(story, content), images };
}

function filled(raw: unknown): unknown {
  return list(raw).length > 0 ? raw : undefined;
}
