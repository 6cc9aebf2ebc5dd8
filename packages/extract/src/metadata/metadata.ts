import { isHomeHeading } from '#extract/content/features/links.ts';
import type { ExplainedFact } from '#extract/explained.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { findNextTag, getSubtreeEnd, readCollapsedText, type Tree } from '#extract/html/tree.ts';
import type { PageMetadata, StructuredData } from '#extract/reading.ts';
import {
  findMemberText,
  findTextValue,
  formatFactSource,
  listValues,
  type Subject,
  toEntities,
} from '#extract/structured/entities.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';
import type { ParsedDate } from '#extract/values/dates.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { getMember, toList } from '#extract/values/json.ts';
import { normalizeText } from '#extract/values/typed-values.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { formatElementPath } from '#extract/view/selectors.ts';
import { chooseAuthor } from './choose-author.ts';
import { createDateClassifier } from './page-dates.ts';
import { collectFacts, type PageFacts } from './page-facts.ts';
import { chooseModified, choosePublished, computeLatestDay } from './publication.ts';
import {
  type FactSource,
  findFirstFact,
  type MetadataInputs,
  type SourcedFact,
  toSourcedFact,
} from './sourced-fact.ts';
import { chooseTitle } from './titles.ts';

type MetadataSources = {
  /** The final URL of the page. */
  readonly url: string;
  readonly charset: string | null;
  readonly structured: StructuredData;
  /** The number of words in the included part of the page. */
  readonly wordCount: number;
  /** When the page was fetched, in ms since 1970; omitted if unknown. */
  readonly fetchedAt?: number | undefined;
};

const ARTICLE_TYPES =
  /(?:Article|Posting|Report|Recipe|Review|Course|Question|HowTo|Chapter|Book|Movie|Podcast\w*|Episode|ScholarlyArticle|SocialMediaPosting)$/;
const SUBJECT_TYPES =
  /(?:Product|VideoObject|Event|WebPage|AboutPage|ProfilePage|ItemPage|SoftwareApplication|CreativeWork|LearningResource)$/;

/** The facts of a page that several sources may state, each with its source; dates include their instants. */
export type SourcedFacts = {
  readonly title: SourcedFact | null;
  readonly description: SourcedFact | null;
  readonly language: SourcedFact | null;
  readonly canonical_url: SourcedFact | null;
  readonly image: SourcedFact | null;
  readonly site_name: SourcedFact | null;
  readonly author: SourcedFact | null;
  readonly published: (SourcedFact<ParsedDate> & { readonly also: readonly string[] }) | null;
  readonly modified: SourcedFact<ParsedDate> | null;
};

/** Reads the metadata of a page; each fact comes from the first source that has it. */
export function readMetadata(tree: Tree, { charset, wordCount, ...sources }: MetadataSources): PageMetadata {
  const sourced = readSourcedFacts(tree, { ...sources, charset });
  return {
    title: sourced.title?.value ?? null,
    description: sourced.description?.value ?? null,
    language: sourced.language?.value ?? null,
    canonical_url: sourced.canonical_url?.value ?? null,
    image: sourced.image?.value ?? null,
    site_name: sourced.site_name?.value ?? null,
    author: sourced.author?.value ?? null,
    published_date: sourced.published?.value.day ?? null,
    published_at: sourced.published?.value.instant ?? null,
    modified_at: sourced.modified === null ? null : (sourced.modified.value.instant ?? sourced.modified.value.day),
    charset,
    word_count: wordCount,
  };
}

