import { selectAll, readAttributeAt, readLineAt, readSingleLine, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute, getTagName, getParent } from '#extract/html/tree.ts';
import { getBareHost, toDirectUrl } from '#extract/values/web-urls.ts';
import { type EngineFeatures, type EngineRecord, type EngineResult, buildEngineResult } from '#sites/engines/shared.ts';
import { blocked, answerEmpty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
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
    ...AD_CONTAINERS.map((selector) => selectFirst(page, selector)),
    ...selectAll(page, '.commercial-unit-desktop-top'),
    ...selectAll(page, '.commercial-unit-desktop-rhs'),
  ].filter((box) => box !== 0);
  const resultsByUrl = new Map<string, PositionedResult>();
  for (const box of boxes) {
    const texts = sortUnique(TEXT_AD_SELECTORS.flatMap((selector) => selectAll(page, selector, box)));
    const nodes =
      texts.length > 0 ? texts : sortUnique(AD_CARD_SELECTORS.flatMap((selector) => selectAll(page, selector, box)));
    for (const node of nodes) {
      const result = readAd(page, node);
      if (result !== null) resultsByUrl.set(`${result.url} ${result.title}`, { node, result });
    }
  }
  return [...resultsByUrl.values()];
}

/** Removes duplicate nodes and sorts the rest in document order. */
function sortUnique(nodes: readonly number[]): readonly number[] {
  return [...new Set(nodes)].toSorted((a, b) => a - b);
}

function readAd(page: ParsedPage, node: number): EngineResult | null {
  const title =
    readLineAt(page, '[role="heading"]', node) ??
    readLineAt(page, '.pla-unit-title', node) ??
    readLineAt(page, 'h3', node);
  const link = selectAll(page, 'a', node).find((anchor) => resolveAdUrl(page, anchor) !== null) ?? 0;
  const url = resolveAdUrl(page, link);
  if (title === null || url === null) return null;
  const description = [selectAll(page, '.yDYNvb', node), selectAll(page, '.MUxGbd', node)]
    .flat()
    .map((at) => readSingleLine(page, at))
    .find((text) => text !== null && text !== title);
  return buildEngineResult({
    title,
    url,
    is_paid: true,
    shown:
      readLineAt(page, 'span.x2VHCd', node) ??
      readLineAt(page, 'cite', node) ??
      readAttributeAt(page, '[data-dtld]', 'data-dtld', node),
    description: description ?? null,
  });
}

/** Resolves the target of an ad's link, also through a click-tracking redirect. Null for a link to the engine itself. */
function resolveAdUrl(page: ParsedPage, link: number): string | null {
  const href = link === 0 ? null : getAttribute(page.tree, link, 'href');
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
    has_more: selectFirst(page, '#pnnext') !== 0 || selectAll(page, '[aria-label="More search results"]').length > 0,
    features: readFeatures(page),
  };
}

/** Classifies a page without results by its text. It runs only then, because the script of a soft block is in good pages, too. */
function classifyEmptyPage(page: ParsedPage): SiteAnswer {
  const message = [readLineAt(page, '#topstuff'), readLineAt(page, '#botstuff'), readLineAt(page, '#center_col')].join(
    ' ',
  );
  if (/did not match any documents/i.test(message) || selectFirst(page, '#topstuff .card-section em') !== 0)
    return answerEmpty();
  if (/(?:^|\D)0(?:\D|$)/.test(readLineAt(page, '#result-stats') ?? '')) return answerEmpty();
  return isSoftBlock(page) ? blocked('soft_block') : unusable('the results are missing');
}

/** Whether a page is a soft block. A rendered page lacks the `noscript` element, so an empty main element counts as well. */
export function isSoftBlock(page: ParsedPage): boolean {
  if (page.source.includes('/httpservice/retry/enablejs')) return true;
  return selectFirst(page, '#main') !== 0 && readLineAt(page, '#main') === null;
}

function readOrganic(page: ParsedPage): readonly PositionedResult[] {
  const results: PositionedResult[] = [];
  const boxes = new Set<number>();
  for (const heading of page.tags().get('h3') ?? []) {
    const place = findHeadingPlace(page, heading);
    const title = place === null ? null : readSingleLine(page, heading);
    if (place === null || title === null) continue;
    const { box, href } = place;
    const description = boxes.has(box) ? null : readDescription(page, box);
    boxes.add(box);
    const shown = readShownUrl(page, box);
    results.push({ node: heading, result: buildEngineResult({ title, url: href, shown, description }) });
  }
  return results;
}

/** Reads the displayed address. The same element is used for counts of comments, so a line with a dot is preferred. */
function readShownUrl(page: ParsedPage, box: number): string | null {
  const lines = selectAll(page, 'cite', box).flatMap((cite) => readSingleLine(page, cite) ?? []);
  return lines.find((shown) => /\w\.\w/.test(shown)) ?? lines[0] ?? null;
}

