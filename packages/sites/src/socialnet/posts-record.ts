import { z } from 'zod';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { Post } from './post-record.ts';
import type { ProfileInput } from './profile-input.ts';

export const PostsAnswer = z.object({ posts: z.array(Post).readonly() });

export type PostsSource = EndpointSource<typeof ProfileInput, typeof PostsAnswer>;
