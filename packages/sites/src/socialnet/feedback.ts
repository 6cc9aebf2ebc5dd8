import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { Count } from '#extract/values/counts.ts';
import { at, countOf, line } from '#extract/values/raw.ts';

/** Members that only what people made of a post has. */
const MEMBERS = [
  'i18n_reaction_count',
  'reaction_count',
  'comment_rendering_instance',
  'total_comment_count',
  'share_count',
  'video_view_count',
  'share_count_reduced',
  'likers',
  'reactors',
] as const;

/** What people made of posts, by the numbers that it names its post by. */
export type Feedback = ReadonlyMap<string, readonly JsonObject[]>;

/** Everything of a page that counts what people made of some post. It may stand apart from the post. */
export function feedbackIn(page: ParsedPage): Feedback {
  const known = new Map<string, JsonObject[]>();
  for (const one of new Set(MEMBERS.flatMap((name) => objectsWith(page, name)))) {
    const target = line(one['subscription_target_id']) ?? line(one['share_fbid']);
    const reel = /\/reel\/(\d{5,25})\b/.exec(line(one['url']) ?? '')?.[1] ?? null;
    for (const id of new Set([target, line(one['id']), reel])) {
      if (id === null) continue;
      const others = known.get(id);
      if (others === undefined) known.set(id, [one]);
      else others.push(one);
    }
  }
  return known;
}

/** The counts under a post, joined by the first of its numbers that they know it by: plain, or `feedback:` and it in base64. */
export function statsOf(feedback: Feedback, ids: readonly string[]) {
  const known =
    ids
      .map((id) => [
        ...(feedback.get(id) ?? []),
        ...(feedback.get(Buffer.from(`feedback:${id}`).toString('base64')) ?? []),
      ])
      .find((one) => one.length > 0) ?? [];
  const reactions = countAt(
    known,
    (one) =>
      at(one, 'reaction_count', 'count') ??
      one['i18n_reaction_count'] ??
      at(one, 'likers', 'count') ??
      at(one, 'reactors', 'count'),
  );
  const comments = countAt(
    known,
    (one) =>
      at(one, 'comment_rendering_instance', 'comments', 'total_count') ??
      one['total_comment_count'] ??
      at(one, 'comment_count', 'total_count'),
  );
  const shares = countAt(
    known,
    (one) => at(one, 'share_count', 'count') ?? one['i18n_share_count'] ?? one['share_count_reduced'],
  );
  const views = countAt(known, (one) => one['video_view_count'] ?? one['play_count_reduced']);
  return {
    reactions: reactions?.value ?? null,
    comments: comments?.value ?? null,
    shares: shares?.value ?? null,
    views: views?.value ?? null,
    counts_approximate: [reactions, comments, shares].some((one) => one?.approximate === true),
  };
}

/** The first count of them, one that is exact before others. */
function countAt(known: readonly JsonObject[], pick: (one: JsonObject) => unknown): Count | null {
  const counts = known.flatMap((one) => countOf(pick(one), 'en-US') ?? []);
  return counts.find(({ approximate }) => !approximate) ?? counts[0] ?? null;
}
