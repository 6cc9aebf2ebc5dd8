import { chooseAuthor } from './authorship.ts';
import {
  type Entities,
  type Entity,
  textOfMember,
  toEntities,
  toText,
  valuesOf,
} from '#extract/structured/entities.ts';
import { collectFacts, type Facts } from './facts.ts';
import { first } from '#extract/values/first.ts';
import { memberOf, toList } from '#extract/values/json.ts';
import type { Metadata, StructuredData } from '#extract/reading.ts';
import { chooseModified, choosePublished } from './publication.ts';
import { chooseTitle } from './titles.ts';
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

/** The facts of a page; each from its first source that yields one. */
export function toMetadata(tree: Tree, { url, charset, structured, wordCount }: MetadataSources): Metadata {
  const facts = collectFacts(tree);
  const entities = toEntities(structured);
  const articles = entities.all.filter(({ types }) => types.some((type) => ARTICLES.test(type)));
  const others = entities.all.filter(({ types }) => types.some((type) => SUBJECTS.test(type)));
  const openGraph = structured.opengraph;
  const language = chooseLanguage(facts, openGraph, articles);
  const witnesses: Witnesses = { tree, facts, entities, subjects: [...articles, ...others], openGraph, url, language };
  const siteName = chooseSiteName(witnesses);
  const published = choosePublished(witnesses);
  return {
    title: chooseTitle({
      document: facts.title,
      openGraph: stated(openGraph['og:title']) ?? stated(openGraph['twitter:title']),
      headline: chooseHeadline(witnesses),
      headings: facts.headings.map((heading) => heading.text),
      siteName,
      host: new URL(url).hostname,
    }),
    description: chooseDescription(witnesses),
    language,
    canonical_url: chooseCanonical(witnesses),
    image: chooseImage(witnesses),
    site_name: siteName,
    author: chooseAuthor(witnesses, siteName),
    published_date: published?.day ?? null,
    published_at: published?.instant ?? null,
    modified_at: chooseModified(witnesses),
    charset,
    word_count: wordCount,
  };
}

function chooseHeadline(witnesses: Witnesses): string | null {
  const { facts } = witnesses;
  return first(
    () => fromSubjects(witnesses, 'headline'),
    () => fromSubjects(witnesses, 'name'),
    () => metaOf(facts, 'citation_title'),
    () => metaOf(facts, 'parsely-title'),
    () => metaOf(facts, 'sailthru.title'),
    () => metaOf(facts, 'dc.title'),
  );
}

function chooseDescription(witnesses: Witnesses): string | null {
  const { facts, openGraph } = witnesses;
  return first(
    () => stated(openGraph['og:description']),
    () => metaOf(facts, 'description'),
    () => stated(openGraph['twitter:description']),
    () => fromSubjects(witnesses, 'description'),
    () => metaOf(facts, 'dc.description'),
  );
}

function chooseLanguage(
  facts: Facts,
  openGraph: Readonly<Record<string, unknown>>,
  articles: readonly Entity[],
): string | null {
  return first(
    () => toLanguage(facts.language),
    () => toLanguage(metaOf(facts, 'content-language')),
    () => toLanguage(stated(openGraph['og:locale'])),
    () => toLanguage(toText(memberOf(articles[0]?.members, 'inLanguage'))),
    () => toLanguage(metaOf(facts, 'dc.language')),
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

function chooseCanonical({ facts, openGraph, url }: Witnesses): string | null {
  return first(
    () => toWebUrl(facts.canonical, url),
    () => toWebUrl(stated(openGraph['og:url']), url),
  );
}

function chooseImage(witnesses: Witnesses): string | null {
  const { facts, openGraph, url, subjects } = witnesses;
  return first(
    () => toWebUrl(stated(openGraph['og:image']) ?? stated(openGraph['og:image:url']), url),
    () => toWebUrl(stated(openGraph['twitter:image']) ?? stated(openGraph['twitter:image:src']), url),
    () => toWebUrl(imageOf(subjects, witnesses.entities), url),
    () => toWebUrl(facts.imageSource, url),
  );
}

function imageOf(subjects: readonly Entity[], entities: Entities): string | null {
  for (const subject of subjects) {
    for (const value of [...valuesOf(subject, 'image', entities), ...valuesOf(subject, 'thumbnailUrl', entities)]) {
      const text = toText(memberOf(value, 'url') ?? memberOf(value, 'contentUrl') ?? value);
      if (text !== null) return text;
    }
  }
  return null;
}

function chooseSiteName(witnesses: Witnesses): string | null {
  const { facts, openGraph, entities } = witnesses;
  return first(
    () => stated(openGraph['og:site_name']),
    () =>
      toPlainString(
        toText(memberOf(entities.all.find(({ types }) => types.includes('WebSite'))?.members, 'name')) ?? '',
      ),
    () => metaOf(facts, 'application-name'),
    () => metaOf(facts, 'apple-mobile-web-app-title'),
    () => fromSubjects(witnesses, 'publisher'),
  );
}

function fromSubjects({ subjects, entities }: Witnesses, name: string): string | null {
  for (const subject of subjects) {
    const text = toPlainString(textOfMember(subject, name, entities) ?? '');
    if (text !== null) return text;
  }
  return null;
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
