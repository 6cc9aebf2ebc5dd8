import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SiteCall, type SitePages } from './site-pages.ts';

const TOO_FAST = "<html><body>Sorry, we're not able to serve your requests this quickly.</body></html>\n";

/** A forum about technology: a list of two pages, a list behind a limit, a story with comments, a person and a search. */
export const technewsPages: SitePages = {
  site: 'technews',
  origins: { web: answerWeb, api: answerApi, search: answerIndex },
};

function answerWeb({ url: { pathname, searchParams } }: SiteCall): Reply | null {
  if (pathname === '/news') {
    return madePage('technews', `front--${searchParams.get('p') === '2' ? 'second' : 'top'}.page.html`);
  }
  return pathname === '/newest' ? { ...html(TOO_FAST, 503), headers: { 'retry-after': '20' } } : null;
}

function answerApi({ url: { pathname } }: SiteCall): Reply | null {
  if (pathname === '/v0/item/40000001.json') return madePage('technews', 'item--story.page.json');
  return pathname === '/v0/user/ilse.json' ? madePage('technews', 'user--ilse.page.json') : json(null);
}

function answerIndex({ url: { pathname, searchParams } }: SiteCall): Reply | null {
  if (pathname === '/api/v1/items/40000001') return madePage('technews', 'item--tree.page.json');
  if (!pathname.startsWith('/api/v1/search')) return json({ status: 404, error: 'Not Found' }, 404);
  const query = searchParams.get('query');
  if (query !== null && query !== 'moonlight') return json({ hits: [], nbHits: 0, page: 0, nbPages: 0, query });
  return madePage('technews', `search--${searchParams.get('page') === '0' ? 'mill' : 'second'}.page.json`);
}
