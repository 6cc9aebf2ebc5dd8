import { z } from 'zod';
import { pageOf, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { readInteger } from '#extract/values/numbers.ts';
import { cardsOf, readCard, ShopSearchResult } from './search-card.ts';
import type { ShopSearchInput } from './search-input.ts';
import { marketplaceOf } from './site.ts';

export const SearchPage = z.object({
  search: z.string(),
  page: z.int().min(1),
  total_results: z.int().min(0).nullable().describe('As the site counts them, often rounded'),
  total_results_text: z.string().nullable(),
  last_page: z.int().min(1).nullable().describe('The last page that the site offers'),
  results: z.array(ShopSearchResult).readonly(),
});

type SearchPage = z.output<typeof SearchPage>;

/** The number of the wanted page. */
export function pageNumberOf({ page }: ShopSearchInput, { cursor }: Pick<SiteView, 'cursor'>): number {
  return cursor === null ? page : Number(cursor);
}

/** Reads one page of results. */
export function readSearchPage(
  source: SourcePage,
  input: ShopSearchInput,
  site: SiteView,
): SiteRecord<SearchPage> | SiteAnswer {
  const page = parsePage(source.body, source.url);
  const { search, domain } = input;
  if (one(page, '[data-component-type="s-search-results"]') === 0) return unusable('the results of a search');
  const words = attributeAt(page, '#twotabsearchtextbox', 'value') ?? search;
  if (toPlainWords(words) !== toPlainWords(search))
    return unusable(`the results of another search: ${words.slice(0, 100)}`);
  const wanted = pageNumberOf(input, site);
  const { shown = wanted, last, hasNext } = pagingOf(page);
  const cards = cardsOf(page);
  const total = totalOf(page, marketplaceOf(domain).locale);
  // Beyond its last page the site shows the last again.
  const isEmpty = shown < wanted || (cards.length === 0 && isNothing(page, total.total_results));
  const head = { search, page: wanted, ...total, last_page: last };
  if (isEmpty) return pageOf({ ...head, results: [] }, null);
  if (shown !== wanted) return unusable(`page ${shown} of the results`);
  const results = cards.flatMap((card, at) => readCard(page, card, { domain, position: at + 1 }) ?? []);
  if (results.length === 0) return unusable('results that can be read');
  return pageOf({ ...head, results }, hasNext ? String(wanted + 1) : null);
}

/** The page came whole, and counts nothing. */
function isNothing(page: ParsedPage, total: number | null): boolean {
  return (total ?? 0) === 0 && one(page, '#navFooter') !== 0;
}

/** Their number and its wording, without the words that were searched for: `1-16 of over 90,000 results for`. */
function totalOf(page: ParsedPage, locale: string) {
  const wording = lineAt(page, '[data-component-type="s-result-info-bar"] h2 span');
  const counts =
    (wording ?? '').match(/\d[\d.,\s]{0,15}/g)?.map((digits) => readInteger(digits.trim(), locale) ?? 0) ?? [];
  return { total_results: counts.length === 0 ? null : Math.max(...counts), total_results_text: wording };
}

/** The strip of page numbers: which page this is, the last of them, and whether another follows. */
function pagingOf(page: ParsedPage) {
  const strip = one(page, 'div.s-pagination-container');
  if (strip === 0) return { shown: undefined, last: null, hasNext: false };
  const numberAt = (node: number) => readInteger(lineOf(page, node) ?? '', 'en');
  const numbers = all(page, '.s-pagination-item', strip).flatMap((node) => numberAt(node) ?? []);
  return {
    shown: numberAt(one(page, '.s-pagination-selected', strip)) ?? undefined,
    last: numbers.length === 0 ? null : Math.max(...numbers),
    hasNext: attributeAt(page, 'a.s-pagination-next', 'href', strip) !== null,
  };
}

function toPlainWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
