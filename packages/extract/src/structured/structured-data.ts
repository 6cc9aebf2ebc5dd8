import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getKnownAttribute, getSubtreeEnd, getTag, readOwnText, type Tree } from '#extract/html/tree.ts';
import type { StructuredData } from '#extract/reading.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue, setMember, toList } from '#extract/values/json.ts';
import { getPath, toInteger, toLine } from '#extract/values/raw.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { readMicrodata, readRdfa } from './markup-items.ts';

type FoundMarkup = {
  readonly jsonLd: string[];
  readonly metas: { readonly name: string; readonly content: string }[];
  readonly microdata: number[];
  readonly rdfa: number[];
};

/**
 * Reads all structured data of a page; relative references resolve against `url`. Without `bodies`, long texts in
 * microdata and RDFa are omitted, since no fact is read from them.
 */
export function readStructuredData(tree: Tree, url: string, bodies = true): StructuredData {
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
    const tag = getTag(tree, at);
    if (tag === TAG.meta) addMeta(tree, at, places);
    if (
      tag === TAG.script &&
      /^application\/ld\+json/i.test(getKnownAttribute(tree, at, ATTRIBUTE.type)?.trim() ?? '')
    ) {
      places.jsonLd.push(readOwnText(tree, at));
    }
    let scope = false;
    let property = false;
    for (let attribute = first; attribute < end; attribute++) {
      const id = tree.attributeId[attribute] ?? 0;
      scope ||= id === ATTRIBUTE.itemscope;
      property ||= id === ATTRIBUTE.itemprop;
      if (id === ATTRIBUTE.typeof && at >= rdfaEnd) {
        places.rdfa.push(at);
        rdfaEnd = getSubtreeEnd(tree, at);
      }
    }
    if (scope && !property) places.microdata.push(at);
  }
  return places;
}

function addMeta(tree: Tree, node: number, places: FoundMarkup): void {
  const name = getKnownAttribute(tree, node, ATTRIBUTE.property) ?? getKnownAttribute(tree, node, ATTRIBUTE.name);
  // Some pages write `value` instead of `content`.
  const content = getKnownAttribute(tree, node, ATTRIBUTE.content) ?? getKnownAttribute(tree, node, ATTRIBUTE.value);
  if (name === null || content === null) return;
  // In RDFa one element can set several properties.
  for (const one of name.trim().split(/\s+/, MAX_NAMES)) places.metas.push({ name: one, content });
}

const MAX_PROPERTIES = 500;
const NAMESPACES = /^(?:og|article|product|twitter|fb|book|profile|music|video|al):[\w:.-]{1,100}$/i;
const URL_PROPERTIES = /^(?:og:(?:url|image|video|audio)(?::(?:url|secure_url))?|twitter:(?:image|player)(?::src)?)$/;

/**
 * The OpenGraph, article, product and twitter properties of `meta` elements by lower-case name; repeated ones as
 * arrays, URLs absolute.
 */
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

const MAX_BLOCK_LENGTH = 2_000_000;
const MAX_BLOCKS = 100;
const WRAPPER =
  /^\s*(?:\/\*\s*)?(?:\/\/\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?|(?:\/\*\s*)?(?:\/\/\s*)?(?:-->|\]\]>)(?:\s*\*\/)?\s*;?\s*$/g;

/**
 * Parses the JSON-LD blocks of a page; `@graph` is kept, and a list yields its elements. Tolerates HTML comments and
 * CDATA around a block, comments between values, raw control characters in strings, trailing commas and a trailing
 * semicolon. Blocks that still are not JSON are omitted.
 */
function readJsonLd(blocks: readonly string[]): readonly unknown[] {
  return blocks
    .slice(0, MAX_BLOCKS)
    .filter((block) => block.length <= MAX_BLOCK_LENGTH)
    .flatMap((block) => {
      const value = parseLoosely(block);
      return Array.isArray(value) ? value.filter(isJsonObject) : isJsonObject(value) ? [value] : [];
    });
}

function parseLoosely(block: string): unknown {
  const text = block.trim();
  if (text === '') return undefined;
  return parseJsonValue(text) ?? parseJsonValue(repairJson(unwrap(text))) ?? parseJsonValue(repairJson(text));
}

function unwrap(text: string): string {
  return text.replaceAll(WRAPPER, '').trim().replace(/;$/, '');
}

const COMMENTS = [
  { start: '//', end: '\n' },
  { start: '/*', end: '*/' },
  { start: '<!--', end: '-->' },
] as const;

/** Escapes raw control characters in strings, and removes comments and trailing commas; one pass, so linear. */
function repairJson(text: string): string {
  let mended = '';
  let inString = false;
  let from = 0;
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
      else if (code < 0x20) {
        mended += `${text.slice(from, at)}${code === 0x0a ? String.raw`\n` : ' '}`;
        from = at + 1;
      }
      continue;
    }
    if (code <= 0x20) continue;
    const end = code === 0x2f || code === 0x3c ? findCommentEnd(text, at) : at;
    if (end > at) {
      mended += text.slice(from, at);
      from = end;
      at = end - 1;
      comma = -1;
      continue;
    }
    if ((code === 0x5d || code === 0x7d) && comma >= 0) {
      mended += text.slice(from, comma);
      from = comma + 1;
    }
    comma = code === 0x2c ? at : -1;
    inString = code === 0x22;
  }
  return mended + text.slice(from);
}

/** The end of the comment that starts at `at`; `at` itself if none does. */
function findCommentEnd(text: string, at: number): number {
  const comment = COMMENTS.find(({ start }) => text.startsWith(start, at));
  if (comment === undefined) return at;
  const end = text.indexOf(comment.end, at);
  return end < 0 ? text.length : end + comment.end.length;
}

/** The number of interactions of a kind (`LikeAction`) from schema.org interaction counters; null if unknown. */
export function findInteractionCount(counters: unknown, action: string): number | null {
  for (const counter of toList(counters)) {
    const kind =
      toLine(getPath(counter, 'interactionType', '@type')) ?? toLine(getPath(counter, 'interactionType')) ?? '';
    const value = toInteger(getPath(counter, 'userInteractionCount'));
    if (kind.split('/').at(-1) === action && value !== null && value >= 0) return value;
  }
  return null;
}