/** Reads the facts of a page together with their sources. */
export function readSourcedFacts(
  tree: Tree,
  {
    url,
    charset = null,
    structured,
    fetchedAt,
  }: Pick<MetadataSources, 'url' | 'structured' | 'fetchedAt'> & Partial<Pick<MetadataSources, 'charset'>>,
): SourcedFacts {
  const facts = collectFacts(tree);
  const entities = toEntities(structured);
  // The questions of an FAQ are parts of the page, not its subject.
  const isFaq = entities.all.some(({ types }) => types.includes('FAQPage'));
  const articles = entities.all.filter(
    ({ types }) => types.some((type) => ARTICLE_TYPES.test(type)) && !(isFaq && types.includes('Question')),
  );
  const others = entities.all.filter(({ types }) => types.some((type) => SUBJECT_TYPES.test(type)));
  const openGraph = structured.opengraph;
  const language = chooseLanguage(facts, openGraph, articles);
  const inputs: MetadataInputs = {
    tree,
    facts,
    entities,
    subjects: [...articles, ...others],
    openGraph,
    url,
    charset,
    language: language?.value ?? null,
    latest: computeLatestDay(fetchedAt),
  };
  const siteName = chooseSiteName(inputs);
  const days = createDateClassifier(tree);
  return {
    title: chooseTitle({
      document: facts.title,
      openGraph: findFirstFact(
        ['meta dc:title', () => findMeta(facts, 'dc:title')],
        buildOpenGraphSource(inputs, 'og:title'),
        buildOpenGraphSource(inputs, 'twitter:title'),
      ),
      headline: chooseHeadline(inputs),
      headings: facts.headings,
      siteNames: listSiteNames(inputs, siteName),
      homeNames: () => listHomeNames(tree, url),
      url,
    }),
    description: chooseDescription(inputs),
    language,
    canonical_url: chooseCanonical(inputs),
    image: chooseImage(inputs),
    site_name: siteName,
    author: chooseAuthor(inputs, siteName?.value ?? null),
    published: choosePublished(inputs, days),
    modified: chooseModified(inputs, days),
  };
}

/** The names of the site: its stated name, and headings that link to its home page. */
function listSiteNames({ tree, facts, url }: MetadataInputs, name: SourcedFact | null): readonly string[] {
  const leading = facts.headings.filter(({ node }) => isHomeHeading(tree, node, url)).map(({ text }) => text);
  return name === null ? leading : [name.value, ...leading];
}

/** The most links from the top of the page that are searched for one to the home page. */
const MAX_HOME_LINKS = 8;
const MAX_HOME_NAME_LENGTH = 60;

/** The texts of the links at the top of a page that lead to the home page. */
function listHomeNames(tree: Tree, url: string): readonly string[] {
  const names: string[] = [];
  let link = findNextTag(tree, TAG.a, 1);
  for (let count = 0; count < MAX_HOME_LINKS && link !== 0; count++, link = findNextTag(tree, TAG.a, link + 1)) {
    if (getSubtreeEnd(tree, link) > link + 1 && isHomeHeading(tree, link + 1, url))
      names.push(readCollapsedText(tree, link, MAX_HOME_NAME_LENGTH));
  }
  return names;
}

function chooseHeadline(inputs: MetadataInputs): SourcedFact | null {
  return findFirstValue(
    () => findInSubjects(inputs, 'headline'),
    () => findInSubjects(inputs, 'name'),
    () => findFirstMeta(inputs.facts, ['citation_title', 'parsely-title', 'sailthru.title', 'dc.title']),
  );
}

function chooseDescription(inputs: MetadataInputs): SourcedFact | null {
  const { facts } = inputs;
  return findFirstValue(
    () => findFirstFact(buildOpenGraphSource(inputs, 'og:description')),
    () => findFirstMeta(facts, ['description']),
    () => findFirstFact(buildOpenGraphSource(inputs, 'twitter:description')),
    () => findInSubjects(inputs, 'description'),
    () => findFirstMeta(facts, ['dc.description']),
  );
}

function chooseLanguage(
  facts: PageFacts,
  openGraph: Readonly<Record<string, unknown>>,
  articles: readonly Subject[],
): SourcedFact | null {
  const [article] = articles;
  return findFirstFact(
    ['html lang', () => toLanguage(facts.language)],
    ['meta content-language', () => toLanguage(findMeta(facts, 'content-language'))],
    ['meta og:locale', () => toLanguage(readFirstText(openGraph['og:locale']))],
    [
      formatFactSource(article, 'inLanguage'),
      () => toLanguage(findTextValue(getMember(article?.members, 'inLanguage'))),
    ],
    ['meta dc.language', () => toLanguage(findMeta(facts, 'dc.language'))],
  );
}

/** Normalizes a language tag: `en-US` for `en_us`; null if it is none. */
function toLanguage(tag: string | null): string | null {
  const plain =
    tag
      ?.trim()
      .replaceAll('_', '-')
      .split(/[\s,;]/)[0] ?? '';
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(plain)) return null;
  return Intl.getCanonicalLocales(plain)[0] ?? null;
}

