import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

const page = (name: string): PageReply => readSyntheticPage('microblog', name);

/** Mock of three microblogging networks: one user on each, their posts, and a login page. */
export const MICROBLOG_PAGES: MockSite = {
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

function answerX({ pathname }: URL): PageReply {
  if (pathname === '/ilse_miller') return page('profile--x.page.html');
  if (pathname.endsWith('/status/1900000000000000004')) return page('post--x.page.html');
  if (pathname === '/i/flow/login') return buildHtmlReply('<!doctype html><title>Log in to X</title>\n');
  if (pathname === '/search') return { ...buildHtmlReply(''), status: 302, headers: { location: '/i/flow/login' } };
  return buildHtmlReply(
    '<!doctype html><title>X</title><div data-testid="error-detail">This page doesn’t exist.</div>\n',
  );
}

function answerSky({ pathname, searchParams }: URL): PageReply {
  const [actor, search] = [searchParams.get('actor'), searchParams.get('q')];
  if (search !== null) return search === 'flour' ? page('search--bluesky.page.json') : buildJsonReply({ posts: [] });
  if (pathname.endsWith('getPostThread') && searchParams.get('uri')?.includes('harrow.example') === true)
    return page('post--bluesky.page.json');
  if (actor !== 'harrow.example') return buildJsonReply({ error: 'InvalidRequest', message: 'Profile not found' }, 400);
  if (pathname.endsWith('getProfile')) return page('profile--bluesky.page.json');
  return page(`posts--bluesky${searchParams.has('cursor') ? '-second' : ''}.page.json`);
}

function answerToots({ url }: MockCall): PageReply | null {
  const { pathname, searchParams } = url;
  if (pathname.endsWith('/lookup'))
    return searchParams.get('acct')?.startsWith('harrow@') === true ? page('profile--mastodon.page.json') : null;
  if (pathname.endsWith('/accounts/1101/statuses'))
    return searchParams.has('max_id') ? buildJsonReply([]) : page('posts--mastodon.page.json');
  return pathname.endsWith('/statuses/110000000000000001') ? page('post--mastodon.page.json') : null;
}
