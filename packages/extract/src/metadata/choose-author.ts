import { formatFactSource, type Subject, findTextValue, toEntity, listValues } from '#extract/structured/entities.ts';
import { getMember, toList } from '#extract/values/json.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { getBareHost } from '#extract/values/web-urls.ts';
import { isOfficeName, joinStatedNames, parseByline, parseMarkedByline } from './author-names.ts';
import type { PageFacts, Sighting } from './page-facts.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { getKnownAttribute, getParent, type Tree } from '#extract/html/tree.ts';
import { foldTitle } from './titles.ts';
import { type SourcedFact, toSourcedFact, type MetadataInputs } from './sourced-fact.ts';

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
/** The most nodes between links to authors that belong together. */
const MAX_LINK_DISTANCE = 12;

/**
 * Chooses the authors of a page, joined by `, `: people in its structured data, else in its byline, else any author it
 * states.
 */
export function chooseAuthor(inputs: MetadataInputs, siteName: string | null): SourcedFact | null {
  const { tree, facts, subjects } = inputs;
  const isOffice = (name: string): boolean => isOfficeName(name) || isSiteName(name, inputs, siteName);
  const organizations = ['author', 'creator'].filter((name) => isByOrganization(inputs, name));
  const isPerson = (fact: SourcedFact): boolean =>
    !organizations.some((name) => fact.source.endsWith(` ${name}`)) && !fact.value.split(', ').every(isOffice);
  const stated = [
    () => findStatedAuthor(subjects, 'author', inputs),
    () =>
      toSourcedFact(joinStatedNames(AUTHOR_METAS.flatMap((name) => listMetas(facts, name))), formatAuthorMeta(facts)),
    () => toSourcedFact(joinStatedNames(listMetas(facts, 'author')), 'meta author'),
    () => toSourcedFact(joinStatedNames(listArticleAuthors(inputs)), 'meta article:author'),
    () => toSourcedFact(joinStatedNames(listTwitterAuthors(facts)), 'meta twitter:data1'),
    () => findStatedAuthor(subjects, 'creator', inputs),
  ].map((find) => findFirstValue(find));
  return findFirstValue(
    () => stated.find((fact) => fact !== null && isPerson(fact)),
    () => findLinkedAuthors(tree, facts.relAuthors),
    () => findByline(tree, facts.bylines, parseByline, 'byline'),
    () => findByline(tree, facts.introducedNames, parseByline, 'words such as "by"'),
    () => findByline(tree, facts.bylines, parseMarkedByline, 'byline'),
    () => findByline(tree, facts.users.slice(0, 1), parseMarkedByline, 'user name'),
    () => stated.find((fact) => fact !== null),
  );
}

/** The author names of the first subject that has the member. */
function findStatedAuthor(
  subjects: readonly Subject[],
  name: string,
  { entities }: MetadataInputs,
): SourcedFact | null {
  for (const subject of subjects) {
    const names = listValues(subject, name, entities).flatMap(listNames);
    if (names.length > 0)
      return toSourcedFact(joinStatedNames(names.slice(0, MAX_STATED)), formatFactSource(subject, name));
  }
  return null;
}

/** The names in an author value, which may hold several names or a given and a family name. */
function listNames(value: unknown): readonly string[] {
  const members = toEntity(value)?.members;
  const names = toList(getMember(members, 'name')).filter((name) => typeof name === 'string');
  if (names.length > 1) return names.slice(0, MAX_STATED);
  const parts = ['givenName', 'familyName'].flatMap((part) => findTextValue(getMember(members, part)) ?? []);
  return names.length === 0 && parts.length === 2 ? [parts.join(' ')] : [findTextValue(value) ?? []].flat();
}

/** Whether all authors that a subject states are organisations. */
function isByOrganization({ subjects, entities }: MetadataInputs, name: string): boolean {
  const subject = subjects.find((one) => listValues(one, name, entities).length > 0);
  const authors = subject === undefined ? [] : listValues(subject, name, entities);
  return (
    authors.length > 0 && authors.every((author) => toEntity(author)?.types.some((type) => ORGANIZATION.test(type)))
  );
}

const ORGANIZATION = /Organi[sz]ation$|Corporation$/;
const MAX_STATED = 40;

function formatAuthorMeta({ metas }: PageFacts): string {
  return `meta ${AUTHOR_METAS.find((name) => metas.has(name)) ?? ''}`;
}

function listArticleAuthors({ openGraph }: MetadataInputs): readonly string[] {
  return toList(openGraph['article:author']).filter((name) => typeof name === 'string');
}

/** The author names in the label and data tags with which publishing tools extend Twitter cards. */
function listTwitterAuthors(facts: PageFacts): readonly string[] {
  const label = facts.metas.get('twitter:label1')?.[0] ?? '';
  return /(?:^|\s)(?:by|von|par|por|da|door|av|af)$/i.test(label) ? listMetas(facts, 'twitter:data1') : [];
}

function findLinkedAuthors(tree: Tree, links: readonly Sighting[]): SourcedFact | null {
  const [lead] = links;
  if (lead === undefined) return null;
  const group: Sighting[] = [];
  for (const link of links) if (link.node - (group.at(-1) ?? lead).node <= MAX_LINK_DISTANCE) group.push(link);
  const names = group.flatMap(({ text }) => parseMarkedByline(text) ?? []);
  if (names.length === 0) return findByline(tree, links, parseMarkedByline, 'link author');
  return toSourcedFact(joinStatedNames(names), 'link author', lead.node);
}

function findByline(
  tree: Tree,
  sightings: readonly Sighting[],
  read: (text: string) => string | null,
  by: string,
): SourcedFact | null {
  const start = sightings.findIndex(({ text }) => read(text) !== null);
  const lead = sightings[start];
  if (lead === undefined) return null;
  const group = sightings.slice(start).filter((sighting) => isBeside(tree, sighting, lead));
  return toSourcedFact(joinStatedNames(group.flatMap(({ text }) => read(text) ?? [])), by, lead.node);
}

/** Whether a name is the first one, or is in a sibling element with the same class. */
function isBeside(tree: Tree, { node }: Sighting, lead: Sighting): boolean {
  if (node === lead.node) return true;
  const name = (of: number) => getKnownAttribute(tree, of, ATTRIBUTE.class);
  return getParent(tree, node) === getParent(tree, lead.node) && name(node) !== null && name(node) === name(lead.node);
}

function isSiteName(name: string, { url }: MetadataInputs, siteName: string | null): boolean {
  const folded = foldTitle(name);
  const host = getBareHost(new URL(url));
  if (siteName !== null && folded === foldTitle(siteName)) return true;
  return (
    folded === foldTitle(host) ||
    host
      .split('.')
      .slice(0, -1)
      .some((label) => label.length > 2 && foldTitle(label) === folded)
  );
}

function listMetas(facts: PageFacts, name: string): readonly string[] {
  return facts.metas.get(name) ?? [];
}
