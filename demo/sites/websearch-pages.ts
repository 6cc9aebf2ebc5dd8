/** A result as the rehearsed engines know it. */
export type MadeResult = { readonly title: string; readonly url: string; readonly description: string };

const PER_PAGE = 10;
const LAST_PAGE = 3;

/** What the rehearsed engines find for some words: three pages of ten; nothing for the word `nothing`. */
export function madeResults(search: string, page: number): readonly MadeResult[] {
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

/** A result page as a browser shows it: an ad, the list, and a box that asks further questions. */
export function renderedPage(search: string, page: number): string {
  const results = madeResults(search, page);
  const list = results.map(({ title, url, description }) => renderedResult({ title, url, description })).join('');
  const body =
    results.length === 0
      ? `<div id="topstuff"><div class="card-section"><p>Your search - <em>${escape(search)}</em> - did not match any documents.</p></div></div><div id="search"></div>`
      : `<div id="tads"><div class="uEierd"><a href="${AD.url}" data-rw="/aclk?sa=l"><div role="heading">${escape(AD.title)}</div><span class="x2VHCd">sails.example</span></a><div class="MUxGbd yDYNvb">${AD.description}</div></div></div>` +
        `<div id="topstuff"></div><div id="search"><div id="rso"><div class="related-question-pair"><a href="https://aside.example/"><h3>Why do sails turn?</h3></a></div>${list}</div></div>` +
        '<div id="botstuff"><a id="pnnext" href="/search?start=10">Next</a></div>';
  return `<!doctype html><html lang="en"><title>${escape(search)} - Search</title><body><div id="main"><div id="center_col">${body}</div></div></body></html>`;
}

function renderedResult({ title, url, description }: MadeResult): string {
  const shown = `${new URL(url).host} › …`;
  return `<div class="MjjYud"><div class="tF2Cxc" data-hveid="C"><a href="${escape(url)}"><h3>${escape(title)}</h3><cite>${escape(shown)}</cite></a><div class="VwiC3b">${escape(description)}</div></div></div>`;
}

/** The same for telephones without scripts, as addresses that the engine counts. */
export function wmlPage(search: string, page: number): string {
  const results = madeResults(search, page);
  const list = results
    .map(
      ({ title, url, description }) =>
        `<div class="zMzFAb"><a class="fuLhoc" href="/url?q=${escape(encodeURIComponent(url))}&amp;sa=U"><span class="CVA68e">${escape(title)}</span></a><div class="taTFJ"><span class="FrIlee">${escape(description)}</span></div></div>`,
    )
    .join('');
  const none = results.length === 0 ? `<p>Your search - ${escape(search)} - did not match any documents.</p>` : '';
  return `<!doctype html><html><title>${escape(search)}</title><body>${list}${none}<a href="/wml/search?start=10">Next</a></body></html>`;
}

export const CAPTCHA_PAGE =
  '<!doctype html><title>Sorry</title><form id="captcha-form" action="index" method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="k" data-s="s"></div></form><p>Our systems have detected unusual traffic.</p>';

/** What is sent to a visitor without scripts in place of results. */
export const SOFT_BLOCK_PAGE =
  '<!doctype html><title>Search</title><noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x"></noscript><div id="main"></div>';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
