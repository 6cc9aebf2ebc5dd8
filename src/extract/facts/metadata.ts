import { chooseAuthor } from './authorship.ts';
import { nameOf, type Subject, textOfMember, toEntities, toText, valuesOf } from '#extract/structured/entities.ts';
import { collectFacts, type Facts } from './facts.ts';
import { first } from '#extract/values/first.ts';
import { leadsHome } from '#extract/content/home-link.ts';
import type { Moment } from '#extract/values/dates.ts';
import { memberOf, toList } from '#extract/values/json.ts';
import type { Metadata, StructuredData } from '#extract/reading.ts';
import { chooseModified, choosePublished } from './publication.ts';
import { chooseTitle } from './titles.ts';
import { firstTold, tell } from './told.ts';
import type { Source, Told } from './told.ts';
import type { Tree } from '#extract/html/tree.ts';
import { toAbsoluteUrl } from '#extract/values/urls.ts';
import { toPlainString } from '#extract/values/values.ts';
import type { Witnesses } from './witnesses.ts';

type MetadataSources = {
  /** The final URL of the page. */
  readonly url: string;
  readonly charset: string | null;
  readonly structured: StructuredData;
  /** The words of what is kept of the page. */
  readonly wordCount: number;
};

const ARTICLES =
  /(?:Article|Posting|Report|Recipe|Review|Course|Question|HowTo|Chapter|Book|Movie|Podcast\w*|Episode|ScholarlyArticle|SocialMediaPosting)$/;
const SUBJECTS =
  /(?:Product|VideoObject|Event|WebPage|AboutPage|ProfilePage|ItemPage|SoftwareApplication|CreativeWork|LearningResource)$/;

/** The facts of a page that may be told in several places, each with what tells it; the days and instants of dates together. */
export type ToldFacts = {
  readonly title: Told | null;
  readonly description: Told | null;
  readonly language: Told | null;
  readonly canonical_url: Told | null;
  readonly image: Told | null;
  readonly site_name: Told | null;
  readonly author: Told | null;
  readonly published: (Told<Moment> & { readonly also: readonly string[] }) | null;
  readonly modified: Told<Moment> | null;
};

