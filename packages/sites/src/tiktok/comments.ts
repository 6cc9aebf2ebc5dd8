import { z } from 'zod';
import { answerEmpty, unusable } from '#sites/framework/answers.ts';
import { parseOffset, countScrollRounds, buildScrolledPage } from '#sites/framework/scrolled-list.ts';
import { getPath, toBoolean, toLine, toArray, toMediaUrl, toNatural, toText } from '#extract/values/raw.ts';
import {
  Author,
  VideoInput,
  Count,
  hasMore,
  isEmptyAnswer,
  parseCaptures,
  parseLanguage,
  parseTime,
  readVideoId,
  readPageData,
  readRefusal,
  Text,
} from './shared.ts';
import { HOME, tiktok } from './site.ts';

const Comment = z.object({
  id: z.string(),
  video_id: Text,
  text: Text,
  author: Author,
  created_at: Text,
  language: Text,
  like_count: Count,
  reply_count: Count,
  is_pinned: z.boolean().nullable(),
});

type Comment = z.output<typeof Comment>;

export const tiktokComments = tiktok({
  path: '/comments',
  summary: 'The comments on a short video, in a browser session',
  input: VideoInput,
  record: z.object({ comments: z.array(Comment).readonly() }),
  anyOf: ['id', 'url'],
  aliases: { limit: ['per_page'] },
  list: 'comments',
  limit: { default: 20, max: 200 },
  expected: ['comments.text', 'comments.created_at', 'comments.like_count', 'comments.author.username'],
  canary: { id: '6718335390845095173' },
  needs: 'browser',
  browser: { more: 'end', click: ['[data-e2e="comment-icon"]'] },
  captures: [{ name: 'comments', path: '/api/comment/list/' }],
  request: (input, site) => ({
    origin: 'web',
    path: `/@_/video/${readVideoId(input, site)}`,
    rounds: Math.max(1, countScrollRounds(site)),
  }),
  parse(page, input, site) {
    const id = readVideoId(input, site);
    const refused = readRefusal(readPageData(page, 'webapp.video-detail'));
    if (refused !== null) return refused;
    const answers = parseCaptures(page);
    const read = answers.flatMap((answer) =>
      toArray(getPath(answer, 'comments')).flatMap((one) => parseComment(one) ?? []),
    );
    const own = read.filter(({ video_id: video }) => video === id);
    const comments = [...new Map(own.map((one) => [one.id, one])).values()];
    if (comments.length === 0) return hasNoComments(answers) ? answerEmpty() : unusable('no comments of the video');
    const stretch = { hasMore: hasMore(answers), given: parseOffset(site) };
    return buildScrolledPage(comments, stretch, (some) => ({ comments: some }));
  },
});

function hasNoComments(answers: readonly unknown[]): boolean {
  return answers.length > 0 && answers.every(isEmptyAnswer);
}

/** Parses a comment of the list of comments. */
function parseComment(raw: unknown): Comment | null {
  const id = toLine(getPath(raw, 'cid'));
  if (id === null) return null;
  const user = getPath(raw, 'user');
  return {
    id,
    video_id: toLine(getPath(raw, 'aweme_id')),
    text: toText(getPath(raw, 'text')),
    author: {
      id: toLine(getPath(user, 'uid')),
      username: toLine(getPath(user, 'unique_id')),
      name: toLine(getPath(user, 'nickname')),
      verified: null,
      avatar_url: toMediaUrl(getPath(user, 'avatar_thumb', 'url_list', 0), HOME),
    },
    created_at: parseTime(getPath(raw, 'create_time')),
    language: parseLanguage(getPath(raw, 'comment_language')),
    like_count: toNatural(getPath(raw, 'digg_count')),
    reply_count: toNatural(getPath(raw, 'reply_comment_total')),
    is_pinned: toBoolean(getPath(raw, 'author_pin')),
  };
}
