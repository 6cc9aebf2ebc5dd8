import { html } from '#demo/reply.ts';
import type { Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { searchPage } from './shop-a-search.ts';
import type { SitePages } from './site-pages.ts';

/** A shop: two products, searches, and what it shows to those that it takes for robots. */
export const shopAPages: SitePages = {
  site: 'shop-a',
  origins: { web: ({ url }) => (url.pathname === '/s' ? searchPage(url) : answer(url.pathname)) },
};

function answer(path: string): Reply {
  switch (path) {
    case '/dp/B0HARROW00':
    case '/dp/B0HARROW01':
      return madePage('shop-a', 'product--mill.page.html');
    case '/dp/3000000001':
      return madePage('shop-a', 'product--muehle.page.html');
    case '/dp/B0ROBOT001':
      return html('<!doctype html><title>Robot Check</title><form action="/errors/validateCaptcha"></form>\n');
    default:
      return html('<!doctype html><title>Page Not Found</title><p>We could not find that page.</p>\n', 404);
  }
}
