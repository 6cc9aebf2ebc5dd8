import { post } from './post.ts';

export const forumEndpoints = [post];
