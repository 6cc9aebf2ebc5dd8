import { blocked, acceptConsent, answerEmpty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import type { EngineRecord, EngineResult } from './shared.ts';

/** Search engines whose result pages are parsed. The operator selects them in `QUERN_SEARCH_FILE`. */
export const engines = defineSite({
  name: 'engines',
  origins: {
    duckduckgo: 'https://html.duckduckgo.com',
    bing: 'https://www.bing.com',
    brave: 'https://search.brave.com',
    mojeek: 'https://www.mojeek.com',
    'google-news': 'https://news.google.com',
    yandex: 'https://yandex.com',
    baidu: 'https://www.baidu.com',
    ecosia: 'https://www.ecosia.org',
  },
  classify: (page) => (page.status >= 400 ? findWall(page) : null),
});

const CAPTCHA =
  /\bid="?(?:captcha-form|challenge-form|b_captcha|pow-captcha|anomaly-modal)\b|\bclass="[^"]*(?:\banomaly-modal|\bg-recaptcha\b|\bh-captcha\b|\bcf-turnstile\b|\bSmartCaptcha\b|\bCheckboxCaptcha\b|\bpassMod_)|name="cf-turnstile-response"|百度安全验证/;

/** Finds a captcha in place of the results; null if there is none. */
function findWall({ url, body }: SourcePage): SiteAnswer | null {
  const { hostname, pathname } = new URL(url);
  if (hostname.startsWith('consent.')) return acceptConsent({ CONSENT: 'YES+', SOCS: 'CAESHAgBEhIaAB' });
  return /captcha|^\/sorry\//i.test(pathname) || CAPTCHA.test(body) ? blocked('captcha') : null;
}

/** Builds the record of a page. Without results, the answer is a wall, an empty list if `isEmpty()`, or else `unusable`. */
export function buildAnswer(
  page: SourcePage,
  results: readonly EngineResult[],
  { hasMore, isEmpty }: { readonly hasMore: boolean; readonly isEmpty: () => boolean },
): EngineRecord | SiteAnswer {
  if (results.length > 0) return { results, has_more: hasMore, features: null };
  return findWall(page) ?? (isEmpty() ? answerEmpty() : unusable('the results are missing'));
}
