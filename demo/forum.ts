import { escapeHtml, toDocument } from './layout.ts';
import { html, type Page } from './reply.ts';

type Post = { readonly author: string; readonly at: string; readonly text: string; readonly replies: readonly Post[] };

const PATH = '/forum/starter-smells-of-nail-varnish';

const THREAD: Post = {
  author: 'crumb_and_crust',
  at: '2026-10-11T19:02:00Z',
  text: 'My rye starter smells of nail varnish since Thursday. Is it dead?',
  replies: [
    {
      author: 'ilse_at_the_mill',
      at: '2026-10-11T19:40:00Z',
      text: 'Hungry, not dead. Feed it twice a day for three days and keep it warmer.',
      replies: [
        {
          author: 'crumb_and_crust',
          at: '2026-10-14T07:15:00Z',
          text: 'It smells of apples again. You saved Sunday.',
          replies: [],
        },
      ],
    },
    {
      author: 'old_oven',
      at: '2026-10-12T05:30:00Z',
      text: 'Mine did that in 1994 & it still bakes. < 20 °C is too cold for it.',
      replies: [],
    },
  ],
};

/** The readers' board: one thread with nested answers. */
export function forumPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    [
      PATH,
      ({ origin }) =>
        html(
          toDocument({
            origin,
            path: PATH,
            title: 'Starter smells of nail varnish',
            description: 'Four posts by three readers.',
            head: '<meta property="og:type" content="article">',
            main: `<h1>Starter smells of nail varnish</h1>\n<ol class="thread">${toItem(THREAD)}</ol>`,
          }),
        ),
    ],
  ]);
}

function toItem(post: Post): string {
  const replies = post.replies.length === 0 ? '' : `<ol>${post.replies.map(toItem).join('')}</ol>`;
  return `<li><article class="post"><p class="meta"><b class="author">${post.author}</b> <time datetime="${post.at}">${post.at.slice(0, 16).replace('T', ' ')}</time></p><p>${escapeHtml(post.text)}</p></article>${replies}</li>`;
}
