import { ownText } from '#extract/html/element-text.ts';
import { readJsonLd } from './json-ld.ts';
import { readMicrodata } from './microdata.ts';
import { readOpenGraph } from './opengraph.ts';
import { readRdfa } from './rdfa.ts';
import type { StructuredData } from '#extract/reading.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

type Places = {
  readonly jsonLd: string[];
  readonly metas: { readonly name: string; readonly content: string }[];
  readonly microdata: number[];
  readonly rdfa: number[];
};

/**
 * All that a page says of itself for machines; `url` is what its relative references resolve against. Without `bodies`
 * the running texts among microdata and RDFa, from which no fact is taken, are left out.
 */
export function toStructuredData(tree: Tree, url: string, bodies = true): StructuredData {
  const places = findPlaces(tree);
  return {
    json_ld: readJsonLd(places.jsonLd),
    microdata: readMicrodata(tree, places.microdata, { url, bodies }),
    rdfa: readRdfa(tree, places.rdfa, { url, bodies }),
    opengraph: readOpenGraph(places.metas, url),
  };
}

const MOST_NAMES = 4;

function findPlaces(tree: Tree): Places {
  const places: Places = { jsonLd: [], metas: [], microdata: [], rdfa: [] };
  let rdfaEnd = 0;
  for (let at = 1; at < tree.count; at++) {
    const first = tree.attributeStart[at] ?? 0;
    const end = first + (tree.attributeCount[at] ?? 0);
    if (first === end) continue;
    const tag = tagOf(tree, at);
    if (tag === TAG.meta) notePair(tree, at, places);
    if (tag === TAG.script && /^application\/ld\+json/i.test(knownAttribute(tree, at, ATTRIBUTE.type)?.trim() ?? '')) {
      places.jsonLd.push(ownText(tree, at));
    }
    let scope = false;
    let property = false;
    for (let attribute = first; attribute < end; attribute++) {
      const id = tree.attributeId[attribute] ?? 0;
      scope ||= id === ATTRIBUTE.itemscope;
      property ||= id === ATTRIBUTE.itemprop;
      if (id === ATTRIBUTE.typeof && at >= rdfaEnd) {
        places.rdfa.push(at);
        rdfaEnd = subtreeEndOf(tree, at);
      }
    }
    if (scope && !property) places.microdata.push(at);
  }
  return places;
}

function notePair(tree: Tree, node: number, places: Places): void {
  const name = knownAttribute(tree, node, ATTRIBUTE.property) ?? knownAttribute(tree, node, ATTRIBUTE.name);
  // Some pages write `value` for `content`.
  const content = knownAttribute(tree, node, ATTRIBUTE.content) ?? knownAttribute(tree, node, ATTRIBUTE.value);
  if (name === null || content === null) return;
  // RDFa lets one element give a value to several properties.
  for (const one of name.trim().split(/\s+/, MOST_NAMES)) places.metas.push({ name: one, content });
}
