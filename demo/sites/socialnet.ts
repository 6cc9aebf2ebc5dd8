import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { renderAdLibraryPage } from './ad-library.ts';
import { readSyntheticPage, type MockSite } from './site-pages.ts';

/** Mock social network: a page with posts, photos and reels, a group, events, an event search, a marketplace, the ad library, and login walls. */
export const SOCIALNET_PAGES: MockSite = {
  site: 'socialnet',
  origins: { web: (call) => renderAdLibraryPage(call) ?? answer(call.url) },
};

const LOGIN = buildHtmlReply('<!DOCTYPE html><title>Log in to Facebook</title><form action="/login/"></form>\n');

function answer({ pathname, searchParams }: URL): PageReply {
  if (/^\/marketplace\/(?:[^/]+\/)?search\/$/.test(pathname)) return renderMarketplace(searchParams.get('query') ?? '');
  if (pathname === '/events/search/') return renderEvents(searchParams.get('q') ?? '');
  switch (pathname) {
    case '/groups/valleymillers/posts/900200000000001/':
      return readSyntheticPage('socialnet', 'post--group.page.html');
    case '/harrowmill/':
      return readSyntheticPage('socialnet', 'page--mill.page.html');
    case '/harrowmill/photos/':
      return readSyntheticPage('socialnet', 'photos--mill.page.html');
    case '/harrowmill/reels_tab/':
      return readSyntheticPage('socialnet', 'reels--mill.page.html');
    case '/groups/valleymillers/about/':
      return readSyntheticPage('socialnet', 'group--millers.page.html');
    case '/groups/valleymillers/':
      return readSyntheticPage('socialnet', 'group-posts--millers.page.html');
    case '/profile.php':
      return LOGIN;
    case '/plugins/page.php':
      return renderEmbed(searchParams.get('href') ?? '');
    case '/marketplace/item/700300400500600/':
      return readSyntheticPage('socialnet', 'marketplace-item--tractor.page.html');
    case '/events/700100200300400/':
      return readSyntheticPage('socialnet', 'event--mill.page.html');
    case '/events/700100200300410/':
    case '/events/700100200300411/':
      return readSyntheticPage('socialnet', 'event--recurring.page.html');
    case '/events/700100200300420/':
      return LOGIN;
    case '/events/700100200300421/':
      return buildHtmlReply('<!DOCTYPE html><title>You’re Temporarily Blocked</title><p>You did this too often.</p>\n');
    default:
      return buildHtmlReply('<!DOCTYPE html><title>Page Not Found</title><p>The link may be broken.</p>\n');
  }
}

/** Only millstones are for sale. */
function renderMarketplace(words: string): PageReply {
  if (words.toLowerCase() === 'millstone')
    return readSyntheticPage('socialnet', 'marketplace-search--millstone.page.html');
  const found = { marketplace_search: { feed_units: { edges: [], page_info: { has_next_page: false } } } };
  const data = JSON.stringify({ require: ['CometMarketplaceSearchContentContainer.react'], data: found });
  return buildHtmlReply(
    `<!DOCTYPE html><title>Facebook</title><script type="application/json" data-sjs>${data}</script></html>\n`,
  );
}

/** Only mills have events. */
function renderEvents(words: string): PageReply {
  if (/\bmill\b/i.test(words)) return readSyntheticPage('socialnet', 'events-search--mill.page.html');
  const data = JSON.stringify({ serpResponse: { results: { edges: [], page_info: { has_next_page: false } } } });
  return buildHtmlReply(
    `<!DOCTYPE html><title>Events</title><script type="application/json" data-sjs>${data}</script></html>\n`,
  );
}

/** The embed of the only page with posts, by name or id. */
function renderEmbed(href: string): PageReply {
  if (/\/harrowmill\/$|=112233445566778$/.test(href)) return readSyntheticPage('socialnet', 'posts--embed.page.html');
  return buildHtmlReply('<!DOCTYPE html><html lang="en"><title>Facebook</title><div></div></html>\n');
}
