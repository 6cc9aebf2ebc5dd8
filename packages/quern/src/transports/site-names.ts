import { parse } from 'tldts';
import type { Operation, WorkOperation } from '#engine/call/operation.ts';
import { splitQuestion } from './operation-search.ts';

/** Well-known sites without an endpoint. A question that names one must not find an endpoint of a similar site. */
const UNCOVERED_NAMES: ReadonlySet<string> = new Set(
  `alibaba aliexpress autotrader bandcamp bilibili binance bitbucket capterra cargurus carvana coinbase coinmarketcap costco craigslist
  crunchbase dailymotion deezer discord ebay edmunds etsy eventbrite expedia fiverr flipkart gitlab glassdoor goodreads gumtree
  homedepot imdb indeed indiegogo instagram kayak kickstarter leboncoin linkedin meetup mercadolibre opentable patreon pitchbook quora
  rakuten redfin shein skyscanner snapchat soundcloud stackoverflow stepstone substack telegram temu tesco ticketmaster tripadvisor
  trivago trulia trustpilot tumblr twitch upwork vimeo vrbo wayfair wechat weibo wellfound whatsapp wikipedia xing yelp zalando zillow
  ziprecruiter`.split(/\s+/),
);
const DOMAIN = /[\w-]+(?:\.[\w-]+)+/g;

/** Finds the site in a question that no operation covers; null if it names no site or also a covered one. */
export function findUncoveredSite(question: string, operations: readonly Operation[]): string | null {
  const sites = operations.flatMap((operation) => (operation.kind === 'work' ? (operation.site ?? []) : []));
  const hosts = [...question.toLowerCase().matchAll(DOMAIN)]
    .map(([host]) => host.replace(/^www\./, ''))
    .filter((host) => parse(host).isIcann === true);
  const words = splitQuestion(question);
  const named = [...words, ...words.slice(1).map((word, at) => `${words[at] ?? ''}${word}`)];
  if (hosts.some((host) => sites.some(({ domains }) => domains.some((domain) => isWithin(host, domain))))) return null;
  if (hosts.length === 0 && named.some((word) => sites.some((site) => site.hosts.includes(word)))) return null;
  return hosts[0] ?? named.find((word) => UNCOVERED_NAMES.has(word)) ?? null;
}

/** Whether a host equals a domain or is above or below it: `apple.com` may mean `apps.apple.com`. */
function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
}

/** Describes that a site is not covered, and what to use instead. */
export function describeUncovered(site: string): string {
  return `no endpoint covers ${site}: use fetch for a page of it, or a search to find its pages`;
}

/** How many domains of a site are listed; shops have one for each country. */
const MAX_NAMED_DOMAINS = 3;

/** Formats the domains of a site: all up to three, else the first three and the number of others. */
export function formatDomainList({ domains }: Pick<NonNullable<WorkOperation['site']>, 'domains'>): string {
  const more = domains.length - MAX_NAMED_DOMAINS;
  return `${domains.slice(0, MAX_NAMED_DOMAINS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
