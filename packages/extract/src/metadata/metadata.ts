import { chooseAuthor } from './authorship.ts';
import {
  factNameOf,
  type Subject,
  textOfMember,
  toEntities,
  textValueOf,
  valuesOf,
} from '#extract/structured/entities.ts';
import { collectFacts, type HeadFacts } from './facts.ts';
import { first } from '#extract/values/first.ts';
import { leadsHome } from '#extract/content/features/home-link.ts';
import type { DateReading } from '#extract/values/dates.ts';
import { memberOf, toList } from '#extract/values/json.ts';
import type { PageMetadata, StructuredData } from '#extract/reading.ts';
import { dayReader } from './date-labels.ts';
import { chooseModified, choosePublished, latestDay } from './publication.ts';
import { chooseTitle } from './titles.ts';
import { type Declared, declaredBy, type FactSource, firstDeclared, type MetadataInputs } from './declared.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { nextTagged, subtreeEndOf, type Tree } from '#extract/html/tree.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { toPlainString } from '#extract/values/values.ts';

type MetadataSources = {
  /** The final URL of the page. */
  readonly url: string;
  readonly charset: string | null;
  readonly structured: StructuredData;
  /** The words of what is kept of the page. */
  readonly wordCount: number;
  /** When the page was fetched, ms since 1970; left out where nobody says. */
  readonly fetchedAt?: number | undefined;
};

const ARTICLES =
  /(?:Article|Posting|Report|Recipe|Review|Course|Question|HowTo|Chapter|Book|Movie|Podcast\w*|Episode|ScholarlyArticle|SocialMediaPosting)$/;
const SUBJECTS =
  /(?:Product|VideoObject|Event|WebPage|AboutPage|ProfilePage|ItemPage|SoftwareApplication|CreativeWork|LearningResource)$/;

/** The facts of a page that may be told in several places, each with what tells it; the days and instants of dates together. */
export type ToldFacts = {
  readonly title: Declared | null;
  readonly description: Declared | null;
  readonly language: Declared | null;
  readonly canonical_url: Declared | null;
  readonly image: Declared | null;
  readonly site_name: Declared | null;
  readonly author: Declared | null;
  readonly published: (Declared<DateReading> & { readonly also: readonly string[] }) | null;
  readonly modified: Declared<DateReading> | null;
};

/** The facts of a page; each from its first source that yields one. */
export function toMetadata(tree: Tree, { charset, wordCount, ...sources }: MetadataSources): PageMetadata {
  const told = tellFacts(tree, { ...sources, charset });
  return {
    title: told.title?.value ?? null,
    description: told.description?.value ?? null,
    language: told.language?.value ?? null,
    canonical_url: told.canonical_url?.value ?? null,
    image: told.image?.value ?? null,
    site_name: told.site_name?.value ?? null,
    author: told.author?.value ?? null,
    published_date: told.published?.value.day ?? null,
    published_at: told.published?.value.instant ?? null,
    modified_at: told.modified === null ? null : (told.modified.value.instant ?? told.modified.value.day),
    charset,
    word_count: wordCount,
  };
}

/** The same with the witness of each. */
export function tellFacts(
  tree: Tree,
  {
    url,
    charset = null,
    structured,
    fetchedAt,
  }: Pick<MetadataSources, 'url' | 'structured' | 'fetchedAt'> & Partial<Pick<MetadataSources, 'charset'>>,
): ToldFacts {
  const facts = collectFacts(tree);
  const entities = toEntities(structured);
  // The questions of an FAQ are parts of a page, not what it is about.
  const isFaq = entities.all.some(({ types }) => types.includes('FAQPage'));
  const articles = entities.all.filter(
    ({ types }) => types.some((type) => ARTICLES.test(type)) && !(isFaq && types.includes('Question')),
  );
  const others = entities.all.filter(({ types }) => types.some((type) => SUBJECTS.test(type)));
  const openGraph = structured.opengraph;
  const language = chooseLanguage(facts, openGraph, articles);
  const witnesses: MetadataInputs = {
    tree,
    facts,
    entities,
    subjects: [...articles, ...others],
    openGraph,
    url,
    charset,
    language: language?.value ?? null,
    latest: latestDay(fetchedAt),
  };
  const siteName = chooseSiteName(witnesses);
  const days = dayReader(tree);
  return {
    title: chooseTitle({
      document: facts.title,
      openGraph: firstDeclared(
        ['meta dc:title', () => metaOf(facts, 'dc:title')],
        inOpenGraph(witnesses, 'og:title'),
        inOpenGraph(witnesses, 'twitter:title'),
      ),
      headline: chooseHeadline(witnesses),
      headings: facts.headings,
      siteNames: siteNamesOf(witnesses, siteName),
      homeNames: () => homeNamesIn(tree, url),
      url,
    }),
    description: chooseDescription(witnesses),
    language,
    canonical_url: chooseCanonical(witnesses),
    image: chooseImage(witnesses),
    site_name: siteName,
    author: chooseAuthor(witnesses, siteName?.value ?? null),
    published: choosePublished(witnesses, days),
    modified: chooseModified(witnesses, days),
  };
}

/** The names of the site: its own, and headings that link to its first page. */
function siteNamesOf({ tree, facts, url }: MetadataInputs, name: Declared | null): readonly string[] {
  const leading = facts.headings.filter(({ node }) => leadsHome(tree, node, url)).map(({ text }) => text);
  return name === null ? leading : [name.value, ...leading];
}

/** Links that are looked at for the one to the first page: it stands at the top. */
const FIRST_LINKS = 8;
const MAX_HOME_NAME = 60;

