import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

/** Mock of two app stores: one app in each, its reviews, a search and a developer. */
export const APPSTORE_PAGES: MockSite = {
  site: 'appstore',
  origins: { itunes: answerItunes, apple: () => null, play: answerPlay },
};

const NONE = { resultCount: 0, results: [] };

function answerItunes({ url: { pathname, searchParams } }: MockCall): PageReply | null {
  if (pathname === '/search') {
    return searchParams.get('term') === 'mill'
      ? readSyntheticPage('appstore', 'search--mill.page.json')
      : buildJsonReply(NONE);
  }
  if (pathname === '/lookup') {
    const id = searchParams.get('id');
    if (id === '700100200') return readSyntheticPage('appstore', 'app--mill.page.json');
    return id === '700100300' ? readSyntheticPage('appstore', 'developer--harrow.page.json') : buildJsonReply(NONE);
  }
  const page = /^\/us\/rss\/customerreviews\/page=(\d+)\/id=700100200\//.exec(pathname)?.[1];
  return page === undefined
    ? null
    : readSyntheticPage('appstore', `reviews--${page === '1' ? 'first' : 'second'}.page.json`);
}

function answerPlay({ url: { pathname, searchParams }, method }: MockCall): PageReply | null {
  switch (pathname) {
    case '/store/apps/details':
      return searchParams.get('id') === 'example.harrow.mill'
        ? readSyntheticPage('appstore', 'app--play.page.html')
        : null;
    case '/store/search':
      if (searchParams.get('q') === 'mill') return readSyntheticPage('appstore', 'search--play.page.html');
      return buildHtmlReply("<!doctype html><p>We couldn't find anything for your search</p>\n");
    case '/store/apps/developer':
      return readSyntheticPage('appstore', 'developer--play.page.html');
    case '/_/PlayStoreUi/data/batchexecute':
      return method === 'POST' ? buildReviews() : null;
    default:
      return null;
  }
}

/** All reviews on one page. */
function buildReviews(): PageReply {
  const { body } = readSyntheticPage('appstore', 'reviews--play.page.txt');
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: String(body).replace(String.raw`\"CpgBCpUB\"`, 'null'),
  };
}
