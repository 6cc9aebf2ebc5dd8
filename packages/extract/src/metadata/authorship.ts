import { factNameOf, type Subject, textValueOf, toEntity, valuesOf } from '#extract/structured/entities.ts';
import { memberOf, toList } from '#extract/values/json.ts';
import { first } from '#extract/values/first.ts';
import { bareHost } from '#extract/values/web-urls.ts';
import { isImpersonal, joinStated, readByline, readMarkedByline } from './authors.ts';
import type { HeadFacts, Sighting } from './facts.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { knownAttribute, parentOf, type Tree } from '#extract/html/tree.ts';
import { foldTitle } from './title-likeness.ts';
import { type Declared, declaredBy, type MetadataInputs } from './declared.ts';

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
  const { tree, facts, subjects } = witnesses;
  const isOffice = (name: string): boolean => isImpersonal(name) || isNameOfSite(name, witnesses, siteName);
  const organizations = ['author', 'creator'].filter((name) => isByOrganization(witnesses, name));
  const isPerson = (told: Declared): boolean =>
    !organizations.some((name) => told.by.endsWith(` ${name}`)) && !told.value.split(', ').every(isOffice);
  const stated = [
    () => statedBy(subjects, 'author', witnesses),
    () => declaredBy(joinStated(AUTHOR_METAS.flatMap((name) => metasOf(facts, name))), metaWithAuthor(facts)),
    () => declaredBy(joinStated(metasOf(facts, 'author')), 'meta author'),
    () => declaredBy(joinStated(inArticleAuthor(witnesses)), 'meta article:author'),
    () => declaredBy(joinStated(writtenBy(facts)), 'meta twitter:data1'),
    () => statedBy(subjects, 'creator', witnesses),
  ].map((find) => first(find));
  return first(
    () => stated.find((told) => told !== null && isPerson(told)),
    () => relatedAuthors(tree, facts.relAuthors),
    () => firstByline(tree, facts.bylines, readByline, 'byline'),
    () => firstByline(tree, facts.signed, readByline, 'words such as "by"'),
    () => firstByline(tree, facts.bylines, readMarkedByline, 'byline'),
    () => firstByline(tree, facts.users.slice(0, 1), readMarkedByline, 'user name'),
    () => stated.find((told) => told !== null),
  );
}

/** The values of a member of the first subject that has it. */
function statedBy(subjects: readonly Subject[], name: string, { entities }: MetadataInputs): Declared | null {
  for (const subject of subjects) {
    const names = valuesOf(subject, name, entities).flatMap(namesIn);
    if (names.length > 0) return declaredBy(joinStated(names.slice(0, MAX_STATED)), factNameOf(subject, name));
  }
  return null;
}

/** The names of one author, or of several that are written as one: as a list, or in two parts. */
function namesIn(value: unknown): readonly string[] {
  const members = toEntity(value)?.members;
  const names = toList(memberOf(members, 'name')).filter((name) => typeof name === 'string');
  if (names.length > 1) return names.slice(0, MAX_STATED);
  const parts = ['givenName', 'familyName'].flatMap((part) => textValueOf(memberOf(members, part)) ?? []);
  return names.length === 0 && parts.length === 2 ? [parts.join(' ')] : [textValueOf(value) ?? []].flat();
}

/** Whether a subject names organisations as its authors, and nobody. */
function isByOrganization({ subjects, entities }: MetadataInputs, name: string): boolean {
  const subject = subjects.find((one) => valuesOf(one, name, entities).length > 0);
  const authors = subject === undefined ? [] : valuesOf(subject, name, entities);
  return (
    authors.length > 0 && authors.every((author) => toEntity(author)?.types.some((type) => ORGANIZATION.test(type)))
  );
}

const ORGANIZATION = /Organi[sz]ation$|Corporation$/;
const MAX_STATED = 40;

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

function relatedAuthors(tree: Tree, links: readonly Sighting[]): Declared | null {
  const [lead] = links;
  if (lead === undefined) return null;
  const group: Sighting[] = [];
  for (const link of links) if (link.node - (group.at(-1) ?? lead).node <= TOGETHER) group.push(link);
  const names = group.flatMap(({ text }) => readMarkedByline(text) ?? []);
  if (names.length === 0) return firstByline(tree, links, readMarkedByline, 'link author');
  return declaredBy(joinStated(names), 'link author', lead.node);
}

function firstByline(
  tree: Tree,
  sightings: readonly Sighting[],
  read: (text: string) => string | null,
  by: string,
): Declared | null {
  const start = sightings.findIndex(({ text }) => read(text) !== null);
  const lead = sightings[start];
  if (lead === undefined) return null;
  const group = sightings.slice(start).filter((sighting) => isBeside(tree, sighting, lead));
  return declaredBy(joinStated(group.flatMap(({ text }) => read(text) ?? [])), by, lead.node);
}

/** Whether a name is the first one, or has an element of its own like it and beside it. */
function isBeside(tree: Tree, { node }: Sighting, lead: Sighting): boolean {
  if (node === lead.node) return true;
  const name = (of: number) => knownAttribute(tree, of, ATTRIBUTE.class);
  return parentOf(tree, node) === parentOf(tree, lead.node) && name(node) !== null && name(node) === name(lead.node);
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
