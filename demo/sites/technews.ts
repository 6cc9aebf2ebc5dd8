import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

const TOO_FAST = "<html><body>Sorry, we're not able to serve your requests this quickly.</body></html>\n";

/** Mock technology forum: a list with two pages, a rate-limited list, a story with comments, a user and a search. */
export const TECHNEWS_PAGES: MockSite = {
  site: 'technews',
  origins: { web: answerWeb, api: answerApi, search: answerIndex },
};

function answerWeb({ url: { pathname, searchParams } }: MockCall): PageReply | null {
  if (pathname === '/news') {
    return readSyntheticPage('technews', `front--${searchParams.get('p') === '2' ? 'second' : 'top'}.page.html`);
  }
  return pathname === '/newest' ? { ...buildHtmlReply(TOO_FAST, 503), headers: { 'retry-after': '20' } } : null;
}

function answerApi({ url: { pathname } }: MockCall): PageReply | null {
  if (pathname === '/v0/item/40000001.json') return readSyntheticPage('technews', 'item--story.page.json');
  return pathname === '/v0/user/ilse.json'
    ? readSyntheticPage('technews', 'user--ilse.page.json')
    : buildJsonReply(null);
}

function answerIndex({ url: { pathname, searchParams } }: MockCall): PageReply | null {
  if (pathname === '/api/v1/items/40000001') return readSyntheticPage('technews', 'item--tree.page.json');
  if (!pathname.startsWith('/api/v1/search')) return buildJsonReply({ status: 404, error: 'Not Found' }, 404);
  const query = searchParams.get('query');
  if (query !== null && query !== 'moonlight')
    return buildJsonReply({ hits: [], nbHits: 0, page: 0, nbPages: 0, query });
  return readSyntheticPage('technews', `search--${searchParams.get('page') === '0' ? 'mill' : 'second'}.page.json`);
}
