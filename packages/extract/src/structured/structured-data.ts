import { ownText } from '#extract/html/element-text.ts';
import { readJsonLd } from './json-ld.ts';
import { readMicrodata } from './microdata.ts';
import { readRdfa } from './rdfa.ts';
import type { StructuredData } from '#extract/reading.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { setMember } from '#extract/values/json.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';

type FoundMarkup = {
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
  const places = findMarkup(tree);
  return {
    json_ld: readJsonLd(places.jsonLd),
    microdata: readMicrodata(tree, places.microdata, { url, includesBodies: bodies }),
    rdfa: readRdfa(tree, places.rdfa, { url, includesBodies: bodies }),
    opengraph: readOpenGraph(places.metas, url),
  };
}

const MAX_NAMES = 4;

function findMarkup(tree: Tree): FoundMarkup {
  const places: FoundMarkup = { jsonLd: [], metas: [], microdata: [], rdfa: [] };
  let rdfaEnd = 0;
  for (let at = 1; at < tree.count; at++) {
    const first = tree.attributeStart[at] ?? 0;
    const end = first + (tree.attributeCount[at] ?? 0);
    if (first === end) continue;
    const tag = tagOf(tree, at);
    if (tag === TAG.meta) addMeta(tree, at, places);
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

function addMeta(tree: Tree, node: number, places: FoundMarkup): void {
  const name = knownAttribute(tree, node, ATTRIBUTE.property) ?? knownAttribute(tree, node, ATTRIBUTE.name);
  // Some pages write `value` for `content`.
  const content = knownAttribute(tree, node, ATTRIBUTE.content) ?? knownAttribute(tree, node, ATTRIBUTE.value);
  if (name === null || content === null) return;
  // RDFa lets one element give a value to several properties.
  for (const one of name.trim().split(/\s+/, MAX_NAMES)) places.metas.push({ name: one, content });
}

const MAX_PROPERTIES = 500;
const NAMESPACES = /^(?:og|article|product|twitter|fb|book|profile|music|video|al):[\w:.-]{1,100}$/i;
const URL_PROPERTIES = /^(?:og:(?:url|image|video|audio)(?::(?:url|secure_url))?|twitter:(?:image|player)(?::src)?)$/;

/** The OpenGraph, article, product and twitter properties among `meta` elements by lower-case name; repeated ones as arrays, URLs absolute. */
function readOpenGraph(
  metas: readonly { readonly name: string; readonly content: string }[],
  url: string,
): Readonly<Record<string, unknown>> {
  const found = new Map<string, string[]>();
  for (const meta of metas) {
    const name = meta.name.toLowerCase();
    if (!NAMESPACES.test(name) || meta.content.trim() === '') continue;
    const value = URL_PROPERTIES.test(name) ? (toAbsoluteUrl(meta.content, url) ?? meta.content) : meta.content.trim();
    const known = found.get(name);
    if (known === undefined && found.size < MAX_PROPERTIES) found.set(name, [value]);
    if (known !== undefined && known.length < MAX_PROPERTIES && !known.includes(value)) known.push(value);
  }
  const properties: Record<string, unknown> = {};
  for (const [name, values] of found) setMember(properties, name, values.length === 1 ? values[0] : values);
  return properties;
}
