import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { at, line } from '#extract/values/raw.ts';
import { MARKET_HOME, MARKET_HOSTS } from './site.ts';

/** How the values of a page are read: the language that its numbers are written in, and the site that its links belong to. */
export type MarketReading = { readonly locale: string; readonly home: string };

/** A page of the market of any country. */
export type MarketPage = {
  readonly page: ParsedPage;
  /** The data that the page is drawn from; undefined where there are none. */
  readonly props: unknown;
  readonly reading: MarketReading;
};

export function readMarketPage({ body, url }: SourcePage): MarketPage {
  const page = parsePage(body, url);
  const props = at(jsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const culture = line(at(props, 'cultureInfo', 'isoCulture')) ?? line(at(props, 'isoCulture'));
  const domain = line(at(props, 'marketplace', 'etldPlusOne'));
  const hosts = [`www.${domain ?? ''}`, hostIn(canonicalOf(page)), hostIn(url)];
  const host = hosts.find((one) => one !== null && MARKET_HOSTS.includes(one));
  return {
    page,
    props,
    reading: {
      locale: culture ?? attributeAt(page, 'html', 'lang') ?? 'en',
      home: typeof host === 'string' ? `https://${host}` : MARKET_HOME,
    },
  };
}

function hostIn(url: string | null): string | null {
  return URL.parse(url ?? '')?.host ?? null;
}
