import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, countOf, homepage, line, list, url } from '#extract/values/raw.ts';
import { SOCIAL_WEB } from './site.ts';

/** One line of what a page tells of itself, with the link that it has. */
type Card = { readonly text: string; readonly link: string | null };

/** The lines of the introduction by their type; null where the page has no introduction. */
function cardsOf(page: ParsedPage): ReadonlyMap<string, readonly Card[]> | null {
  const items = objectsWith(page, 'timeline_context_list_item_type', 'renderer');
  if (items.length === 0) return null;
  const cards = new Map<string, Card[]>();
  for (const item of items) {
    const type = line(item['timeline_context_list_item_type'])?.replace(/^INTRO_CARD_/, '') ?? '';
    const shown = at(item, 'renderer', 'context_item');
    const text = line(at(shown, 'title', 'text')) ?? line(at(shown, 'plaintext_title', 'text'));
    if (text !== null) cards.set(type, [...(cards.get(type) ?? []), { text, link: linkOf(shown) }]);
  }
  return cards;
}

function linkOf(shown: unknown): string | null {
  const entity = list(at(shown, 'title', 'ranges')).map((one) => at(one, 'entity'));
  const [link = null] = entity.flatMap(
    (one) => url(at(one, 'external_url') ?? at(one, 'web_link', 'url') ?? at(one, 'url'), SOCIAL_WEB) ?? [],
  );
  return link;
}

/** What the introduction of a page says. Contacts are those that a business publishes as its own. */
export function introducedBy(page: ParsedPage) {
  const cards = cardsOf(page);
  const of = (type: string): Card | null => cards?.get(type)?.[0] ?? null;
  const rating = of('RATING')?.text ?? '';
  const [website = null, ...others] = (cards?.get('WEBSITE') ?? []).flatMap(
    (one) => homepage(one.link ?? one.text, SOCIAL_WEB) ?? [],
  );
  return {
    category: of('INFLUENCER_CATEGORY')?.text.replace(/^Page · /, '') ?? null,
    phone: of('PROFILE_PHONE')?.text ?? null,
    email: of('PROFILE_EMAIL')?.text ?? null,
    website,
    address: of('ADDRESS')?.text ?? null,
    price_range: of('BUSINESS_PRICE')?.text.replace(/^.*·\s*/, '') ?? null,
    rating_percent: countOf(/(\d{1,3})% recommend/i.exec(rating)?.[1], null)?.value ?? null,
    review_count: countOf(/\(([\d.,]+) reviews?\)/i.exec(rating)?.[1], 'en-US')?.value ?? null,
    followers: of('FOLLOWERS')?.text ?? null,
    links: cards === null ? null : [...others, ...(cards.get('OTHER_ACCOUNT') ?? []).flatMap(({ link }) => link ?? [])],
  };
}
