import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { attributeOf, nameOf, parentOf } from '#extract/html/tree.ts';
import { bareHost, toPlainUrl } from '#extract/values/web-urls.ts';
import {
  type EngineFeatures,
  type EngineRecord,
  type EngineResult,
  buildEngineResult,
} from '#sites/engines/engine-record.ts';
import { blocked, empty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** A result with its node in the page, by which results are sorted. */
type PositionedResult = { readonly node: number; readonly result: EngineResult };

/** Containers of ads above, below and next to the list of results. */
const AD_CONTAINERS = ['#tads', '#tadsb', '#bottomads', '#atvcap'] as const;
const TEXT_AD_SELECTORS = ['.uEierd', '[data-text-ad]'] as const;
const AD_CARD_SELECTORS = ['g-inner-card', '.mnr-c', '.pla-unit'] as const;

/** Reads all ads of a page: text ads, carousel cards and product ads. */
function readAds(page: ParsedPage): readonly PositionedResult[] {
  const boxes = [
    ...AD_CONTAINERS.map((selector) => one(page, selector)),
    ...all(page, '.commercial-unit-desktop-top'),
    ...all(page, '.commercial-unit-desktop-rhs'),
  ].filter((box) => box !== 0);
  const found = new Map<string, PositionedResult>();
  for (const box of boxes) {
    const texts = sortUnique(TEXT_AD_SELECTORS.flatMap((selector) => all(page, selector, box)));
    const nodes =
      texts.length > 0 ? texts : sortUnique(AD_CARD_SELECTORS.flatMap((selector) => all(page, selector, box)));
    for (const node of nodes) {
      const result = readAd(page, node);
      if (result !== null) found.set(`${result.url} ${result.title}`, { node, result });
    }
  }
  return [...found.values()];
}

/** Removes duplicate nodes and sorts the rest in document order. */
function sortUnique(nodes: readonly number[]): readonly number[] {
  return [...new Set(nodes)].toSorted((a, b) => a - b);
}

function readAd(page: ParsedPage, node: number): EngineResult | null {
  const title =
    lineAt(page, '[role="heading"]', node) ?? lineAt(page, '.pla-unit-title', node) ?? lineAt(page, 'h3', node);
  const link = all(page, 'a', node).find((anchor) => resolveAdUrl(page, anchor) !== null) ?? 0;
  const url = resolveAdUrl(page, link);
  if (title === null || url === null) return null;
  const description = [all(page, '.yDYNvb', node), all(page, '.MUxGbd', node)]
    .flat()
    .map((at) => lineOf(page, at))
    .find((text) => text !== null && text !== title);
  return buildEngineResult({
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

/** Resolves the target of an ad's link, also through a click-tracking redirect. Null for a link to the engine itself. */
function resolveAdUrl(page: ParsedPage, link: number): string | null {
  const href = link === 0 ? null : attributeOf(page.tree, link, 'href');
  const url = href === null ? null : URL.parse(href, page.url);
  if (url === null) return null;
  if (url.pathname === '/aclk') return url.searchParams.get('adurl') || null;
  return /^https?:$/.test(url.protocol) && url.host !== new URL(page.url).host ? url.href : null;
}

const LIST_IDS = new Set(['rso', 'search']);
const AD_CONTAINER_IDS = new Set(AD_CONTAINERS.map((selector) => selector.slice(1)));
const BOX_CLASSES = new Set(['MjjYud', 'g', 'tF2Cxc']);
/** Descriptions of pages and of videos. */
const DESCRIPTION_SELECTORS = ['.VwiC3b', '[data-sncf="1"]', '.yDYNvb', '.ITZIwc'] as const;

/** Reads the rendered result page. Results are headings inside links in the list, because class names change often. */
export function readRendered({ body, url }: SourcePage): EngineRecord | SiteAnswer {
  const page = parsePage(body, url);
  const organic = readOrganic(page);
  const paid = readAds(page);
  if (organic.length === 0 && paid.length === 0) return classifyEmptyPage(page);
  const results = [...organic, ...paid].toSorted((a, b) => a.node - b.node).map(({ result }) => result);
  return {
    results,
    has_more: one(page, '#pnnext') !== 0 || all(page, '[aria-label="More search results"]').length > 0,
    features: readFeatures(page),
  };
}

/** Classifies a page without results by its text. It runs only then, because the script of a soft block is in good pages, too. */
function classifyEmptyPage(page: ParsedPage): SiteAnswer {
  const message = [lineAt(page, '#topstuff'), lineAt(page, '#botstuff'), lineAt(page, '#center_col')].join(' ');
  if (/did not match any documents/i.test(message) || one(page, '#topstuff .card-section em') !== 0) return empty();
  if (/(?:^|\D)0(?:\D|$)/.test(lineAt(page, '#result-stats') ?? '')) return empty();
  return isSoftBlock(page) ? blocked('soft_block') : unusable('results');
}

/** Whether a page is a soft block. A rendered page lacks the `noscript` element, so an empty main element counts as well. */
export function isSoftBlock(page: ParsedPage): boolean {
  if (page.source.includes('/httpservice/retry/enablejs')) return true;
  return one(page, '#main') !== 0 && lineAt(page, '#main') === null;
}

function readOrganic(page: ParsedPage): readonly PositionedResult[] {
  const found: PositionedResult[] = [];
  const boxes = new Set<number>();
  for (const heading of page.tags().get('h3') ?? []) {
    const place = findHeadingPlace(page, heading);
    const title = place === null ? null : lineOf(page, heading);
    if (place === null || title === null) continue;
    const { box, href } = place;
    const description = boxes.has(box) ? null : readDescription(page, box);
    boxes.add(box);
    const shown = readShownUrl(page, box);
    found.push({ node: heading, result: buildEngineResult({ title, url: href, shown, description }) });
  }
  return found;
}

/** Reads the displayed address. The same element is used for counts of comments, so a line with a dot is preferred. */
function readShownUrl(page: ParsedPage, box: number): string | null {
  const lines = all(page, 'cite', box).flatMap((cite) => lineOf(page, cite) ?? []);
  return lines.find((shown) => /\w\.\w/.test(shown)) ?? lines[0] ?? null;
}

function readDescription(page: ParsedPage, box: number): string | null {
  for (const selector of DESCRIPTION_SELECTORS) {
    const text = lineAt(page, selector, box);
    if (text !== null) return text;
  }
  return null;
}

type HeadingPlace = { readonly box: number; readonly href: string };

/** Finds the link and the box of a heading. Null if the heading is outside the list, in an ad or in a module of the page. */
function findHeadingPlace(page: ParsedPage, heading: number): HeadingPlace | null {
  const { tree } = page;
  let href: string | null = null;
  let box = 0;
  let isListed = false;
  for (let node = parentOf(tree, heading); node !== 0; node = parentOf(tree, node)) {
    const id = attributeOf(tree, node, 'id');
    const names = (attributeOf(tree, node, 'class') ?? '').split(/\s+/);
    if (nameOf(tree, node) === 'a') href ??= attributeOf(tree, node, 'href');
    if (id !== null && AD_CONTAINER_IDS.has(id)) return null;
    if (isModule(nameOf(tree, node), names, attributeOf(tree, node, 'role'))) return null;
    if (id !== null && LIST_IDS.has(id)) isListed = true;
    const isBox = names.some((name) => BOX_CLASSES.has(name)) || attributeOf(tree, node, 'data-hveid') !== null;
    if (box === 0 && isBox) box = node;
  }
  if (!isListed || href === null || !/^https?:/.test(href)) return null;
  return { box: box === 0 ? heading : box, href };
}

function isModule(tag: string, names: readonly string[], role: string | null): boolean {
  return tag === 'g-scrolling-carousel' || role === 'complementary' || names.includes('related-question-pair');
}

const MAX_ENTRIES = 20;
const DURATION = /\d{1,2}:\d{2}(?!\d)|\d+ (?:hours?|minutes?|seconds?)\b/;
/** A shorter text is the message that there is no overview. */
const MIN_OVERVIEW_LENGTH = 80;

/** Reads the elements of a page besides its results. */
function readFeatures(page: ParsedPage): EngineFeatures {
  return {
    people_also_ask: limitOrNull(readQuestions(page)),
    related_searches: limitOrNull(readRelatedSearches(page)),
    knowledge_panel: readKnowledgePanel(page),
    top_stories: limitOrNull(readTopStories(page)),
    videos: limitOrNull(readVideos(page)),
    local_results: limitOrNull(
      all(page, '.VkpGBb').flatMap((box) => {
        const title = lineAt(page, '[role="heading"]', box) ?? lineAt(page, '.OSrXXb', box);
        return title === null ? [] : [{ title, details: lineAt(page, '.rllt__details', box) }];
      }),
    ),
    ai_overview: readOverview(page),
  };
}

function limitOrNull<T>(found: readonly T[]): readonly T[] | null {
  return found.length === 0 ? null : found.slice(0, MAX_ENTRIES);
}

function readQuestions(page: ParsedPage): readonly string[] {
  const questions = all(page, '.related-question-pair').map(
    (pair) =>
      attributeOf(page.tree, pair, 'data-q') ??
      attributeAt(page, '[data-q]', 'data-q', pair) ??
      lineAt(page, '.CSkcDe', pair),
  );
  return [...new Set(questions.filter((question) => question !== null))];
}

/** Reads the links to searches for other words below the list. Links of the pager have a `start` parameter. */
function readRelatedSearches(page: ParsedPage): readonly string[] {
  const own = new URL(page.url).searchParams.get('q') ?? attributeAt(page, '[name="q"]', 'value');
  const boxes = [one(page, '#bres'), one(page, '#botstuff')].filter((box) => box !== 0);
  const words = boxes
    .flatMap((box) => all(page, 'a', box))
    .flatMap((link) => {
      const url = URL.parse(attributeOf(page.tree, link, 'href') ?? '', page.url);
      const isSearch = url?.pathname === '/search' && !url.searchParams.has('start') && lineOf(page, link) !== null;
      return isSearch ? (url.searchParams.get('q') ?? []) : [];
    });
  return [...new Set(words)].filter((word) => word !== own);
}

const TOP_STORIES = /^(?:top stories|schlagzeilen|à la une|noticias destacadas|notizie principali|hoofdnieuws)$/i;
const MAX_STEPS = 12;

/** Reads the news cards. Cards of forum posts look the same, so the heading of the section decides. */
function readTopStories(page: ParsedPage): readonly Link[] {
  const heading = all(page, '[role="heading"]').find((at) => TOP_STORIES.test(lineOf(page, at) ?? ''));
  let box = heading ?? 0;
  for (let steps = 0; steps < MAX_STEPS && box !== 0; steps += 1) {
    const cards = all(page, 'a.WlydOe', box);
    if (cards.length > 0) return cards.flatMap((link) => readLink(page, link) ?? []);
    box = parentOf(page.tree, box);
  }
  return [];
}

function readKnowledgePanel(page: ParsedPage): EngineFeatures['knowledge_panel'] {
  const box = all(page, '.kp-wholepage')[0] ?? one(page, '[role="complementary"]');
  const title = box === 0 ? null : lineAt(page, '[data-attrid="title"]', box);
  if (title === null) return null;
  return {
    title,
    subtitle: lineAt(page, '[data-attrid="subtitle"]', box),
    description: lineAt(page, '.kno-rdesc span', box) ?? lineAt(page, '[data-attrid="description"]', box),
  };
}

type Link = NonNullable<EngineFeatures['videos']>[number];

/** Reads the video cards, which have a heading and a duration. */
function readVideos(page: ParsedPage): readonly Link[] {
  return all(page, '[role="heading"][aria-level="3"]').flatMap((heading) => {
    const link = parentOf(page.tree, heading);
    const isVideo = attributeOf(page.tree, link, 'href') !== null && DURATION.test(lineOf(page, link) ?? '');
    return isVideo ? (readLink(page, link) ?? []) : [];
  });
}

function readLink(page: ParsedPage, link: number): Link | null {
  const url = toPlainUrl(attributeOf(page.tree, link, 'href') ?? '', page.url);
  const title = lineAt(page, '.cHaqb', link) ?? lineAt(page, '[role="heading"]', link) ?? lineOf(page, link);
  return url === null || title === null ? null : { title, url, source: lineAt(page, 'cite', link) };
}

/** Reads the AI overview and its sources. The box also contains the message that there is no overview. */
function readOverview(page: ParsedPage): EngineFeatures['ai_overview'] {
  const box = one(page, '#m-x-content');
  const written = all(page, '[data-container-id="main-col"]', box)[0] ?? all(page, '[data-rl]', box)[0] ?? 0;
  const text = box === 0 ? null : lineOf(page, written);
  if (text === null || text.length < MIN_OVERVIEW_LENGTH) return null;
  const own = bareHost(new URL(page.url));
  const sources = new Map<string, Link>();
  for (const link of all(page, 'a', box)) {
    const found = readLink(page, link);
    if (found !== null && !new URL(found.url).host.endsWith(own)) sources.set(found.url, found);
  }
  return { text, sources: [...sources.values()].slice(0, MAX_ENTRIES) };
}
