import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getKnownAttribute, findNextTag } from '#extract/html/tree.ts';
import type { Entity } from '#extract/structured/entities.ts';
import { toList } from '#extract/values/json.ts';
import { toLine } from '#extract/values/raw.ts';
import type { ParsedPage } from './parsed-page.ts';

/** The schema.org entities of these types in a page, nested ones included: first JSON-LD, then microdata, then RDFa. */
export function listEntities(page: ParsedPage, ...types: readonly string[]): readonly Entity[] {
  return page.entities().all.filter((entity) => entity.types.some((type) => types.includes(type)));
}

/**
 * The first value of an OpenGraph, article, product, music or twitter property, on one line. Null if the page has none.
 */
export function findOpenGraph(page: ParsedPage, property: string): string | null {
  const value = page.structured().opengraph[property];
  return toLine(toList(value)[0]);
}

/** The canonical URL of a page, as written. Null if the page has none. */
export function findCanonicalUrl(page: ParsedPage): string | null {
  const { tree } = page;
  for (let node = findNextTag(tree, TAG.link, 1); node !== 0; node = findNextTag(tree, TAG.link, node + 1)) {
    const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel) ?? '';
    const href = /(?:^|\s)canonical(?:\s|$)/i.test(rel) ? toLine(getKnownAttribute(tree, node, ATTRIBUTE.href)) : null;
    if (href !== null) return href;
  }
  return findOpenGraph(page, 'og:url');
}
