import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, type MockSite } from './site-pages.ts';

/** Mock shop: two products, the offers of one, searches, and a captcha page. */
export const SHOP_A_PAGES: MockSite = {
  site: 'shop-a',
  origins: { web: ({ url }) => answer(url) },
};

function answer(url: URL): PageReply {
  switch (url.pathname) {
    case '/s':
      return renderSearchPage(url);
    case '/gp/product/ajax/aodAjaxMain/':
      return renderOffers(url.searchParams);
    case '/dp/B0HARROW00':
    case '/dp/B0HARROW01':
      return readSyntheticPage('shop-a', 'product--mill.page.html');
    case '/dp/3000000001':
      return readSyntheticPage('shop-a', 'product--muehle.page.html');
    case '/dp/B0ROBOT001':
      return buildHtmlReply(ROBOT);
    default:
      return buildHtmlReply('<!doctype html><title>Page Not Found</title><p>We could not find that page.</p>\n', 404);
  }
}

const ROBOT = '<!doctype html><title>Robot Check</title><form action="/errors/validateCaptcha"></form>\n';

/** The offers of one product on a single page; offers of other products return the captcha page. */
function renderOffers(query: URLSearchParams): PageReply {
  if (query.get('asin') !== 'B0HARROW01') return buildHtmlReply(ROBOT);
  if (Number(query.get('pageno') ?? 1) > 1) return buildHtmlReply('<div id="aod-container"></div>\n');
  return readSyntheticPage('shop-a', 'pricing--offers.page.html');
}

/** Search words, with the number of results. */
const FOUND: Readonly<Record<string, number>> = { 'hand mill': 61, 'mill stand': 2 };
const ON_A_PAGE = 16;

/** A result page; each begins with the same ad, so that a product is repeated. */
function renderSearchPage({ searchParams }: URL): PageReply {
  const words = searchParams.get('k') ?? '';
  const total = FOUND[words] ?? 0;
  const last = Math.max(1, Math.ceil(total / ON_A_PAGE));
  const page = Math.min(last, Number(searchParams.get('page') ?? 1));
  const from = (page - 1) * ON_A_PAGE;
  const cards = Array.from({ length: Math.min(total, from + ON_A_PAGE) - from }, (_, at) => toCard(words, from + at));
  const advertised = total === 0 ? [] : [toCard(words, 0, 'AdHolder')];
  return buildHtmlReply(
    `<!doctype html><html lang="en-us"><title>Search</title>
<input id="twotabsearchtextbox" value="${words}">
<div data-component-type="s-result-info-bar"><h2><span>${total} results for</span> <span>"${words}"</span></h2></div>
<div data-component-type="s-search-results">${[...advertised, ...cards].join('\n')}</div>
<div class="s-pagination-container"><span class="s-pagination-item s-pagination-selected">${page}</span>
${page === last ? '' : `<a class="s-pagination-next" href="/s?k=${encodeURIComponent(words)}&page=${page + 1}">Next</a>`}</div>
<div id="navFooter"></div></html>\n`,
  );
}

function toCard(words: string, at: number, kind = ''): string {
  const code = `B0MILL${String(at).padStart(4, '0')}`;
  return `<div class="s-result-item ${kind}" data-component-type="s-search-result" data-asin="${code}">
<div data-cy="title-recipe"><a href="/dp/${code}"><h2>A ${words}, model ${at + 1}</h2></a></div>
<div data-cy="reviews-block"><span class="a-icon-alt">4.5 out of 5 stars</span></div>
<div data-cy="price-recipe"><span class="a-price"><span class="a-offscreen">$${20 + at}.50</span></span></div></div>`;
}
