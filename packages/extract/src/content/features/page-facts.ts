import { parseUrl } from '#extract/values/parse-url.ts';
import { allocateInt32s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { HEADING, getTagFlags } from '#extract/html/tags.ts';
import { getParent, getTag, type Tree } from '#extract/html/tree.ts';
import type { Block } from './blocks.ts';
import type { Containers } from './containers.ts';
import type { PageHead } from './page-head.ts';
import { getContextMask, type NodeSurroundings } from './node-surroundings.ts';

/** Words in the address of a page that tell what it is about. */
const URL_KINDS: readonly (readonly [string, RegExp])[] = [
  ['url_forum', /forum|thread|topic|viewtopic|showthread|\/t\/|question|discuss|community|comments|\/r\//i],
  ['url_product', /product|\/p\/|\/dp\/|\/shop\/|\/item|\/buy|store/i],
  ['url_documentation', /docs?\b|wiki|\/api|manual|reference|guide|learn|tutorial|help/i],
  ['url_collection', /categor|collection|\/tag|\/c\/|\/browse|catalog|shop\/?$|all\b/i],
  ['url_service', /service|solution|about|contact|pricing|features/i],
  ['url_article', /blog|news|article|story|post|\/20\d\d\//i],
];
const STATED_TYPES = [
  'Article',
  'NewsArticle',
  'BlogPosting',
  'Product',
  'DiscussionForumPosting',
  'QAPage',
  'ItemList',
  'CollectionPage',
  'WebPage',
  'Recipe',
  'FAQPage',
  'TechArticle',
  'BreadcrumbList',
  'LocalBusiness',
  'Service',
];
const BODY_KINDS: readonly (readonly [string, RegExp])[] = [
  ['body_single', /single|post|article/],
  ['body_archive', /archive|categor|home|collection|list/],
  ['body_product', /product/],
];
const COUNTED = [
  ['form', TAG.form],
  ['input', TAG.input],
  ['img', TAG.img],
  ['article', TAG.article],
  ['time', TAG.time],
  ['code', TAG.code],
  ['table', TAG.table],
  ['option', TAG.option],
  ['button', TAG.button],
] as const;
const MAX_URL_LENGTH = 2000;

/** The features of a page as a whole, in the order of the values. */
export const PAGE_FACTS: readonly string[] = [
  ...'words blocks link_share long_share list_share table_share paragraph_share hidden_share siblings repeated_share headings priced dated prose_share region_share core_share calls plain_share'
    .split(' ')
    .map((name) => `page_${name}`),
  ...COUNTED.map(([name]) => `page_${name}`),
  'url_segments',
  'url_length',
  'url_hyphens',
  'url_number',
  ...URL_KINDS.map(([name]) => name),
  ...STATED_TYPES.map((type) => `states_${type}`),
  'og_article',
  'og_product',
  'og_website',
  ...BODY_KINDS.map(([name]) => name),
];

export type PageParts = {
  readonly tree: Tree;
  /** Its URL, for links to the page itself and to its site. */
  readonly url: string;
  readonly head: PageHead;
  readonly blocks: readonly Block[];
  readonly surroundings: NodeSurroundings;
  readonly containers: Containers;
  /** 1 for every node of the region that tags and names alone leave. */
  readonly plain: Uint8Array;
};

/** The values of {@link PAGE_FACTS} of one page. */
export function computePageFacts(parts: PageParts): readonly number[] {
  const { tree, head } = parts;
  const counts = countTags(tree);
  // The address that was fetched is no evidence: the same page read under another address keeps the same text.
  const address = head.address.slice(0, MAX_URL_LENGTH);
  const path = parseUrl(address, 'http://page/')?.pathname ?? address;
  const types = statedTypes(head.jsonLd);
  return [
    ...textFacts(parts),
    ...COUNTED.map(([, tag]) => Math.log1p(counts[tag] ?? 0)),
    path.split('/').filter((segment) => segment !== '').length,
    path.length,
    path.split('-').length - 1,
    flag(/\d{4,}/.test(path)),
    ...URL_KINDS.map(([, pattern]) => flag(pattern.test(path) || pattern.test(address.slice(0, 30)))),
    ...STATED_TYPES.map((type) => flag(types.has(type))),
    ...['article', 'product', 'website'].map((kind) => flag(head.kind.includes(kind))),
    ...BODY_KINDS.map(([, pattern]) => flag(pattern.test(head.bodyNames))),
  ];
}

function textFacts(parts: PageParts): readonly number[] {
  const { blocks, containers } = parts;
  const { words, linked, characters, prose, siblings, region, core } = containers;
  const total = Math.max(1, words[0] ?? 0);
  const sums = sumsOf(parts);
  let mostSiblings = 0;
  for (let node = 0; node < siblings.length; node++) mostSiblings = Math.max(mostSiblings, siblings[node] ?? 0);
  return [
    Math.log1p(words[0] ?? 0),
    Math.log1p(blocks.length),
    (linked[0] ?? 0) / Math.max(1, characters[0] ?? 0),
    sums.long / total,
    sums.listed / total,
    sums.tabled / total,
    sums.paragraphs / total,
    sums.hidden / total,
    Math.log1p(mostSiblings),
    sums.repeated / total,
    Math.log1p(sums.headings),
    sums.priced / Math.max(1, blocks.length),
    sums.dated / Math.max(1, blocks.length),
    (prose[0] ?? 0) / total,
    (words[region] ?? 0) / total,
    (words[core] ?? 0) / total,
    Math.log1p(sums.calls),
    sums.plain / total,
  ];
}

/** Sums over the blocks of a page: words of those of a kind, and how many blocks are headings, priced, dated or calls. */
function sumsOf({ tree, blocks, surroundings, containers, plain }: PageParts) {
  const { context, hidden } = surroundings;
  const { siblings } = containers;
  const sums = { ...NOTHING };
  for (const { node, from, text, linked } of blocks) {
    const { words } = text;
    const tag = getTag(tree, node);
    if (words > 25 && linked < 0.3 * text.characters) sums.long += words;
    if (((context[node] ?? 0) & IN_LIST) !== 0) sums.listed += words;
    if (((context[node] ?? 0) & IN_TABLE) !== 0) sums.tabled += words;
    if (tag === TAG.p) sums.paragraphs += words;
    if (hidden[node] !== 0) sums.hidden += words;
    if ((siblings[node] ?? 0) >= 4 || (siblings[getParent(tree, node)] ?? 0) >= 4) sums.repeated += words;
    if (plain[from] === 1) sums.plain += words;
    if ((getTagFlags(tag) & HEADING) !== 0) sums.headings++;
    if (text.priced) sums.priced++;
    if (words < 30 && (text.dated || text.months > 0)) sums.dated++;
    if (words <= 4 && text.calls) sums.calls++;
  }
  return sums;
}

const NOTHING = {
  long: 0,
  listed: 0,
  tabled: 0,
  paragraphs: 0,
  hidden: 0,
  repeated: 0,
  plain: 0,
  headings: 0,
  priced: 0,
  dated: 0,
  calls: 0,
};

const IN_LIST = getContextMask('ul') | getContextMask('ol');
const IN_TABLE = getContextMask('table');

function flag(is: boolean): number {
  return is ? 1 : 0;
}

function countTags(tree: Tree): Int32Array {
  const counts = allocateInt32s(4096);
  for (let node = 1; node < tree.count; node++) {
    const tag = getTag(tree, node);
    counts[tag] = (counts[tag] ?? 0) + 1;
  }
  return counts;
}

/** The values of `@type` in a page's JSON-LD, read without parsing it: much of it is broken. */
function statedTypes(jsonLd: string): ReadonlySet<string> {
  const types = new Set<string>();
  for (const [, value = ''] of jsonLd.matchAll(/"@type"\s{0,20}:\s{0,20}(\[[^\]]{0,300}|"[^"]{0,100})/g)) {
    for (const [type] of value.matchAll(/[A-Z]\w+/g)) types.add(type);
  }
  return types;
}
