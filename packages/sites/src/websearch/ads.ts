import { type EngineResult, toEngineResult } from '#sites/engines/engine-record.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';

/** A result and where on its page it stands. */
export type PlacedResult = { readonly node: number; readonly result: EngineResult };

/** The boxes above, below and beside the list that hold nothing but what is paid for. */
export const PAID_BOXES = ['#tads', '#tadsb', '#bottomads', '#atvcap'] as const;
const TEXT_ADS = ['.uEierd', '[data-text-ad]'] as const;
const CARDS = ['g-inner-card', '.mnr-c', '.pla-unit'] as const;

/** Everything on a page that is paid for: text, the cards of a carousel, and goods. */
export function readPaid(page: ParsedPage): readonly PlacedResult[] {
  const boxes = [
    ...PAID_BOXES.map((selector) => one(page, selector)),
    ...all(page, '.commercial-unit-desktop-top'),
    ...all(page, '.commercial-unit-desktop-rhs'),
  ].filter((box) => box !== 0);
  const found = new Map<string, PlacedResult>();
  for (const box of boxes) {
    const texts = innermost(TEXT_ADS.flatMap((selector) => all(page, selector, box)));
    const nodes = texts.length > 0 ? texts : innermost(CARDS.flatMap((selector) => all(page, selector, box)));
    for (const node of nodes) {
      const result = readAd(page, node);
      if (result !== null) found.set(`${result.url} ${result.title}`, { node, result });
    }
  }
  return [...found.values()];
}

/** Each element once, in document order. */
function innermost(nodes: readonly number[]): readonly number[] {
  return [...new Set(nodes)].toSorted((a, b) => a - b);
}

function readAd(page: ParsedPage, node: number): EngineResult | null {
  const title =
    lineAt(page, '[role="heading"]', node) ?? lineAt(page, '.pla-unit-title', node) ?? lineAt(page, 'h3', node);
  const link = all(page, 'a', node).find((anchor) => landingOf(page, anchor) !== null) ?? 0;
  const url = landingOf(page, link);
  if (title === null || url === null) return null;
  const description = [all(page, '.yDYNvb', node), all(page, '.MUxGbd', node)]
    .flat()
    .map((at) => lineOf(page, at))
    .find((text) => text !== null && text !== title);
  return toEngineResult({
    title,
    url,
    is_paid: true,
    shown:
      lineAt(page, 'span.x2VHCd', node) ??
      lineAt(page, 'cite', node) ??
      attributeAt(page, '[data-dtld]', 'data-dtld', node),
    description: description ?? null,
  });
}

/** The page that an ad leads to: its link, or what the counter of clicks names. */
function landingOf(page: ParsedPage, link: number): string | null {
  const href = link === 0 ? null : attributeOf(page.tree, link, 'href');
  const url = href === null ? null : URL.parse(href, page.url);
  if (url === null) return null;
  if (url.pathname === '/aclk') return url.searchParams.get('adurl') || null;
  return /^https?:$/.test(url.protocol) && url.host !== new URL(page.url).host ? url.href : null;
}
