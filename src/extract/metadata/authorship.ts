import { factNameOf, type Subject, textValueOf, valuesOf } from '#extract/structured/entities.ts';
import { toList } from '#extract/values/json.ts';
import { first } from '#extract/values/first.ts';
import { bareHost } from '#extract/values/web-urls.ts';
import { isImpersonal, joinStated, readByline, readMarkedByline } from './authors.ts';
import type { HeadFacts, Sighting } from './facts.ts';
import { foldTitle } from './title-likeness.ts';
import { declaredBy } from './declared.ts';
import type { Declared, MetadataInputs } from './declared.ts';

const AUTHOR_METAS = [
  'citation_author',
  'parsely-author',
  'sailthru.author',
  'dc.creator',
  'dcterms.creator',
  'dc:creator',
  'byl',
  'shareaholic:article_author_name',
  'og:article:author',
] as const;
/** Links to authors that stand this close name the authors of one page. */
const TOGETHER = 12;

/** The authors of the page, joined by `, `: persons in its structured data, else in its byline, else any author it names. */
export function chooseAuthor(witnesses: MetadataInputs, siteName: string | null): Declared | null {
  const { facts, subjects } = witnesses;
  const isOffice = (name: string): boolean => isImpersonal(name) || isNameOfSite(name, witnesses, siteName);
  const stated = [
    () => statedBy(subjects, 'author', witnesses),
    () => declaredBy(joinStated(AUTHOR_METAS.flatMap((name) => metasOf(facts, name))), metaWithAuthor(facts)),
    () => declaredBy(joinStated(metasOf(facts, 'author')), 'meta author'),
    () => declaredBy(joinStated(inArticleAuthor(witnesses)), 'meta article:author'),
    () => declaredBy(joinStated(writtenBy(facts)), 'meta twitter:data1'),
    () => statedBy(subjects, 'creator', witnesses),
  ].map((find) => first(find));
  return first(
    () => stated.find((told) => told !== null && !told.value.split(', ').every(isOffice)),
    () => relatedAuthors(facts.relAuthors),
    () => firstByline(facts.bylines, readByline, 'byline'),
    () => firstByline(facts.signed, readByline, 'words such as "by"'),
    () => firstByline(facts.bylines, readMarkedByline, 'byline'),
    () => firstByline(facts.users.slice(0, 1), readMarkedByline, 'user name'),
    () => stated.find((told) => told !== null),
  );
}

/** The values of a member of the first subject that has it. */
function statedBy(subjects: readonly Subject[], name: string, { entities }: MetadataInputs): Declared | null {
  for (const subject of subjects) {
    const names = valuesOf(subject, name, entities).flatMap((value) => textValueOf(value) ?? []);
    if (names.length > 0) return declaredBy(joinStated(names.slice(0, 40)), factNameOf(subject, name));
  }
  return null;
}

function metaWithAuthor({ metas }: HeadFacts): string {
  return `meta ${AUTHOR_METAS.find((name) => metas.has(name)) ?? ''}`;
}

function inArticleAuthor({ openGraph }: MetadataInputs): readonly string[] {
  return toList(openGraph['article:author']).filter((name) => typeof name === 'string');
}

/** The label and value pairs in which publishing tools tell link previews who wrote a page. */
function writtenBy(facts: HeadFacts): readonly string[] {
  const label = facts.metas.get('twitter:label1')?.[0] ?? '';
  return /(?:^|\s)(?:by|von|par|por|da|door|av|af)$/i.test(label) ? metasOf(facts, 'twitter:data1') : [];
}

function relatedAuthors(links: readonly Sighting[]): Declared | null {
  const [lead] = links;
  if (lead === undefined) return null;
  const group: Sighting[] = [];
  for (const link of links) if (link.node - (group.at(-1) ?? lead).node <= TOGETHER) group.push(link);
  const names = group.flatMap(({ text }) => readMarkedByline(text) ?? []);
  if (names.length === 0) return firstByline(links, readMarkedByline, 'link author');
  return declaredBy(joinStated(names), 'link author', lead.node);
}

function firstByline(
  sightings: readonly Sighting[],
  read: (text: string) => string | null,
  by: string,
): Declared | null {
  for (const { text, node } of sightings) {
    const names = read(text);
    if (names !== null) return declaredBy(names, by, node);
  }
  return null;
}

function isNameOfSite(name: string, { url }: MetadataInputs, siteName: string | null): boolean {
  const folded = foldTitle(name);
  const host = bareHost(new URL(url));
  if (siteName !== null && folded === foldTitle(siteName)) return true;
  return (
    folded === foldTitle(host) ||
    host
      .split('.')
      .slice(0, -1)
      .some((label) => label.length > 2 && foldTitle(label) === folded)
  );
}

function metasOf(facts: HeadFacts, name: string): readonly string[] {
  return facts.metas.get(name) ?? [];
}
