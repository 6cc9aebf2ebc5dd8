import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, type MockSite } from './site-pages.ts';

/** Second mock shop: one product, one that it replaced, and a captcha page. */
export const SHOP_W_PAGES: MockSite = {
  site: 'shop-w',
  origins: { web: ({ url }) => answer(url.pathname) },
};

function answer(path: string): PageReply {
  switch (path) {
    case '/ip/700100200':
      return readSyntheticPage('shop-w', 'product--mill.page.html');
    case '/ip/700100111':
      return { ...buildHtmlReply(''), status: 301, headers: { location: '/ip/700100200' } };
    case '/ip/700100300':
      return buildHtmlReply('<!doctype html><title>Robot or human?</title><div id="px-captcha"></div>\n', 412);
    default:
      return buildHtmlReply('<!doctype html><title>Not found</title><h1>This page could not be found.</h1>\n', 404);
  }
}
