import { type EngineRecord, toEngineResult } from '#sites/engines/engine-record.ts';
import { blocked, empty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { all, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { attributeOf, nameOf, parentOf } from '#extract/html/tree.ts';
import { PAID_BOXES, type PlacedResult, readPaid } from './ads.ts';
import { readFeatures } from './features.ts';

const LIST = new Set(['rso', 'search']);
const ASIDE = new Set(PAID_BOXES.map((selector) => selector.slice(1)));
const BOX = new Set(['MjjYud', 'g', 'tF2Cxc']);
/** The text of a page, and of a video. */
const DESCRIPTIONS = ['.VwiC3b', '[data-sncf="1"]', '.yDYNvb', '.ITZIwc'] as const;

/** Reads the result page as a browser shows it: headings inside links within the list, whatever their classes are. */
export function readRendered({ body, url }: SourcePage): EngineRecord | SiteAnswer {
  const page = parsePage(body, url);
  const organic = readOrganic(page);
  const paid = readPaid(page);
  if (organic.length === 0 && paid.length === 0) return answerOfNone(page);
  const results = [...organic, ...paid].toSorted((a, b) => a.node - b.node).map(({ result }) => result);
  return {
    results,
    has_more: one(page, '#pnnext') !== 0 || all(page, '[aria-label="More search results"]').length > 0,
    features: readFeatures(page),
  };
}

/** A page without results, by what it says. The script of a soft block stands in good pages too. */
function answerOfNone(page: ParsedPage): SiteAnswer {
  const said = [lineAt(page, '#topstuff'), lineAt(page, '#botstuff'), lineAt(page, '#center_col')].join(' ');
  if (/did not match any documents/i.test(said) || one(page, '#topstuff .card-section em') !== 0) return empty();
  if (/(?:^|\D)0(?:\D|$)/.test(lineAt(page, '#result-stats') ?? '')) return empty();
  return isTurnedAway(page) ? blocked('soft_block') : unusable('results');
}

/** Whether a page is what visitors get whose scripts the engine does not trust; a browser leaves out its `noscript`. */
export function isTurnedAway(page: ParsedPage): boolean {
  if (page.source.includes('/httpservice/retry/enablejs')) return true;
  return one(page, '#main') !== 0 && lineAt(page, '#main') === null;
}

function readOrganic(page: ParsedPage): readonly PlacedResult[] {
  const found: PlacedResult[] = [];
  const boxes = new Set<number>();
  for (const heading of page.tags().get('h3') ?? []) {
    const place = placeOf(page, heading);
    const title = place === null ? null : lineOf(page, heading);
    if (place === null || title === null) continue;
    const { box, href } = place;
    const description = boxes.has(box) ? null : descriptionOf(page, box);
    boxes.add(box);
    const shown = shownIn(page, box);
    found.push({ node: heading, result: toEngineResult({ title, url: href, shown, description }) });
  }
  return found;
}

/** The address as it is shown, which shares its element with counts of comments. */
function shownIn(page: ParsedPage, box: number): string | null {
  const lines = all(page, 'cite', box).flatMap((cite) => lineOf(page, cite) ?? []);
  return lines.find((shown) => /\w\.\w/.test(shown)) ?? lines[0] ?? null;
}

function descriptionOf(page: ParsedPage, box: number): string | null {
  for (const selector of DESCRIPTIONS) {
    const text = lineAt(page, selector, box);
    if (text !== null) return text;
  }
  return null;
}

type HeadingPlace = { readonly box: number; readonly href: string };

/** The link and the box of a heading in the list; null for one that is elsewhere, or in a module beside the results. */
function placeOf(page: ParsedPage, heading: number): HeadingPlace | null {
  const { tree } = page;
  let href: string | null = null;
  let box = 0;
  let isListed = false;
  for (let node = parentOf(tree, heading); node !== 0; node = parentOf(tree, node)) {
    const id = attributeOf(tree, node, 'id');
    const names = (attributeOf(tree, node, 'class') ?? '').split(/\s+/);
    if (nameOf(tree, node) === 'a') href ??= attributeOf(tree, node, 'href');
    if (id !== null && ASIDE.has(id)) return null;
    if (isModule(nameOf(tree, node), names, attributeOf(tree, node, 'role'))) return null;
    if (id !== null && LIST.has(id)) isListed = true;
    const isBox = names.some((name) => BOX.has(name)) || attributeOf(tree, node, 'data-hveid') !== null;
    if (box === 0 && isBox) box = node;
  }
  if (!isListed || href === null || !/^https?:/.test(href)) return null;
  return { box: box === 0 ? heading : box, href };
}

function isModule(tag: string, names: readonly string[], role: string | null): boolean {
  return tag === 'g-scrolling-carousel' || role === 'complementary' || names.includes('related-question-pair');
}
