import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SiteCall, type SitePages } from './site-pages.ts';

const page = (name: string): Reply => madePage('microblog', name);

/** Three networks of short posts: a person on each, their posts, and the login that one of them shows. */
export const microblogPages: SitePages = {
  site: 'microblog',
  origins: {
    web: ({ url }) => answerX(url),
    embed: ({ url }) => (url.searchParams.get('id') === '1900000000000000001' ? page('post--embed.page.json') : null),
    timeline: ({ url }) => (url.pathname.endsWith('/ilse_miller') ? page('posts--x.page.html') : null),
    bluesky: () => null,
    appview: ({ url }) => answerSky(url),
    mastodon: (call) => answerToots(call),
  },
};

function answerX({ pathname }: URL): Reply {
  if (pathname === '/ilse_miller') return page('profile--x.page.html');
  if (pathname.endsWith('/status/1900000000000000004')) return page('post--x.page.html');
  if (pathname === '/i/flow/login') return html('<!doctype html><title>Log in to X</title>\n');
  if (pathname === '/search') return { ...html(''), status: 302, headers: { location: '/i/flow/login' } };
  return html('<!doctype html><title>X</title><div data-testid="error-detail">This page doesn’t exist.</div>\n');
}

function answerSky({ pathname, searchParams }: URL): Reply {
  const [actor, search] = [searchParams.get('actor'), searchParams.get('q')];
  if (search !== null) return search === 'flour' ? page('search--bluesky.page.json') : json({ posts: [] });
  if (pathname.endsWith('getPostThread') && searchParams.get('uri')?.includes('harrow.example') === true)
    return page('post--bluesky.page.json');
  if (actor !== 'harrow.example') return json({ error: 'InvalidRequest', message: 'Profile not found' }, 400);
  if (pathname.endsWith('getProfile')) return page('profile--bluesky.page.json');
  return page(`posts--bluesky${searchParams.has('cursor') ? '-second' : ''}.page.json`);
}

function answerToots({ url }: SiteCall): Reply | null {
  const { pathname, searchParams } = url;
  if (pathname.endsWith('/lookup'))
    return searchParams.get('acct')?.startsWith('harrow@') === true ? page('profile--mastodon.page.json') : null;
  if (pathname.endsWith('/accounts/1101/statuses'))
    return searchParams.has('max_id') ? json([]) : page('posts--mastodon.page.json');
  return pathname.endsWith('/statuses/110000000000000001') ? page('post--mastodon.page.json') : null;
}
