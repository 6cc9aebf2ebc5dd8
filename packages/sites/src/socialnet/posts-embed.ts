import { parsePage } from '#extract/dom/parsed-page.ts';
import { embeddedPosts } from './embedded-posts.ts';
import type { PostsSource } from './posts-record.ts';
import { embedFor, askedProfileOf } from './profile-input.ts';
import { absent } from './site.ts';

/** The embed that other sites may show of a page; it is seldom walled. */
export const postsEmbed: PostsSource = {
  name: 'embed',
  lacks: 'the embed of a page gives no videos, links and shared posts apart',
  request: (input, site) => embedFor(askedProfileOf(input, site)),
  parse(source, input, site) {
    const posts = embeddedPosts(parsePage(source.body, source.url), askedProfileOf(input, site)) ?? [];
    return posts.length === 0 ? absent(source, 'the posts of the page') : { posts };
  },
};
