import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockSite } from './site-pages.ts';

/** Mock forum: one post, one community and one user in all formats, private content, and a block page. */
export const FORUM_PAGES: MockSite = {
  site: 'forum',
  origins: {
    web: ({ url, method }) => answerWeb(url, method),
    old: ({ url }) => (getId(url.pathname) === '1mill0' ? readSyntheticPage('forum', 'post--old.page.html') : null),
    oauth: ({ url, headers }) => answerOauth(url, headers.authorization),
    short: () => null,
  },
};

function answerWeb(url: URL, method: string): PageReply | null {
  const path = url.pathname;
  if (path === '/api/v1/access_token' && method === 'POST') {
    return buildJsonReply({ access_token: 'demo-token', token_type: 'bearer', expires_in: 86_400 });
  }
  if (path.startsWith('/svc/shreddit/comments/')) return readSyntheticPage('forum', 'post--new-comments.page.html');
  const listed = path.endsWith('.json') ? answerList(url) : null;
  if (listed !== null) return listed;
  const id = getId(path);
  if (id === '1barred')
    return buildHtmlReply('<!doctype html><title>Blocked</title><p>Blocked by network security.</p>\n', 403);
  if (path.endsWith('.json')) {
    if (id === '1hidden') return buildJsonReply({ reason: 'private', message: 'Forbidden', error: 403 }, 403);
    return id === '1mill0'
      ? readSyntheticPage('forum', 'post--stone.page.json')
      : buildJsonReply({ message: 'Not Found', error: 404 }, 404);
  }
  if (id !== '1mill0') return null;
  return readSyntheticPage('forum', path.endsWith('.rss') ? 'post--atom.page.xml' : 'post--new.page.html');
}

function answerOauth(url: URL, authorization: string | undefined): PageReply {
  if (authorization !== 'Bearer demo-token') return buildJsonReply({ message: 'Unauthorized', error: 401 }, 401);
  if (getId(url.pathname) === '1mill0') return readSyntheticPage('forum', 'post--stone.page.json');
  return answerList(url) ?? buildJsonReply({ message: 'Not Found', error: 404 }, 404);
}

/** The listings and details of the community and the user, two pages each; null for others. */
function answerList({ pathname, searchParams }: URL): PageReply | null {
  const [, kind, name, part = ''] = /^\/(r|user)\/([^/]+)\/([a-z]+)(?:\.json)?$/.exec(pathname) ?? [];
  if (kind === undefined) return null;
  if (name === 'closed_mill') return buildJsonReply({ reason: 'private', message: 'Forbidden', error: 403 }, 403);
  const file =
    name === 'milling' && kind === 'r' ? 'subreddit' : name === 'ilse_miller' && kind === 'user' ? 'user' : null;
  if (file === null) return buildJsonReply({ message: 'Not Found', error: 404 }, 404);
  if (part === 'about') return readSyntheticPage('forum', `${file}--about.page.json`);
  const first = file === 'user' ? 'overview' : 'list';
  return readSyntheticPage('forum', `${file}--${searchParams.has('after') ? 'second' : first}.page.json`);
}

function getId(path: string): string | null {
  return /\/comments\/([0-9a-z]+)/.exec(path)?.[1] ?? null;
}
