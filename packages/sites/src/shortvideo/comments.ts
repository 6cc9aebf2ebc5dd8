import { z } from 'zod';
import { givenBefore, roundsFor, scrolledPage } from '#sites/scrolled-list.ts';
import { empty, unusable } from '#sites/framework/answers.ts';
import { at, list } from '#extract/values/raw.ts';
import { clipIdOf, ClipInput } from './clip-input.ts';
import { answersIn, hasMoreAfter, hasNoComments } from './clip-lists.ts';
import { ClipComment } from './clip-record.ts';
import { clipRefusal, pageScope } from './page-data.ts';
import { readClipComment } from './read-clip.ts';
import { shortvideo } from './site.ts';

export const clipComments = shortvideo({
  path: '/comments',
  summary: 'The comments under a short video, as its page loads them in a browser',
  input: ClipInput,
  record: z.object({ comments: z.array(ClipComment).readonly() }),
  anyOf: ['id', 'url'],
  aliases: { limit: ['per_page'] },
  list: 'comments',
  limit: { default: 20, most: 200 },
  expected: ['comments.text', 'comments.created_at', 'comments.like_count', 'comments.author.username'],
  canary: { id: '6718335390845095173' },
  needs: 'browser',
  browser: { more: 'end', click: ['[data-e2e="comment-icon"]'] },
  captures: [{ name: 'comments', path: '/api/comment/list/' }],
  request: (input, site) => ({
    origin: 'web',
    path: `/@_/video/${clipIdOf(input, site)}`,
    rounds: Math.max(1, roundsFor(site)),
  }),
  parse(page, input, site) {
    const id = clipIdOf(input, site);
    const refused = clipRefusal(pageScope(page, 'webapp.video-detail'));
    if (refused !== null) return refused;
    const answers = answersIn(page);
    const read = answers.flatMap((answer) => list(at(answer, 'comments')).flatMap((one) => readClipComment(one) ?? []));
    const own = read.filter(({ video_id: video }) => video === id);
    const comments = [...new Map(own.map((one) => [one.id, one])).values()];
    if (comments.length === 0) return hasNoComments(answers) ? empty() : unusable('comments of the video');
    const stretch = { hasMore: hasMoreAfter(answers), given: givenBefore(site) };
    return scrolledPage(comments, stretch, (some) => ({ comments: some }));
  },
});
