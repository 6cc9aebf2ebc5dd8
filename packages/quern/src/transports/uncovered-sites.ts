import { parse } from 'tldts';
import type { Operation, WorkOperation } from '#engine/call/operation.ts';
import { questionWords } from './operation-search.ts';

/** Sites that people ask for by name and that no endpoint reads: what reads another site of their kind is not meant. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  `alibaba aliexpress autotrader bandcamp bilibili binance bitbucket capterra cargurus carvana coinbase coinmarketcap costco craigslist
  crunchbase dailymotion deezer discord ebay edmunds etsy eventbrite expedia fiverr flipkart gitlab glassdoor goodreads gumtree
  homedepot imdb indeed indiegogo instagram kayak kickstarter leboncoin linkedin meetup mercadolibre opentable patreon pitchbook quora
  rakuten redfin shein skyscanner snapchat soundcloud stackoverflow stepstone substack telegram temu tesco ticketmaster tripadvisor
  trivago trulia trustpilot tumblr twitch upwork vimeo vrbo wayfair wechat weibo wellfound whatsapp wikipedia xing yelp zalando zillow
  ziprecruiter`.split(/\s+/),
);
const DOMAIN = /[\w-]+(?:\.[\w-]+)+/g;

/** The site that a question names where no operation reads it; null where it names none, or one that is read too. */
export function findUncovered(question: string, operations: readonly Operation[]): string | null {
  const sites = operations.flatMap((operation) => (operation.kind === 'work' ? (operation.site ?? []) : []));
  const hosts = [...question.toLowerCase().matchAll(DOMAIN)]
    .map(([host]) => host.replace(/^www\./, ''))
    .filter((host) => parse(host).isIcann === true);
  const words = questionWords(question);
  const named = [...words, ...words.slice(1).map((word, at) => `${words[at] ?? ''}${word}`)];
  if (hosts.some((host) => sites.some(({ domains }) => domains.some((domain) => isWithin(host, domain))))) return null;
  if (hosts.length === 0 && named.some((word) => sites.some((site) => site.hosts.includes(word)))) return null;
  return hosts[0] ?? named.find((word) => KNOWN_NAMES.has(word)) ?? null;
}

/** Whether a host is a domain, below it or above it: who writes `apple.com` may mean `apps.apple.com`. */
function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
}

/** Says that a site is not covered, and what reads its pages instead. */
export function sayUncovered(site: string): string {
  return `no endpoint reads ${site}: fetch reads a page of it, and a search finds its pages`;
}

/** Shops have a domain for each country. */
const MAX_SAID = 3;

/** The domains that a site reads, in words: `github.com`, or the first three of many and how many more there are. */
export function sayDomains({ domains }: Pick<NonNullable<WorkOperation['site']>, 'domains'>): string {
  const more = domains.length - MAX_SAID;
  return `${domains.slice(0, MAX_SAID).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