/** The facts of a page; each from its first source that yields one. */
export function toMetadata(tree: Tree, { url, charset, structured, wordCount }: MetadataSources): Metadata {
  const told = tellFacts(tree, { url, structured });
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
export function tellFacts(tree: Tree, { url, structured }: Pick<MetadataSources, 'url' | 'structured'>): ToldFacts {
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
  const witnesses: Witnesses = {
    tree,
    facts,
    entities,
    subjects: [...articles, ...others],
    openGraph,
    url,
    language: language?.value ?? null,
  };
  const siteName = chooseSiteName(witnesses);
  return {
    title: chooseTitle({
      document: facts.title,
      openGraph: firstTold(
        ['meta dc:title', () => metaOf(facts, 'dc:title')],
        inOpenGraph(witnesses, 'og:title'),
        inOpenGraph(witnesses, 'twitter:title'),
      ),
      headline: chooseHeadline(witnesses),
      headings: facts.headings,
      siteNames: siteNamesOf(witnesses, siteName),
      url,
    }),
    description: chooseDescription(witnesses),
    language,
    canonical_url: chooseCanonical(witnesses),
    image: chooseImage(witnesses),
    site_name: siteName,
    author: chooseAuthor(witnesses, siteName?.value ?? null),
    published: choosePublished(witnesses),
    modified: chooseModified(witnesses),
  };
}

/** What the site is called: its name, and the headings that lead to its first page. */
function siteNamesOf({ tree, facts, url }: Witnesses, name: Told | null): readonly string[] {
  const leading = facts.headings.filter(({ node }) => leadsHome(tree, node, url)).map(({ text }) => text);
  return name === null ? leading : [name.value, ...leading];
}

function chooseHeadline(witnesses: Witnesses): Told | null {
  return first(
    () => fromSubjects(witnesses, 'headline'),
    () => fromSubjects(witnesses, 'name'),
    () => firstMeta(witnesses.facts, ['citation_title', 'parsely-title', 'sailthru.title', 'dc.title']),
  );
}

function chooseDescription(witnesses: Witnesses): Told | null {
  const { facts } = witnesses;
  return first(
    () => firstTold(inOpenGraph(witnesses, 'og:description')),
    () => firstMeta(facts, ['description']),
    () => firstTold(inOpenGraph(witnesses, 'twitter:description')),
    () => fromSubjects(witnesses, 'description'),
    () => firstMeta(facts, ['dc.description']),
  );
}

function chooseLanguage(
  facts: Facts,
  openGraph: Readonly<Record<string, unknown>>,
  articles: readonly Subject[],
): Told | null {
  const [article] = articles;
  return firstTold(
    ['html lang', () => toLanguage(facts.language)],
    ['meta content-language', () => toLanguage(metaOf(facts, 'content-language'))],
    ['meta og:locale', () => toLanguage(stated(openGraph['og:locale']))],
    [nameOf(article, 'inLanguage'), () => toLanguage(toText(memberOf(article?.members, 'inLanguage')))],
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

function chooseCanonical(witnesses: Witnesses): Told | null {
  const { facts, openGraph, url } = witnesses;
  return firstTold(
    ['link canonical', () => toWebUrl(facts.canonical, url)],
    ['meta og:url', () => toWebUrl(stated(openGraph['og:url']), url)],
  );
}

function chooseImage(witnesses: Witnesses): Told | null {
  const { facts, url } = witnesses;
  const inMeta = (name: string): Source => {
    const [by, find] = inOpenGraph(witnesses, name);
    return [by, () => toWebUrl(find(), url)];
  };
  return first(
    () => firstTold(inMeta('og:image'), inMeta('og:image:url'), inMeta('twitter:image'), inMeta('twitter:image:src')),
    () => imageOf(witnesses),
    () => tell(toWebUrl(facts.imageSource, url), 'link image_src'),
  );
}

function imageOf({ subjects, entities, url }: Witnesses): Told | null {
  for (const subject of subjects) {
    for (const name of ['image', 'thumbnailUrl']) {
      for (const value of valuesOf(subject, name, entities)) {
        const text = toText(memberOf(value, 'url') ?? memberOf(value, 'contentUrl') ?? value);
        if (text !== null) return tell(toWebUrl(text, url), nameOf(subject, name));
      }
    }
  }
  return null;
}

function chooseSiteName(witnesses: Witnesses): Told | null {
  const { facts, entities } = witnesses;
  const site = entities.all.find(({ types }) => types.includes('WebSite'));
  return first(
    () => firstTold(inOpenGraph(witnesses, 'og:site_name')),
    () => tell(toPlainString(toText(memberOf(site?.members, 'name')) ?? ''), nameOf(site, 'name')),
    () => firstMeta(facts, ['application-name', 'apple-mobile-web-app-title']),
    () => fromSubjects(witnesses, 'publisher'),
  );
}

function fromSubjects({ subjects, entities }: Witnesses, name: string): Told | null {
  for (const subject of subjects) {
    const text = toPlainString(textOfMember(subject, name, entities) ?? '');
    if (text !== null) return tell(text, nameOf(subject, name));
  }
  return null;
}

/** A property of OpenGraph or its kin as a source. */
function inOpenGraph({ openGraph }: Witnesses, name: string): Source {
  return [`meta ${name}`, () => stated(openGraph[name])];
}

function firstMeta(facts: Facts, names: readonly string[]): Told | null {
  return firstTold(...names.map((name): Source => [`meta ${name}`, () => metaOf(facts, name)]));
}

function stated(value: unknown): string | null {
  const text = toList(value)[0];
  return typeof text === 'string' ? toPlainString(text) : null;
}

function metaOf(facts: Facts, name: string): string | null {
  return toPlainString(facts.metas.get(name)?.[0] ?? '');
}

function toWebUrl(reference: string | null, url: string): string | null {
  const absolute = reference === null ? null : toAbsoluteUrl(reference, url);
  return absolute?.startsWith('http') === true ? absolute : null;
}
