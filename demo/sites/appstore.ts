import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SiteCall, type SitePages } from './site-pages.ts';

/** Two stores of apps: one app in each, its reviews, a search and a developer. */
export const appstorePages: SitePages = {
  site: 'appstore',
  origins: { itunes: answerItunes, apple: () => null, play: answerPlay },
};

const NONE = { resultCount: 0, results: [] };

function answerItunes({ url: { pathname, searchParams } }: SiteCall): Reply | null {
  if (pathname === '/search') {
    return searchParams.get('term') === 'mill' ? madePage('appstore', 'search--mill.page.json') : json(NONE);
  }
  if (pathname === '/lookup') {
    const id = searchParams.get('id');
    if (id === '700100200') return madePage('appstore', 'app--mill.page.json');
    return id === '700100300' ? madePage('appstore', 'developer--harrow.page.json') : json(NONE);
  }
  const page = /^\/us\/rss\/customerreviews\/page=(\d+)\/id=700100200\//.exec(pathname)?.[1];
  return page === undefined ? null : madePage('appstore', `reviews--${page === '1' ? 'first' : 'second'}.page.json`);
}

function answerPlay({ url: { pathname, searchParams }, method }: SiteCall): Reply | null {
  switch (pathname) {
    case '/store/apps/details':
      return searchParams.get('id') === 'example.harrow.mill' ? madePage('appstore', 'app--play.page.html') : null;
    case '/store/search':
      if (searchParams.get('q') === 'mill') return madePage('appstore', 'search--play.page.html');
      return html("<!doctype html><p>We couldn't find anything for your search</p>\n");
    case '/store/apps/developer':
      return madePage('appstore', 'developer--play.page.html');
    case '/_/PlayStoreUi/data/batchexecute':
      return method === 'POST' ? reviews() : null;
    default:
      return null;
  }
}

/** All reviews at once: nothing follows. */
function reviews(): Reply {
  const { body } = madePage('appstore', 'reviews--play.page.txt');
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: String(body).replace(String.raw`\"CpgBCpUB\"`, 'null'),
  };
}
