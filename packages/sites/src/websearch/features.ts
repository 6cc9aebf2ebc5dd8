import type { EngineFeatures } from '#sites/engines/engine-record.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf, parentOf } from '#extract/html/tree.ts';
import { bareHost, toPlainUrl } from '#extract/values/web-urls.ts';

const MAX = 20;
const DURATION = /\d{1,2}:\d{2}(?!\d)|\d+ (?:hours?|minutes?|seconds?)\b/;
/** Shorter than that it is the word that there is none. */
const MIN_OVERVIEW = 80;

/** What a page shows beside its results. */
export function readFeatures(page: ParsedPage): EngineFeatures {
  return {
    people_also_ask: someOf(questionsOf(page)),
    related_searches: someOf(relatedOf(page)),
    knowledge_panel: panelOf(page),
    top_stories: someOf(storiesOf(page)),
    videos: someOf(videosOf(page)),
    local_results: someOf(
      all(page, '.VkpGBb').flatMap((box) => {
        const title = lineAt(page, '[role="heading"]', box) ?? lineAt(page, '.OSrXXb', box);
        return title === null ? [] : [{ title, details: lineAt(page, '.rllt__details', box) }];
      }),
    ),
    ai_overview: overviewOf(page),
  };
}

function someOf<T>(found: readonly T[]): readonly T[] | null {
  return found.length === 0 ? null : found.slice(0, MAX);
}

function questionsOf(page: ParsedPage): readonly string[] {
  const asked = all(page, '.related-question-pair').map(
    (pair) =>
      attributeOf(page.tree, pair, 'data-q') ??
      attributeAt(page, '[data-q]', 'data-q', pair) ??
      lineAt(page, '.CSkcDe', pair),
  );
  return [...new Set(asked.filter((question) => question !== null))];
}

/** Links below the list that search for other words; those of the pager have a start. */
function relatedOf(page: ParsedPage): readonly string[] {
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

/** The cards of news; cards that look alike hold what people say, so the heading of their section decides. */
function storiesOf(page: ParsedPage): readonly Link[] {
  const heading = all(page, '[role="heading"]').find((at) => TOP_STORIES.test(lineOf(page, at) ?? ''));
  let box = heading ?? 0;
  for (let steps = 0; steps < MAX_STEPS && box !== 0; steps += 1) {
    const cards = all(page, 'a.WlydOe', box);
    if (cards.length > 0) return cards.flatMap((link) => linkOf(page, link) ?? []);
    box = parentOf(page.tree, box);
  }
  return [];
}

function panelOf(page: ParsedPage): EngineFeatures['knowledge_panel'] {
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

/** Cards with a heading and a duration. */
function videosOf(page: ParsedPage): readonly Link[] {
  return all(page, '[role="heading"][aria-level="3"]').flatMap((heading) => {
    const link = parentOf(page.tree, heading);
    const isVideo = attributeOf(page.tree, link, 'href') !== null && DURATION.test(lineOf(page, link) ?? '');
    return isVideo ? (linkOf(page, link) ?? []) : [];
  });
}

function linkOf(page: ParsedPage, link: number): Link | null {
  const url = toPlainUrl(attributeOf(page.tree, link, 'href') ?? '', page.url);
  const title = lineAt(page, '.cHaqb', link) ?? lineAt(page, '[role="heading"]', link) ?? lineOf(page, link);
  return url === null || title === null ? null : { title, url, source: lineAt(page, 'cite', link) };
}

/** The text that the engine wrote itself, and the pages that it names for it; the word that there is none is beside it. */
function overviewOf(page: ParsedPage): EngineFeatures['ai_overview'] {
  const box = one(page, '#m-x-content');
  const written = all(page, '[data-container-id="main-col"]', box)[0] ?? all(page, '[data-rl]', box)[0] ?? 0;
  const text = box === 0 ? null : lineOf(page, written);
  if (text === null || text.length < MIN_OVERVIEW) return null;
  const own = bareHost(new URL(page.url));
  const sources = new Map<string, Link>();
  for (const link of all(page, 'a', box)) {
    const found = linkOf(page, link);
    if (found !== null && !new URL(found.url).host.endsWith(own)) sources.set(found.url, found);
  }
  return { text, sources: [...sources.values()].slice(0, MAX) };
}
