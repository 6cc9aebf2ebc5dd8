import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, nextTagged } from '#extract/html/tree.ts';
import type { Entity } from '#extract/structured/entities.ts';
import { toList } from '#extract/values/json.ts';
import { line } from '#extract/values/raw.ts';
import type { ParsedPage } from './parsed-page.ts';

/** The schema.org entities of these types in a page, nested ones included: first JSON-LD, then microdata, then RDFa. */
export function things(page: ParsedPage, ...types: readonly string[]): readonly Entity[] {
  return page.entities().all.filter((entity) => entity.types.some((type) => types.includes(type)));
}

/**
 * The first value of an OpenGraph, article, product, music or twitter property, on one line. Null if the page has none.
 */
export function openGraph(page: ParsedPage, property: string): string | null {
  const value = page.structured().opengraph[property];
  return line(toList(value)[0]);
}

/** The canonical URL of a page, as written. Null if the page has none. */
export function canonicalOf(page: ParsedPage): string | null {
  const { tree } = page;
  for (let node = nextTagged(tree, TAG.link, 1); node !== 0; node = nextTagged(tree, TAG.link, node + 1)) {
    const rel = knownAttribute(tree, node, ATTRIBUTE.rel) ?? '';
    const href = /(?:^|\s)canonical(?:\s|$)/i.test(rel) ? line(knownAttribute(tree, node, ATTRIBUTE.href)) : null;
    if (href !== null) return href;
  }
  return openGraph(page, 'og:url');
}
