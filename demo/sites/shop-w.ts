import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A second shop: one product, one that it took the place of, and what it shows to those that it takes for robots. */
export const shopWPages: SitePages = {
  site: 'shop-w',
  origins: { web: ({ url }) => answer(url.pathname) },
};

function answer(path: string): Reply {
  switch (path) {
    case '/ip/700100200':
      return madePage('shop-w', 'product--mill.page.html');
    case '/ip/700100111':
      return { ...html(''), status: 301, headers: { location: '/ip/700100200' } };
    case '/ip/700100300':
      return html('<!doctype html><title>Robot or human?</title><div id="px-captcha"></div>\n', 412);
    default:
      return html('<!doctype html><title>Not found</title><h1>This page could not be found.</h1>\n', 404);
  }
}