function readDescription(page: ParsedPage, box: number): string | null {
  for (const selector of DESCRIPTION_SELECTORS) {
    const text = readLineAt(page, selector, box);
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
  for (let node = getParent(tree, heading); node !== 0; node = getParent(tree, node)) {
    const id = getAttribute(tree, node, 'id');
    const names = (getAttribute(tree, node, 'class') ?? '').split(/\s+/);
    if (getTagName(tree, node) === 'a') href ??= getAttribute(tree, node, 'href');
    if (id !== null && AD_CONTAINER_IDS.has(id)) return null;
    if (isModule(getTagName(tree, node), names, getAttribute(tree, node, 'role'))) return null;
    if (id !== null && LIST_IDS.has(id)) isListed = true;
    const isBox = names.some((name) => BOX_CLASSES.has(name)) || getAttribute(tree, node, 'data-hveid') !== null;
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
      selectAll(page, '.VkpGBb').flatMap((box) => {
        const title = readLineAt(page, '[role="heading"]', box) ?? readLineAt(page, '.OSrXXb', box);
        return title === null ? [] : [{ title, details: readLineAt(page, '.rllt__details', box) }];
      }),
    ),
    ai_overview: readOverview(page),
  };
}

function limitOrNull<T>(results: readonly T[]): readonly T[] | null {
  return results.length === 0 ? null : results.slice(0, MAX_ENTRIES);
}

function readQuestions(page: ParsedPage): readonly string[] {
  const questions = selectAll(page, '.related-question-pair').map(
    (pair) =>
      getAttribute(page.tree, pair, 'data-q') ??
      readAttributeAt(page, '[data-q]', 'data-q', pair) ??
      readLineAt(page, '.CSkcDe', pair),
  );
  return [...new Set(questions.filter((question) => question !== null))];
}

/** Reads the links to searches for other words below the list. Links of the pager have a `start` parameter. */
function readRelatedSearches(page: ParsedPage): readonly string[] {
  const own = new URL(page.url).searchParams.get('q') ?? readAttributeAt(page, '[name="q"]', 'value');
  const boxes = [selectFirst(page, '#bres'), selectFirst(page, '#botstuff')].filter((box) => box !== 0);
  const words = boxes
    .flatMap((box) => selectAll(page, 'a', box))
    .flatMap((link) => {
      const url = URL.parse(getAttribute(page.tree, link, 'href') ?? '', page.url);
      const isSearch =
        url?.pathname === '/search' && !url.searchParams.has('start') && readSingleLine(page, link) !== null;
      return isSearch ? (url.searchParams.get('q') ?? []) : [];
    });
  return [...new Set(words)].filter((word) => word !== own);
}

const TOP_STORIES = /^(?:top stories|schlagzeilen|à la une|noticias destacadas|notizie principali|hoofdnieuws)$/i;
const MAX_STEPS = 12;

/** Reads the news cards. Cards of forum posts look the same, so the heading of the section decides. */
function readTopStories(page: ParsedPage): readonly Link[] {
  const heading = selectAll(page, '[role="heading"]').find((at) => TOP_STORIES.test(readSingleLine(page, at) ?? ''));
  let box = heading ?? 0;
  for (let steps = 0; steps < MAX_STEPS && box !== 0; steps += 1) {
    const cards = selectAll(page, 'a.WlydOe', box);
    if (cards.length > 0) return cards.flatMap((link) => readLink(page, link) ?? []);
    box = getParent(page.tree, box);
  }
  return [];
}

function readKnowledgePanel(page: ParsedPage): EngineFeatures['knowledge_panel'] {
  const box = selectAll(page, '.kp-wholepage')[0] ?? selectFirst(page, '[role="complementary"]');
  const title = box === 0 ? null : readLineAt(page, '[data-attrid="title"]', box);
  if (title === null) return null;
  return {
    title,
    subtitle: readLineAt(page, '[data-attrid="subtitle"]', box),
    description: readLineAt(page, '.kno-rdesc span', box) ?? readLineAt(page, '[data-attrid="description"]', box),
  };
}

type Link = NonNullable<EngineFeatures['videos']>[number];

/** Reads the video cards, which have a heading and a duration. */
function readVideos(page: ParsedPage): readonly Link[] {
  return selectAll(page, '[role="heading"][aria-level="3"]').flatMap((heading) => {
    const link = getParent(page.tree, heading);
    const isVideo = getAttribute(page.tree, link, 'href') !== null && DURATION.test(readSingleLine(page, link) ?? '');
    return isVideo ? (readLink(page, link) ?? []) : [];
  });
}

function readLink(page: ParsedPage, link: number): Link | null {
  const url = toDirectUrl(getAttribute(page.tree, link, 'href') ?? '', page.url);
  const title =
    readLineAt(page, '.cHaqb', link) ?? readLineAt(page, '[role="heading"]', link) ?? readSingleLine(page, link);
  return url === null || title === null ? null : { title, url, source: readLineAt(page, 'cite', link) };
}

/** Reads the AI overview and its sources. The box also contains the message that there is no overview. */
function readOverview(page: ParsedPage): EngineFeatures['ai_overview'] {
  const box = selectFirst(page, '#m-x-content');
  const written =
    selectAll(page, '[data-container-id="main-col"]', box)[0] ?? selectAll(page, '[data-rl]', box)[0] ?? 0;
  const text = box === 0 ? null : readSingleLine(page, written);
  if (text === null || text.length < MIN_OVERVIEW_LENGTH) return null;
  const own = getBareHost(new URL(page.url));
  const sources = new Map<string, Link>();
  for (const link of selectAll(page, 'a', box)) {
    const target = readLink(page, link);
    if (target !== null && !new URL(target.url).host.endsWith(own)) sources.set(target.url, target);
  }
  return { text, sources: [...sources.values()].slice(0, MAX_ENTRIES) };
}