/** The texts of the links at the top of a page that lead to the first page of its site. */
function homeNamesIn(tree: Tree, url: string): readonly string[] {
  const names: string[] = [];
  let link = nextTagged(tree, TAG.a, 1);
  for (let count = 0; count < FIRST_LINKS && link !== 0; count++, link = nextTagged(tree, TAG.a, link + 1)) {
    if (subtreeEndOf(tree, link) > link + 1 && leadsHome(tree, link + 1, url))
      names.push(collapsedText(tree, link, MAX_HOME_NAME));
  }
  return names;
}

function chooseHeadline(witnesses: MetadataInputs): Declared | null {
  return first(
    () => fromSubjects(witnesses, 'headline'),
    () => fromSubjects(witnesses, 'name'),
    () => firstMeta(witnesses.facts, ['citation_title', 'parsely-title', 'sailthru.title', 'dc.title']),
  );
}

function chooseDescription(witnesses: MetadataInputs): Declared | null {
  const { facts } = witnesses;
  return first(
    () => firstDeclared(inOpenGraph(witnesses, 'og:description')),
    () => firstMeta(facts, ['description']),
    () => firstDeclared(inOpenGraph(witnesses, 'twitter:description')),
    () => fromSubjects(witnesses, 'description'),
    () => firstMeta(facts, ['dc.description']),
  );
}

function chooseLanguage(
  facts: HeadFacts,
  openGraph: Readonly<Record<string, unknown>>,
  articles: readonly Subject[],
): Declared | null {
  const [article] = articles;
  return firstDeclared(
    ['html lang', () => toLanguage(facts.language)],
    ['meta content-language', () => toLanguage(metaOf(facts, 'content-language'))],
    ['meta og:locale', () => toLanguage(stated(openGraph['og:locale']))],
    [factNameOf(article, 'inLanguage'), () => toLanguage(textValueOf(memberOf(article?.members, 'inLanguage')))],
    ['meta dc.language', () => toLanguage(metaOf(facts, 'dc.language'))],
  );
}

/** `en-US` of `en_us`; null for what is no language tag. */
function toLanguage(tag: string | null): string | null {
  const plain =
    tag
      ?.trim()
      .replaceAll('_', '-')
      .split(/[\s,;]/)[0] ?? '';
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(plain)) return null;
  return Intl.getCanonicalLocales(plain)[0] ?? null;
}

function chooseCanonical(witnesses: MetadataInputs): Declared | null {
  const { facts, openGraph, url, charset } = witnesses;
  return firstDeclared(
    ['link canonical', () => toWebUrl(facts.canonical, url, charset)],
    ['meta og:url', () => toWebUrl(stated(openGraph['og:url']), url, charset)],
  );
}

function chooseImage(witnesses: MetadataInputs): Declared | null {
  const { facts, url, charset } = witnesses;
  const inMeta = (name: string): FactSource => {
    const [by, find] = inOpenGraph(witnesses, name);
    return [by, () => toWebUrl(find(), url, charset)];
  };
  return first(
    () =>
      firstDeclared(inMeta('og:image'), inMeta('og:image:url'), inMeta('twitter:image'), inMeta('twitter:image:src')),
    () => imageOf(witnesses),
    () => declaredBy(toWebUrl(facts.imageSource, url, charset), 'link image_src'),
  );
}

function imageOf({ subjects, entities, url, charset }: MetadataInputs): Declared | null {
  for (const subject of subjects) {
    for (const name of ['image', 'thumbnailUrl']) {
      for (const value of valuesOf(subject, name, entities)) {
        const text = textValueOf(memberOf(value, 'url') ?? memberOf(value, 'contentUrl') ?? value);
        if (text !== null) return declaredBy(toWebUrl(text, url, charset), factNameOf(subject, name));
      }
    }
  }
  return null;
}

function chooseSiteName(witnesses: MetadataInputs): Declared | null {
  const { facts, entities } = witnesses;
  const site = entities.all.find(({ types }) => types.includes('WebSite'));
  return first(
    () => firstDeclared(inOpenGraph(witnesses, 'og:site_name')),
    () => declaredBy(toPlainString(textValueOf(memberOf(site?.members, 'name')) ?? ''), factNameOf(site, 'name')),
    () => firstMeta(facts, ['application-name', 'apple-mobile-web-app-title']),
    () => fromSubjects(witnesses, 'publisher'),
  );
}

function fromSubjects({ subjects, entities }: MetadataInputs, name: string): Declared | null {
  for (const subject of subjects) {
    const text = toPlainString(textOfMember(subject, name, entities) ?? '');
    if (text !== null) return declaredBy(text, factNameOf(subject, name));
  }
  return null;
}

/** A property of OpenGraph or its kin as a source. */
function inOpenGraph({ openGraph }: MetadataInputs, name: string): FactSource {
  return [`meta ${name}`, () => stated(openGraph[name])];
}

function firstMeta(facts: HeadFacts, names: readonly string[]): Declared | null {
  return firstDeclared(...names.map((name): FactSource => [`meta ${name}`, () => metaOf(facts, name)]));
}

function stated(value: unknown): string | null {
  const text = toList(value)[0];
  return typeof text === 'string' ? toPlainString(text) : null;
}

function metaOf(facts: HeadFacts, name: string): string | null {
  return toPlainString(facts.metas.get(name)?.[0] ?? '');
}

function toWebUrl(reference: string | null, url: string, charset: string | null): string | null {
  const absolute = reference === null ? null : toAbsoluteUrl(reference, url, charset);
  return absolute?.startsWith('http') === true ? absolute : null;
}
