import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, type MockSite } from './site-pages.ts';

const page = (name: string): PageReply => readSyntheticPage('homestay', name);

/** Mock of holiday rentals: three on two pages of results, and one with the data that its page loads. */
export const HOMESTAY_PAGES: MockSite = {
  site: 'homestay',
  origins: { web: ({ url }) => answer(url) },
};

function answer({ pathname, searchParams }: URL): PageReply {
  if (pathname.startsWith('/s/Harrow'))
    return page(`search--${searchParams.has('cursor') ? 'second' : 'harrow'}.page.html`);
  if (pathname.startsWith('/s/')) return page('search--none.page.html');
  switch (pathname) {
    case '/rooms/70010020030040':
      return page('listing--mill.page.html');
    case '/rooms/70010020030040/reviews':
      return page('reviews--mill.page.html');
    case '/api/v3/StaysPdpSections/hash':
      return page('listing--priced.page.json');
    case '/api/v3/StaysPdpReviewsQuery/hash':
      return page('reviews--mill.page.json');
    default:
      return { ...buildHtmlReply(''), status: 302, headers: { location: '/s/Harrow/homes' } };
  }
}
