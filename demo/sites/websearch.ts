import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import type { MockCall, MockSite } from './site-pages.ts';

/** A result of the mock engines. */
export type MockResult = { readonly title: string; readonly url: string; readonly description: string };

const PER_PAGE = 10;
const LAST_PAGE = 3;

/** The results of the mock engines: three pages of ten, and none for the word `nothing`. */
export function listMockResults(search: string, page: number): readonly MockResult[] {
  if (/\bnothing\b/.test(search) || page > LAST_PAGE) return [];
  return Array.from({ length: PER_PAGE }, (_, at) => {
    const number = (page - 1) * PER_PAGE + at + 1;
    return {
      title: `${search}: page ${number}`,
      url: `https://mill-${number}.example/${encodeURIComponent(search)}`,
      description: `What mill ${number} says about ${search}.`,
    };
  });
}

const AD = { title: 'Sails & Sons', url: 'https://sails.example/offer', description: 'Sails made to measure.' };

/** A result page as rendered in a browser: an ad, the list, and a box with related questions. */
export function renderResultPage(search: string, page: number): string {
  const results = listMockResults(search, page);
  const list = results.map(({ title, url, description }) => renderResult({ title, url, description })).join('');
  const body =
    results.length === 0
      ? `<div id="topstuff"><div class="card-section"><p>Your search - <em>${escapeHtml(search)}</em> - did not match any documents.</p></div></div><div id="search"></div>`
      : `<div id="tads"><div class="uEierd"><a href="${AD.url}" data-rw="/aclk?sa=l"><div role="heading">${escapeHtml(AD.title)}</div><span class="x2VHCd">sails.example</span></a><div class="MUxGbd yDYNvb">${AD.description}</div></div></div>` +
        `<div id="topstuff"></div><div id="search"><div id="rso"><div class="related-question-pair"><a href="https://aside.example/"><h3>Why do sails turn?</h3></a></div>${list}</div></div>` +
        '<div id="botstuff"><a id="pnnext" href="/search?start=10">Next</a></div>';
  return `<!doctype html><html lang="en"><title>${escapeHtml(search)} - Search</title><body><div id="main"><div id="center_col">${body}</div></div></body></html>`;
}

function renderResult({ title, url, description }: MockResult): string {
  const shown = `${new URL(url).host} › …`;
  return `<div class="MjjYud"><div class="tF2Cxc" data-hveid="C"><a href="${escapeHtml(url)}"><h3>${escapeHtml(title)}</h3><cite>${escapeHtml(shown)}</cite></a><div class="VwiC3b">${escapeHtml(description)}</div></div></div>`;
}

/** The result page for phones without scripts, with links through the engine's redirector. */
export function renderWmlPage(search: string, page: number): string {
  const results = listMockResults(search, page);
  const list = results
    .map(
      ({ title, url, description }) =>
        `<div class="zMzFAb"><a class="fuLhoc" href="/url?q=${escapeHtml(encodeURIComponent(url))}&amp;sa=U"><span class="CVA68e">${escapeHtml(title)}</span></a><div class="taTFJ"><span class="FrIlee">${escapeHtml(description)}</span></div></div>`,
    )
    .join('');
  const none = results.length === 0 ? `<p>Your search - ${escapeHtml(search)} - did not match any documents.</p>` : '';
  return `<!doctype html><html><title>${escapeHtml(search)}</title><body>${list}${none}<a href="/wml/search?start=10">Next</a></body></html>`;
}

export const CAPTCHA_PAGE =
  '<!doctype html><title>Sorry</title><form id="captcha-form" action="index" method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="k" data-s="s"></div></form><p>Our systems have detected unusual traffic.</p>';

/** The page for visitors without scripts, instead of results. */
export const SOFT_BLOCK_PAGE =
  '<!doctype html><title>Search</title><noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x"></noscript><div id="main"></div>';

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Mock search engine. Special queries: `nothing` has no results, `captcha` requires one, `blocked` returns an empty shell, `limited` returns 429. */
export const WEBSEARCH_PAGES: MockSite = { site: 'websearch', origins: { web: answer } };

function answer({ url }: MockCall): PageReply | null {
  const search = url.searchParams.get('q') ?? '';
  const page = Math.floor(Number(url.searchParams.get('start') ?? 0) / PER_PAGE) + 1;
  if (search === 'limited')
    return { ...buildHtmlReply('', 429), headers: { 'retry-after': '120', 'content-type': 'text/html' } };
  if (search === 'captcha') return buildHtmlReply(CAPTCHA_PAGE, 429);
  if (url.pathname === '/wml/search')
    return buildHtmlReply(search === 'blocked' ? SOFT_BLOCK_PAGE : renderWmlPage(search, page));
  if (url.pathname !== '/search') return null;
  return buildHtmlReply(search === 'blocked' ? SOFT_BLOCK_PAGE : renderResultPage(search, page));
}
