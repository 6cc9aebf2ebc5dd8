import { z } from 'zod';
import { linkOf } from './post-input.ts';
import { readAskedPost } from './post-page.ts';
import { SinglePost } from './post-record.ts';
import { socialnet } from './site.ts';

/** One post, photo, video or reel by its address. */
export const socialPost = socialnet({
  path: '/post',
  summary: 'A post, photo, video or reel by permalink',
  input: z.object({ url: z.url().max(2000).describe('Address of the post') }),
  record: z.object({ post: SinglePost }),
  expected: ['post.author', 'post.created_at', 'post.stats.reactions', 'post.stats.comments', 'post.stats.shares'],
  canary: { url: 'https://www.facebook.com/groups/InstantPotCommunity/posts/27761717033495588/' },
  request: (input, site) => linkOf(input, site).request,
  parse: (page, input, site) => readAskedPost(page, linkOf(input, site)),
});
