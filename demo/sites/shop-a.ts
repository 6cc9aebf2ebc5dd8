import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { searchPage } from './shop-a-search.ts';
import type { SitePages } from './site-pages.ts';

/** A shop: two products, the offers of one, searches, and what it shows to those that it takes for robots. */
export const shopAPages: SitePages = {
  site: 'shop-a',
  origins: { web: ({ url }) => answer(url) },
};

function answer(url: URL): Reply {
  switch (url.pathname) {
    case '/s':
      return searchPage(url);
    case '/gp/product/ajax/aodAjaxMain/':
      return offers(url.searchParams);
    case '/dp/B0HARROW00':
    case '/dp/B0HARROW01':
      return madePage('shop-a', 'product--mill.page.html');
    case '/dp/3000000001':
      return madePage('shop-a', 'product--muehle.page.html');
    case '/dp/B0ROBOT001':
      return html(ROBOT);
    default:
      return html('<!doctype html><title>Page Not Found</title><p>We could not find that page.</p>\n', 404);
  }
}

const ROBOT = '<!doctype html><title>Robot Check</title><form action="/errors/validateCaptcha"></form>\n';

/** The list of offers of one product, which ends with its first page; whoever asks for those of another is taken for a robot. */
function offers(query: URLSearchParams): Reply {
  if (query.get('asin') !== 'B0HARROW01') return html(ROBOT);
  if (Number(query.get('pageno') ?? 1) > 1) return html('<div id="aod-container"></div>\n');
  return madePage('shop-a', 'pricing--offers.page.html');
}
