import { html } from '#demo/reply.ts';
import type { Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json } from './site-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A forum: one post in every form that it is served in, a private community, and a wall. */
export const forumPages: SitePages = {
  site: 'forum',
  origins: {
    web: ({ url, method }) => answerWeb(url.pathname, method),
    old: ({ url }) => (idOf(url.pathname) === '1mill0' ? madePage('forum', 'post--old.page.html') : null),
    oauth: ({ url, headers }) => answerOauth(url.pathname, headers.authorization),
    short: () => null,
  },
};

function answerWeb(path: string, method: string): Reply | null {
  if (path === '/api/v1/access_token' && method === 'POST') {
    return json({ access_token: 'demo-token', token_type: 'bearer', expires_in: 86_400 });
  }
  if (path.startsWith('/svc/shreddit/comments/')) return madePage('forum', 'post--new-comments.page.html');
  const id = idOf(path);
  if (id === '1barred') return html('<!doctype html><title>Blocked</title><p>Blocked by network security.</p>\n', 403);
  if (path.endsWith('.json')) {
    if (id === '1hidden') return json({ reason: 'private', message: 'Forbidden', error: 403 }, 403);
    return id === '1mill0'
      ? madePage('forum', 'post--stone.page.json')
      : json({ message: 'Not Found', error: 404 }, 404);
  }
  if (id !== '1mill0') return null;
  return madePage('forum', path.endsWith('.rss') ? 'post--atom.page.xml' : 'post--new.page.html');
}

function answerOauth(path: string, authorization: string | undefined): Reply {
  if (authorization !== 'Bearer demo-token') return json({ message: 'Unauthorized', error: 401 }, 401);
  if (idOf(path) === '1mill0') return madePage('forum', 'post--stone.page.json');
  return json({ message: 'Not Found', error: 404 }, 404);
}

function idOf(path: string): string | null {
  return /\/comments\/([0-9a-z]+)/.exec(path)?.[1] ?? null;
}
