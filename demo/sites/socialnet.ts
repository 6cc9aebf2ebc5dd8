import { html } from '#demo/reply.ts';
import type { Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A social network: events, one of them recurring, and the walls around them. */
export const socialnetPages: SitePages = {
  site: 'socialnet',
  origins: { web: ({ url }) => answer(url.pathname) },
};

function answer(path: string): Reply {
  switch (path) {
    case '/events/700100200300400/':
      return madePage('socialnet', 'event--mill.page.html');
    case '/events/700100200300410/':
    case '/events/700100200300411/':
      return madePage('socialnet', 'event--recurring.page.html');
    case '/events/700100200300420/':
      return html('<!DOCTYPE html><title>Log in to Facebook</title><form action="/login/"></form>\n');
    case '/events/700100200300421/':
      return html('<!DOCTYPE html><title>You’re Temporarily Blocked</title><p>You did this too often.</p>\n');
    default:
      return html('<!DOCTYPE html><title>Page Not Found</title><p>The link may be broken.</p>\n');
  }
}
