import { buildWordSet } from '#extract/values/space.ts';
import { toUrlParts } from './url-parts.ts';

/**
 * Query parameters with which wikis, forums, shops and issue trackers select an action, an old version or another order
 * of a page.
 */
const ACTION_PARAMETERS: ReadonlySet<string> = buildWordSet(
  'action veaction oldid diff curid redlink printable printfriendly undo section',
  'do rev rev2 difftype idx',
  'replytocom reply replyto quote share like vote report subscribe unsubscribe watch',
  'sort sortby sort_by order orderby order_by orderdir dir direction filter filters filter_by facet facets',
  'login logout signup register returnto redirect_to add-to-cart add_to_cart add_to_wishlist compare',
  'ical outlook-ical tribe-bar-date eventdisplay',
);

/**
 * Whether the query of a link selects an action or a variant: edit forms, histories, sort orders, replies, calendars.
 * Such a page mostly repeats another, so a crawl visits it last.
 */
export function isActionLink(url: string): boolean {
  if (!url.includes('?')) return false;
  const query = toUrlParts(url)?.query ?? '';
  return query.split('&').some((parameter) => ACTION_PARAMETERS.has((parameter.split('=', 1)[0] ?? '').toLowerCase()));
}
