import { type Entity, toText, valuesOf } from '#extract/structured/entities.ts';
import { toList } from '#extract/values/json.ts';
import { first } from '#extract/values/first.ts';
import { isImpersonal, joinStated, readByline, readMarkedByline } from './authors.ts';
import type { Facts, Sighting } from './facts.ts';
import { foldTitle } from './titles.ts';
import type { Witnesses } from './witnesses.ts';

const AUTHOR_METAS = [
  'citation_author',
  'parsely-author',
  'sailthru.author',
  'dc.creator',
  'dcterms.creator',
  'dc:creator',
  'byl',
  'shareaholic:article_author_name',
] as const;
/** Links to authors that stand this close name the authors of one page. */
const TOGETHER = 12;

/** Who wrote the page, names joined by `, `: persons whom the page states, else signs, else whatever it states. */
export function chooseAuthor(witnesses: Witnesses, siteName: string | null): string | null {
  const { facts, subjects, openGraph } = witnesses;
  const isOffice = (name: string): boolean => isImpersonal(name) || isNameOfSite(name, witnesses, siteName);
  const stated = [
    () => joinStated(firstOf(subjects, 'author', witnesses)),
    () => joinStated(AUTHOR_METAS.flatMap((name) => metasOf(facts, name))),
    () => joinStated(metasOf(facts, 'author')),
    () => joinStated(toList(openGraph['article:author']).filter((name) => typeof name === 'string')),
    () => joinStated(writtenBy(facts)),
    () => joinStated(firstOf(subjects, 'creator', witnesses)),
  ].map((find) => first(find));
  return first(
    () => stated.find((names) => names !== null && !names.split(', ').every(isOffice)),
    () => relatedAuthors(facts.relAuthors),
    () => firstByline(facts.bylines, readByline),
    () => firstByline(facts.signed, readByline),
    () => firstByline(facts.bylines, readMarkedByline),
    () => firstByline(facts.users.slice(0, 1), readMarkedByline),
    () => stated.find((names) => names !== null),
  );
}

/** The values of a member of the first subject that has it. */
function firstOf(subjects: readonly Entity[], name: string, { entities }: Witnesses): readonly string[] {
  for (const subject of subjects) {
    const names = valuesOf(subject, name, entities).flatMap((value) => toText(value) ?? []);
    if (names.length > 0) return names.slice(0, 40);
  }
  return [];
}

/** The label and value pairs in which publishing tools tell link previews who wrote a page. */
function writtenBy(facts: Facts): readonly string[] {
  const label = facts.metas.get('twitter:label1')?.[0] ?? '';
  return /(?:^|\s)(?:by|von|par|por|da|door|av|af)$/i.test(label) ? metasOf(facts, 'twitter:data1') : [];
}

function relatedAuthors(links: readonly Sighting[]): string | null {
  const [lead] = links;
  if (lead === undefined) return null;
  const group: Sighting[] = [];
  for (const link of links) if (link.node - (group.at(-1) ?? lead).node <= TOGETHER) group.push(link);
  const names = group.flatMap(({ text }) => readMarkedByline(text) ?? []);
  return names.length > 0 ? joinStated(names) : firstByline(links, readMarkedByline);
}

function firstByline(sightings: readonly Sighting[], read: (text: string) => string | null): string | null {
  for (const { text } of sightings) {
    const names = read(text);
    if (names !== null) return names;
  }
  return null;
}

function isNameOfSite(name: string, { url }: Witnesses, siteName: string | null): boolean {
  const folded = foldTitle(name);
  const host = new URL(url).hostname.replace(/^www\./, '');
  if (siteName !== null && folded === foldTitle(siteName)) return true;
  return (
    folded === foldTitle(host) ||
    host
      .split('.')
      .slice(0, -1)
      .some((label) => label.length > 2 && foldTitle(label) === folded)
  );
}

function metasOf(facts: Facts, name: string): readonly string[] {
  return facts.metas.get(name) ?? [];
}
