import { z } from 'zod';
import { buildPage, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
import { declareListCrawl } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { selectAll, readAttributeAt, readLineAt, readSingleLine, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { parseInteger } from '#extract/values/numbers.ts';
import { toCount, toMediaUrl } from '#extract/values/raw.ts';
import { parseStars, ProductInput, readPrice } from './shared.ts';
import { type Domain, getMarketplace, amazon } from './site.ts';

/** The number of result pages to read. Some searches have many more. */
const MAX_SEARCH_PAGES = 20;

const priceInput = (what: string) =>
  z.number().min(0).max(10_000_000).optional().describe(`${what}, in the shop's currency`);

const SearchInput = z.object({
  search: z.string().trim().min(1).max(500).describe('Words to search for'),
  domain: ProductInput.shape.domain.unwrap().default('com').describe('Marketplace'),
  page: wholeNumber(1, MAX_SEARCH_PAGES).default(1).describe('Number of the result page; cursor takes precedence'),
  sort: z
    .enum(['relevance', 'price_asc', 'price_desc', 'rating', 'newest', 'bestselling'])
    .default('relevance')
    .describe('The order of the results'),
  min_price: priceInput('At least'),
  max_price: priceInput('At most'),
  category: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'is the code of a department such as electronics')
    .optional()
    .describe("Department, as in the site's addresses"),
  language: ProductInput.shape.language,
});

type SearchInput = z.output<typeof SearchInput>;

const Text = z.string().nullable();

const SearchResult = z.object({
  position: z.int().min(1).describe('Position on its page, including ads'),
  asin: z.string(),
  title: z.string(),
  url: z.string(),
  image_url: Text,
  price: z.number().nullable(),
  currency: Text,
  price_text: Text,
  list_price: z.number().nullable(),
  rating: z.number().min(0).max(5).nullable(),
  ratings_count: z.int().min(0).nullable(),
  counts_approximate: z.boolean(),
  sponsored: z.boolean(),
  badge: Text,
  is_prime: z.boolean().nullable(),
  delivery_text: Text,
  bought_text: Text,
  coupon_text: Text,
});

type SearchResult = z.output<typeof SearchResult>;

const SearchPage = z.object({
  search: z.string(),
  page: z.int().min(1),
  total_results: z.int().min(0).nullable().describe('As the site counts them, often rounded'),
  total_results_text: z.string().nullable(),
  last_page: z.int().min(1).nullable().describe('The last page that the site offers'),
  results: z.array(SearchResult).readonly(),
});

type SearchPage = z.output<typeof SearchPage>;

export const amazonSearch = amazon({
  path: '/search',
  summary: 'Search products',
  input: SearchInput,
  record: SearchPage,
  aliases: { search: ['query', 'q', 'keyword', 'keywords'] },
  list: 'results',
  expected: ['results.image_url', 'results.price', 'results.rating', 'total_results'],
  canary: { search: 'coffee grinder' },
  request: (input, site) => ({
    origin: `web.${input.domain}`,
    path: '/s',
    query: buildQuery(input, readPageNumber(input, site)),
    ...(input.language === undefined ? {} : { language: input.language }),
  }),
  parse: readSearchPage,
});

export const amazonSearchCrawl = declareListCrawl(amazonSearch, {
  method: 'GET',
  summary: 'All products that a search finds, as a job',
  by: 'asin',
  bound: { name: 'max_pages', default: 5, max: MAX_SEARCH_PAGES },
});

/** The site's names of the orders. */
const ORDERS = {
  relevance: 'relevanceblender',
  price_asc: 'price-asc-rank',
  price_desc: 'price-desc-rank',
  rating: 'review-rank',
  newest: 'date-desc-rank',
  bestselling: 'exact-aware-popularity-rank',
} as const;

/** Builds the query of a result page. */
function buildQuery(input: SearchInput, page: number) {
  const { search, sort, min_price: low, max_price: high, category } = input;
  return { k: search, page, s: ORDERS[sort], i: category, 'low-price': low, 'high-price': high };
}

function readPageNumber({ page }: SearchInput, { cursor }: Pick<SiteContext, 'cursor'>): number {
  return cursor === null ? page : Number(cursor);
}

/** Reads a result page. */
function readSearchPage(
  source: SourcePage,
  input: SearchInput,
  site: SiteContext,
): SiteRecord<SearchPage> | SiteAnswer {
  const page = parsePage(source.body, source.url);
  const { search, domain } = input;
  if (selectFirst(page, '[data-component-type="s-search-results"]') === 0)
    return unusable('the results of a search are missing');
  const words = readAttributeAt(page, '#twotabsearchtextbox', 'value') ?? search;
  if (normalizeWords(words) !== normalizeWords(search))
    return unusable(`results of another search: ${words.slice(0, 100)}`);
  const wanted = readPageNumber(input, site);
  const { shown = wanted, last, hasNext } = parsePaging(page);
  const cards = findCards(page);
  const total = parseTotal(page, getMarketplace(domain).locale);
  // After the last page, the site repeats the last page.
  const isEmpty = shown < wanted || (cards.length === 0 && hasNoResults(page, total.total_results));
  const head = { search, page: wanted, ...total, last_page: last };
  if (isEmpty) return buildPage({ ...head, results: [] }, null);
  if (shown !== wanted) return unusable(`it is page ${shown} of the results`);
  const results = cards.flatMap((card, at) => readCard(page, card, { domain, position: at + 1 }) ?? []);
  if (results.length === 0) return unusable('no readable results');
  return buildPage({ ...head, results }, hasNext ? String(wanted + 1) : null);
}

/** Whether the page is complete and reports no results. */
function hasNoResults(page: ParsedPage, total: number | null): boolean {
  return (total ?? 0) === 0 && selectFirst(page, '#navFooter') !== 0;
}

/** Parses the number of results and its text, without the search words: `1-16 of over 90,000 results for`. */
function parseTotal(page: ParsedPage, locale: string) {
  const wording = readLineAt(page, '[data-component-type="s-result-info-bar"] h2 span');
  const counts =
    (wording ?? '').match(/\d[\d.,\s]{0,15}/g)?.map((digits) => parseInteger(digits.trim(), locale) ?? 0) ?? [];
  return { total_results: counts.length === 0 ? null : Math.max(...counts), total_results_text: wording };
}

/** Parses the pagination: the number of this page, that of the last, and whether there is a next one. */
function parsePaging(page: ParsedPage) {
  const strip = selectFirst(page, 'div.s-pagination-container');
  if (strip === 0) return { shown: undefined, last: null, hasNext: false };
  const parseNumber = (node: number) => parseInteger(readSingleLine(page, node) ?? '', 'en');
  const numbers = selectAll(page, '.s-pagination-item', strip).flatMap((node) => parseNumber(node) ?? []);
  return {
    shown: parseNumber(selectFirst(page, '.s-pagination-selected', strip)) ?? undefined,
    last: numbers.length === 0 ? null : Math.max(...numbers),
    hasNext: readAttributeAt(page, 'a.s-pagination-next', 'href', strip) !== null,
  };
}

function normalizeWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Finds the cards of a result page, in order. Further products within a card are not cards. */
function findCards(page: ParsedPage): readonly number[] {
  return selectAll(page, '[data-component-type="s-search-result"][data-asin]');
}

const ASIN = /^[A-Z0-9]{10}$/;

/** Reads the result on a card. Null if the card has no product. */
function readCard(
  page: ParsedPage,
  card: number,
  { domain, position }: { readonly domain: Domain; readonly position: number },
): SearchResult | null {
  const asin = getAttribute(page.tree, card, 'data-asin') ?? '';
  const parts = indexParts(page, card);
  const named = parts('title-recipe');
  // If there are two headings, the first is the brand.
  const title = named === 0 ? null : readSingleLine(page, selectAll(page, 'h2', named).at(-1) ?? 0);
  if (!ASIN.test(asin) || title === null) return null;
  return {
    position,
    asin,
    title,
    url: `${new URL(page.url).origin}/dp/${asin}`,
    image_url: toMediaUrl(readAttributeAt(page, 'img.s-image', 'src', card), page.url),
    ...parsePrices(page, parts('price-recipe'), domain),
    ...parseCardRating(page, parts('reviews-block'), domain),
    sponsored: isSponsored(page, card, named),
    badge: parseBadge(page, card),
    is_prime: hasPrime(page, parts) ? true : null,
    delivery_text: readSingleLine(page, parts('delivery-recipe') === card ? 0 : parts('delivery-recipe')),
    bought_text: parseBoughtText(page, parts('reviews-block')),
    coupon_text: readLine(page, parts('price-recipe'), '.s-coupon-unclipped'),
  };
}

/** The nodes of the parts of a card, by name. In the older layout the card itself is every part. */
type CardParts = (name: string) => number;

function indexParts(page: ParsedPage, card: number): CardParts {
  const parts = new Map<string, number>();
  for (const node of selectAll(page, '[data-cy]', card)) {
    const name = getAttribute(page.tree, node, 'data-cy') ?? '';
    if (!parts.has(name)) parts.set(name, node);
  }
  return (name) => (parts.size === 0 ? card : (parts.get(name) ?? 0));
}

/** Reads the text at a selector in a part. Null if the card has no such part. */
function readLine(page: ParsedPage, part: number, selector: string): string | null {
  return part === 0 ? null : readLineAt(page, selector, part);
}

function parsePrices(page: ParsedPage, part: number, domain: Domain) {
  const prices = part === 0 ? [] : selectAll(page, '.a-price', part);
  const isStruck = (node: number): boolean => getAttribute(page.tree, node, 'data-a-strike') !== null;
  const findText = (nodes: readonly number[]) =>
    findFirstValue(...nodes.map((node) => () => readLineAt(page, '.a-offscreen', node)));
  const shown = readPrice(findText(prices.filter((node) => !isStruck(node))), { domain, stated: null });
  const struck = findText(prices.filter(isStruck));
  return { ...shown, list_price: readPrice(struck, { domain, stated: shown.currency }).price };
}

function parseCardRating(page: ParsedPage, part: number, domain: Domain) {
  if (part === 0) return { rating: null, ratings_count: null, counts_approximate: false };
  const counted = findFirstValue(
    () => readAttributeAt(page, 'a[href*="customerReviews"][aria-label]', 'aria-label', part),
    () => readLineAt(page, 'a[href*="customerReviews"]', part)?.replace(/^\(/, ''),
  );
  const count = toCount(counted, getMarketplace(domain).locale);
  return {
    rating: parseStars(readLineAt(page, '.a-icon-alt', part) ?? ''),
    ratings_count: count?.value ?? null,
    counts_approximate: count?.approximate === true,
  };
}

/** Parses the badge of an award or a deal. Badges with a countdown are left out: they change every second. */
function parseBadge(page: ParsedPage, card: number): string | null {
  const badges = selectAll(page, '.a-badge', card).filter(
    (node) => selectFirst(page, '.dealBadge-countdown-timer', node) === 0,
  );
  return readSingleLine(page, badges[0] ?? 0);
}

/** Finds the text on recent sales, which is below the ratings. */
function parseBoughtText(page: ParsedPage, part: number): string | null {
  const rows =
    part === 0 ? [] : selectAll(page, ':scope > .a-row.a-size-base', part).map((row) => readSingleLine(page, row));
  return rows.findLast((wording) => wording !== null && /\d/.test(wording)) ?? null;
}

function hasPrime(page: ParsedPage, parts: CardParts): boolean {
  return ['price-recipe', 'delivery-recipe'].some(
    (name) => parts(name) !== 0 && selectFirst(page, '.a-icon-prime', parts(name)) !== 0,
  );
}

/** Whether a card is an ad: by its class, or by a title that links to the click counter. */
function isSponsored(page: ParsedPage, card: number, title: number): boolean {
  const classes = getAttribute(page.tree, card, 'class')?.split(/\s+/) ?? [];
  const links = selectAll(page, 'a', title).map((node) => getAttribute(page.tree, node, 'href') ?? '');
  return classes.includes('AdHolder') || links.some((link) => link.includes('/sspa/click'));
}
