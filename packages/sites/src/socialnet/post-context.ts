import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, line, text } from '#extract/values/raw.ts';
import type { SinglePost } from './post-record.ts';
import { linkAt } from './site.ts';

const MOST_COMMENTS = 20;

/** The group that a post was written in; null of any other post. */
export function groupOf(story: JsonObject): SinglePost['group'] {
  const content = at(story, 'comet_sections', 'content', 'story');
  const groups = [
    story['to'],
    at(content, 'to'),
    at(content, 'target_group'),
    at(story, 'feedback', 'associated_group'),
  ];
  const group = groups.find(
    (one) => /^Group$/.test(line(at(one, '__typename')) ?? 'Group') && at(one, 'id') !== undefined,
  );
  const id = line(at(group, 'id'));
  if (id === null) return null;
  return { id, name: line(at(group, 'name')), url: linkAt(at(group, 'url') ?? `/groups/${id}/`) };
}

/** The comments right under a post that its page shows; answers to them are none. */
export function commentsOn(page: ParsedPage, ids: readonly string[]): SinglePost['top_comments'] {
  const comments = objectsWith(page, 'preferred_body').filter((one) => isOn(one, ids) && (one['depth'] ?? 0) === 0);
  const read = comments.flatMap((one) => {
    const said = text(at(one, 'preferred_body', 'text')) ?? text(at(one, 'body', 'text'));
    const author = at(one, 'author') ?? at(authorLine(one), 'author') ?? at(authorLine(one), 'user');
    return said === null
      ? []
      : [[line(one['id']) ?? said, { author_name: line(at(author, 'name')), text: said }] as const];
  });
  const unique = [...new Map(read).values()];
  return unique.length === 0 ? null : unique.slice(0, MOST_COMMENTS);
}

/** A comment names its post in its own number, `comment:` and both in base64, or in the line of its author. */
function isOn(comment: JsonObject, ids: readonly string[]): boolean {
  const name = Buffer.from(line(comment['id']) ?? '', 'base64').toString('latin1');
  const parent = line(at(authorLine(comment), 'parent_feedback', 'share_fbid'));
  return ids.some((id) => name.startsWith(`comment:${id}_`) || parent === id);
}

function authorLine(comment: JsonObject): unknown {
  return at(comment, 'comet_comment_author_name_and_badges_renderer', 'comment');
}