function chooseCanonical(inputs: MetadataInputs): SourcedFact | null {
  const { facts, openGraph, url, charset } = inputs;
  return findFirstFact(
    ['link canonical', () => toWebUrl(facts.canonical, url, charset)],
    ['meta og:url', () => toWebUrl(readFirstText(openGraph['og:url']), url, charset)],
  );
}

function chooseImage(inputs: MetadataInputs): SourcedFact | null {
  const { facts, url, charset } = inputs;
  const inMeta = (name: string): FactSource => {
    const [by, find] = buildOpenGraphSource(inputs, name);
    return [by, () => toWebUrl(find(), url, charset)];
  };
  return findFirstValue(
    () =>
      findFirstFact(inMeta('og:image'), inMeta('og:image:url'), inMeta('twitter:image'), inMeta('twitter:image:src')),
    () => findSubjectImage(inputs),
    () => toSourcedFact(toWebUrl(facts.imageSource, url, charset), 'link image_src'),
  );
}

function findSubjectImage({ subjects, entities, url, charset }: MetadataInputs): SourcedFact | null {
  for (const subject of subjects) {
    for (const name of ['image', 'thumbnailUrl']) {
      for (const value of listValues(subject, name, entities)) {
        const text = findTextValue(getMember(value, 'url') ?? getMember(value, 'contentUrl') ?? value);
        if (text !== null) return toSourcedFact(toWebUrl(text, url, charset), formatFactSource(subject, name));
      }
    }
  }
  return null;
}

function chooseSiteName(inputs: MetadataInputs): SourcedFact | null {
  const { facts, entities } = inputs;
  const site = entities.all.find(({ types }) => types.includes('WebSite'));
  return findFirstValue(
    () => findFirstFact(buildOpenGraphSource(inputs, 'og:site_name')),
    () =>
      toSourcedFact(
        normalizeText(findTextValue(getMember(site?.members, 'name')) ?? ''),
        formatFactSource(site, 'name'),
      ),
    () => findFirstMeta(facts, ['application-name', 'apple-mobile-web-app-title']),
    () => findInSubjects(inputs, 'publisher'),
  );
}

function findInSubjects({ subjects, entities }: MetadataInputs, name: string): SourcedFact | null {
  for (const subject of subjects) {
    const text = normalizeText(findMemberText(subject, name, entities) ?? '');
    if (text !== null) return toSourcedFact(text, formatFactSource(subject, name));
  }
  return null;
}

/** The source of an OpenGraph or Twitter property. */
function buildOpenGraphSource({ openGraph }: MetadataInputs, name: string): FactSource {
  return [`meta ${name}`, () => readFirstText(openGraph[name])];
}

function findFirstMeta(facts: PageFacts, names: readonly string[]): SourcedFact | null {
  return findFirstFact(...names.map((name): FactSource => [`meta ${name}`, () => findMeta(facts, name)]));
}

function readFirstText(value: unknown): string | null {
  const text = toList(value)[0];
  return typeof text === 'string' ? normalizeText(text) : null;
}

function findMeta(facts: PageFacts, name: string): string | null {
  return normalizeText(facts.metas.get(name)?.[0] ?? '');
}

function toWebUrl(reference: string | null, url: string, charset: string | null): string | null {
  const absolute = reference === null ? null : toAbsoluteUrl(reference, url, charset);
  return absolute?.startsWith('http') === true ? absolute : null;
}

/** Explains where each metadata field of a page comes from; fields that the page does not have are omitted. */
export function explainFacts(tree: Tree, url: string, fetchedAt?: number): readonly ExplainedFact[] {
  const structured = readStructuredData(tree, url, false);
  const { published, modified, ...texts } = readSourcedFacts(tree, { url, structured, fetchedAt });
  const explained = ([fact, sourced]: readonly [string, SourcedFact | null]): readonly ExplainedFact[] => {
    if (sourced === null) return [];
    const place = sourced.node === undefined ? null : formatElementPath(tree, sourced.node);
    return [{ fact, value: sourced.value, by: sourced.source, place, also: [] }];
  };
  const day = published === null ? null : { ...published, value: published.value.instant ?? published.value.day };
  const change = modified === null ? null : { ...modified, value: modified.value.instant ?? modified.value.day };
  return [
    ...Object.entries(texts).flatMap(explained),
    ...explained(['published', day]).map((one) => ({ ...one, also: published?.also ?? [] })),
    ...explained(['modified', change]),
  ];
}
