import { html, type Reply } from '#demo/reply.ts';
import { adLibraryPage } from './ad-library.ts';
import { madePage } from './made-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A social network: a page with its posts, photos and reels, a group with its posts, events, one of them recurring, a search of them, a marketplace, the library of advertisements, and the walls around them. */
export const socialnetPages: SitePages = {
  site: 'socialnet',
  origins: { web: (call) => adLibraryPage(call) ?? answer(call.url) },
};

const LOGIN = html('<!DOCTYPE html><title>Log in to Facebook</title><form action="/login/"></form>\n');

function answer({ pathname, searchParams }: URL): Reply {
  if (/^\/marketplace\/(?:[^/]+\/)?search\/$/.test(pathname)) return marketplaceOf(searchParams.get('query') ?? '');
  if (pathname === '/events/search/') return eventsOf(searchParams.get('q') ?? '');
  switch (pathname) {
    case '/groups/valleymillers/posts/900200000000001/':
      return madePage('socialnet', 'post--group.page.html');
    case '/harrowmill/':
      return madePage('socialnet', 'page--mill.page.html');
    case '/harrowmill/photos/':
      return madePage('socialnet', 'photos--mill.page.html');
    case '/harrowmill/reels_tab/':
      return madePage('socialnet', 'reels--mill.page.html');
    case '/groups/valleymillers/about/':
      return madePage('socialnet', 'group--millers.page.html');
    case '/groups/valleymillers/':
      return madePage('socialnet', 'group-posts--millers.page.html');
    case '/profile.php':
      return LOGIN;
    case '/plugins/page.php':
      return embedOf(searchParams.get('href') ?? '');
    case '/marketplace/item/700300400500600/':
      return madePage('socialnet', 'marketplace-item--tractor.page.html');
    case '/events/700100200300400/':
      return madePage('socialnet', 'event--mill.page.html');
    case '/events/700100200300410/':
    case '/events/700100200300411/':
      return madePage('socialnet', 'event--recurring.page.html');
    case '/events/700100200300420/':
      return LOGIN;
    case '/events/700100200300421/':
      return html('<!DOCTYPE html><title>You’re Temporarily Blocked</title><p>You did this too often.</p>\n');
    default:
      return html('<!DOCTYPE html><title>Page Not Found</title><p>The link may be broken.</p>\n');
  }
}

/** Millstones are for sale, and nothing else is. */
function marketplaceOf(words: string): Reply {
  if (words.toLowerCase() === 'millstone') return madePage('socialnet', 'marketplace-search--millstone.page.html');
  const found = { marketplace_search: { feed_units: { edges: [], page_info: { has_next_page: false } } } };
  const data = JSON.stringify({ require: ['CometMarketplaceSearchContentContainer.react'], data: found });
  return html(
    `<!DOCTYPE html><title>Facebook</title><script type="application/json" data-sjs>${data}</script></html>\n`,
  );
}

/** Mills have events, and nothing else has. */
function eventsOf(words: string): Reply {
  if (/\bmill\b/i.test(words)) return madePage('socialnet', 'events-search--mill.page.html');
  const data = JSON.stringify({ serpResponse: { results: { edges: [], page_info: { has_next_page: false } } } });
  return html(`<!DOCTYPE html><title>Events</title><script type="application/json" data-sjs>${data}</script></html>\n`);
}

/** The embed of the one page that has posts, by its name or number. */
function embedOf(href: string): Reply {
  if (/\/harrowmill\/$|=112233445566778$/.test(href)) return madePage('socialnet', 'posts--embed.page.html');
  return html('<!DOCTYPE html><html lang="en"><title>Facebook</title><div></div></html>\n');
}
