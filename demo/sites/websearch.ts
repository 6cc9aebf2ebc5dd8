import { html, type Reply } from '#demo/reply.ts';
import type { SiteCall, SitePages } from './site-pages.ts';
import { CAPTCHA_PAGE, renderedPage, SOFT_BLOCK_PAGE, wmlPage } from './websearch-pages.ts';

const PER_PAGE = 10;

/** A search engine: `nothing` is not found, `captcha` wants one, `blocked` sends a shell, `limited` too many requests. */
export const websearchPages: SitePages = { site: 'websearch', origins: { web: answer } };

function answer({ url }: SiteCall): Reply | null {
  const search = url.searchParams.get('q') ?? '';
  const page = Math.floor(Number(url.searchParams.get('start') ?? 0) / PER_PAGE) + 1;
  if (search === 'limited') return { ...html('', 429), headers: { 'retry-after': '120', 'content-type': 'text/html' } };
  if (search === 'captcha') return html(CAPTCHA_PAGE, 429);
  if (url.pathname === '/wml/search') return html(search === 'blocked' ? SOFT_BLOCK_PAGE : wmlPage(search, page));
  if (url.pathname !== '/search') return null;
  return html(search === 'blocked' ? SOFT_BLOCK_PAGE : renderedPage(search, page));
}
