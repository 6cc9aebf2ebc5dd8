import {
  readCollapsedText,
  readOwnText,
  isText,
  getKnownAttribute,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import type { PageMetadata, StructuredData } from '#extract/reading.ts';
import { toCleanHtml } from '#extract/renderers/clean-html.ts';
import { PageNodes } from '#extract/select/nodes.ts';
import {
  type Entities,
  type Entity,
  findTextValue,
  listValues,
  toEntities,
  toEntity,
} from '#extract/structured/entities.ts';
import { readPropertyValue, splitTokens } from '#extract/structured/markup-items.ts';
import {
  findProductFact,
  isInStock,
  isPlaceholder,
  isProductFieldName,
  type ProductFieldName,
} from '#extract/structured/products.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJson, toList } from '#extract/values/json.ts';
import { parseMoneyText } from '#extract/values/money.ts';
import { parseValue, type TypedValue, type ValueContext, type ValueType } from '#extract/values/typed-values.ts';
import { removeHiddenInline } from '#extract/view/inline-visibility.ts';
import { HIDDEN, readHiding } from '#extract/view/hidden-elements.ts';
import { readPriceAt } from '#extract/view/price-texts.ts';
import { createResolver } from '#extract/view/resolve-reference.ts';
import { type View, buildView } from '#extract/view/view.ts';
import { collectLabels, findLabel, type Label, readLineText, splitNameWords, toNameKey } from './labels.ts';
import { findVisibleFact, readVisibleProduct, type VisibleProduct } from './visible-product.ts';

/** Words in a field name that ask for a number; `COMMON_COUNTS` are the things that are usually counted. */
const COUNTING_WORDS: ReadonlySet<string> = new Set('count number num no total amount'.split(' '));
const COMMON_COUNTS: ReadonlySet<string> = new Set(
  'review reviews rating ratings vote votes comment comments answer answers reply replies view views like likes'.split(
    ' ',
  ),
);
/** The most nodes of an element that shows a count. */
const MAX_COUNT_NODES = 8;
const MAX_COUNT_LENGTH = 60;
const NUMBER = String.raw`(\d[\d.,' \u00a0\u202f]*\d|\d)\s?([kKM](?!\p{L}))?\+?\s`;
const OUT_OF = /(?<![\d.,])(\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|von|sur|de|su|van|av|af|z|из)\s?(?:5|10)(?![\d.,])/iu;

/**
 * The number next to the word that a field is named after: 213 of `(213 reviews)` for `reviews` or `review_count`; null
 * if there is none.
 */
function findShownCount(tree: Tree, scope: number, name: string, isNumber: boolean): string | null {
  const words = splitNameWords(name).filter((word) => !COUNTING_WORDS.has(word));
  const [word] = words;
  if (word === undefined || words.length > 1 || (!isNumber && !COMMON_COUNTS.has(word))) return null;
  const stem = word.length > 3 ? word.replace(/s$/, '') : word;
  const counted = new RegExp(String.raw`(?<![\d.,])${NUMBER}(?:\p{L}+\s)?${stem}s?(?!\p{L})`, 'iu');
  const found = findFirstMatch(tree, scope, counted);
  return found === null ? null : `${(found[1] ?? '').trim()}${found[2] ?? ''}`;
}

/** The rating out of five or ten that a page shows; null if there is none. */
function findShownRating(tree: Tree, scope: number): string | null {
  return findFirstMatch(tree, scope, OUT_OF)?.[1] ?? null;
}

function findFirstMatch(tree: Tree, scope: number, pattern: RegExp): RegExpExecArray | null {
  const end = getSubtreeEnd(tree, scope);
  for (let at = scope + 1; at < end; at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.script || tag === TAG.style || tag === TAG.template || tag === TAG.title) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (!isText(tree, at) && readHiding(tree, at) === HIDDEN) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (getSubtreeEnd(tree, at) - at > MAX_COUNT_NODES) continue;
    const text = readLineText(tree, at, MAX_COUNT_LENGTH + 1);
    const match = text.length > MAX_COUNT_LENGTH ? null : pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

/** The input of the extraction: a page's tree, or a JSON document. */
export type ExtractionInput = {
  readonly content: { readonly tree: Tree } | { readonly json: unknown };
  readonly url: string;
  readonly structured: StructuredData;
  readonly metadata: PageMetadata | null;
};

/** Where a field is searched for: in the whole page, in one row of it, or in a JSON value. */
export type LookupScope =
  | { readonly kind: 'page' }
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'json'; readonly value: unknown };

/**
 * A value before it is parsed. A machine value has a number as `1234.5` where the page may show `1.234,50`. `node` is
 * the element that shows it.
 */
export type RawValue = { readonly value: unknown; readonly isMachineValue: boolean; readonly node?: number };

const MAX_STEPS = 20_000_000;
const MAX_EMBEDDED_SCRIPTS = 50;
const MAX_TEXT_LENGTH = 1_000_000;
/** Entity types that every page of a site repeats, and that do not describe the page. */
const SITE_WIDE_TYPES: ReadonlySet<string> = new Set([
  'BreadcrumbList',
  'ListItem',
  'WebSite',
  'Organization',
  'SearchAction',
  'SiteNavigationElement',
  'WPHeader',
  'WPFooter',
  'ImageObject',
]);

/** Field names that ask for the main heading. */
const HEADING_NAMES: ReadonlySet<string> = new Set(
  ['name', 'product name', 'item name', 'heading', 'headline', 'main heading'].map(toNameKey),
);
/** Members of a rating by the field names that ask for them. */
const RATING_MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['ratingValue', 'rating', 'rating value', 'average rating', 'stars', 'score'],
    ['reviewCount ratingCount', 'reviews', 'review count', 'reviews count', 'number of reviews', 'total reviews'],
    ['ratingCount reviewCount', 'ratings', 'rating count', 'ratings count', 'number of ratings', 'votes'],
  ].flatMap(([members = '', ...names]) => names.map((name) => [toNameKey(name), members.split(' ')] as const)),
);

/** Finds the values of many fields in one page; what several fields need is computed once. */
export class Lookup {
  readonly material: ExtractionInput;
  readonly page: PageNodes | null;
  readonly entities: Entities;
  /** Sentences about facts on which structured data and visible text disagree. */
  readonly disagreements = new Set<string>();
  readonly #labels = new Map<number, readonly Label[]>();
  #embedded: readonly unknown[] | null = null;
  #text: string | null = null;
  #view: View | null = null;
  #visibleProduct: VisibleProduct | null = null;

  constructor(material: ExtractionInput) {
    this.material = material;
    this.page = 'tree' in material.content ? new PageNodes(material.content.tree, MAX_STEPS) : null;
    this.entities = toEntities(material.structured);
  }

  /** The values of a name in the first source that has them: structured data, OpenGraph, metadata, then labelled text. */
  findNamed(name: string, description: string, scope: LookupScope, { isNumber = false } = {}): readonly RawValue[] {
    if (scope.kind === 'json') return listMembersNamed(scope.value, name).map(toMachineValue);
    if (scope.kind === 'node') return this.#findNamedBelow(name, description, scope.node);
    if ('json' in this.material.content) return listMembersNamed(this.material.content.json, name).map(toMachineValue);
    const sources = [
      () => (isProductFieldName(name) ? this.#readProduct(name) : []),
      () => this.#findInEntities(name),
      () => this.#findInOpenGraph(name),
      () => this.#findInMetadata(name),
      () => (isProductFieldName(name) ? this.#readVisibleFact(name) : []),
      () => this.#findLabelled(name, description, 0),
      () => this.#findRating(name),
      () => this.#findCount(name, isNumber),
      () => (HEADING_NAMES.has(toNameKey(name)) ? this.#findInMetadata('title') : []),
    ];
    for (const source of sources) {
      const found = source().filter(({ value }) => typeof value !== 'string' || !isPlaceholder(value));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The JSON documents for JSONPath queries: the page itself, or those embedded in an HTML page. */
  documents(): readonly unknown[] {
    if ('json' in this.material.content) return [this.material.content.json];
    this.#embedded ??= [...this.material.structured.json_ld, ...readEmbeddedJson(this.material.content.tree)];
    return this.#embedded;
  }

  /** The text for regular expressions. */
  text(): string {
    const { content } = this.material;
    this.#text ??=
      'json' in content ? (JSON.stringify(content.json) ?? '') : readCollapsedText(content.tree, 0, MAX_TEXT_LENGTH);
    return this.#text;
  }

  /** An element of the page as clean HTML. */
  html(tree: Tree, node: number): string {
    const { url, metadata } = this.material;
    const resolve = createResolver(tree, url, metadata?.charset);
    this.#view ??= removeHiddenInline(buildView(tree, new Uint8Array(tree.count).fill(1), resolve));
    return toCleanHtml(this.#view, node).trimEnd();
  }

  /** The currency of the product that the page describes or shows; null if unknown. */
  currency(): string | null {
    const shown = () => this.#readVisibleFact('currency').map(({ value }) => findTextValue(value));
    return this.#findProductFact('currency') ?? shown()[0] ?? null;
  }

  #findProductFact(name: ProductFieldName): string | null {
    const { structured, url } = this.material;
    return findProductFact(name, this.entities, structured.opengraph, url);
  }

  #readProduct(name: ProductFieldName): readonly RawValue[] {
    const fact = this.#findProductFact(name);
    if (fact === null) return [];
    if (name !== 'availability' || !isInStock(fact) || this.#getVisibleProduct()?.isSoldOut !== true)
      return [toMachineValue(fact)];
    this.disagreements.add(`availability: structured data says ${fact}, but the page shows the product as sold out`);
    return [toMachineValue('OutOfStock')];
  }

  #readVisibleFact(name: ProductFieldName): readonly RawValue[] {
    const shown = this.#getVisibleProduct();
    if (shown === null) return [];
    const sells = this.#findProductFact('price') !== null;
    const fact = findVisibleFact(name, shown, { url: this.material.url, sells });
    return fact === null ? [] : [toMachineValue(fact)];
  }

  #getVisibleProduct(): VisibleProduct | null {
    const { content, metadata } = this.material;
    if (!('tree' in content)) return null;
    this.#visibleProduct ??= readVisibleProduct(
      content.tree,
      this.#getLabels(content.tree, 0),
      metadata?.language ?? null,
    );
    return this.#visibleProduct;
  }

  #findInEntities(name: string): readonly RawValue[] {
    const key = toNameKey(name);
    const own = this.entities.all.filter(({ types }) => !types.some((type) => SITE_WIDE_TYPES.has(type)));
    for (const entity of own) {
      const member = Object.keys(entity.members).find(
        (candidate) => !candidate.startsWith('@') && toNameKey(candidate) === key,
      );
      if (member !== undefined) return this.#listValues(entity, member);
    }
    return [];
  }

  #listValues(entity: Entity, member: string): readonly RawValue[] {
    return listValues(entity, member, this.entities).map(toMachineValue);
  }

  #findInOpenGraph(name: string): readonly RawValue[] {
    const key = toNameKey(name);
    const property = Object.keys(this.material.structured.opengraph).find(
      (candidate) => toNameKey(candidate.slice(candidate.indexOf(':') + 1)) === key,
    );
    return property === undefined ? [] : toList(this.material.structured.opengraph[property]).map(toMachineValue);
  }

  #findInMetadata(name: string): readonly RawValue[] {
    const key = toNameKey(name);
    const member = Object.entries(this.material.metadata ?? {}).find(([candidate]) => toNameKey(candidate) === key);
    return member === undefined ? [] : toList(member[1]).map(toMachineValue);
  }

  #findLabelled(name: string, description: string, scope: number): readonly RawValue[] {
    if (!('tree' in this.material.content)) return [];
    const { tree } = this.material.content;
    const label = findLabel(this.#getLabels(tree, scope), name, description);
    if (label === null) return [];
    const raw = { value: label.text, isMachineValue: false };
    const isShown = getSubtreeEnd(tree, label.node) > label.node + 1;
    return [isShown ? { ...raw, node: label.node } : raw];
  }

  /** The rating of what the page describes, or the number of ratings. */
  #findRating(name: string): readonly RawValue[] {
    const members = RATING_MEMBERS.get(toNameKey(name));
    if (members === undefined) return [];
    for (const entity of this.entities.all) {
      for (const rating of listValues(entity, 'aggregateRating', this.entities).flatMap(
        (value) => toEntity(value) ?? [],
      )) {
        const member = members.find((one) => listValues(rating, one, this.entities).length > 0);
        if (member !== undefined) return listValues(rating, member, this.entities).slice(0, 1).map(toMachineValue);
      }
    }
    const { content } = this.material;
    const shown = 'tree' in content && members.includes('ratingValue') ? findShownRating(content.tree, 0) : null;
    return shown === null ? [] : [{ value: shown, isMachineValue: false }];
  }

  #findCount(name: string, isNumber: boolean): readonly RawValue[] {
    const { content } = this.material;
    const shown = 'tree' in content ? findShownCount(content.tree, 0, name, isNumber) : null;
    return shown === null ? [] : [{ value: shown, isMachineValue: false }];
  }

  #getLabels(tree: Tree, scope: number): readonly Label[] {
    const labels = this.#labels.get(scope) ?? collectLabels(tree, scope);
    this.#labels.set(scope, labels);
    return labels;
  }

  #findNamedBelow(name: string, description: string, node: number): readonly RawValue[] {
    if (!('tree' in this.material.content)) return [];
    const { tree } = this.material.content;
    const key = toNameKey(name);
    this.page?.spend(getSubtreeEnd(tree, node) - node);
    for (let at = node + 1; at < getSubtreeEnd(tree, node); at++) {
      if ((tree.attributeCount[at] ?? 0) === 0) continue;
      const names = splitTokens(
        getKnownAttribute(tree, at, ATTRIBUTE.itemprop) ?? getKnownAttribute(tree, at, ATTRIBUTE.property),
      );
      if (names.some((candidate) => toNameKey(candidate) === key))
        return [toMachineValue(readPropertyValue(tree, at, { names, url: this.material.url }))];
    }
    return this.#findLabelled(name, description, node);
  }
}

function toMachineValue(value: unknown): RawValue {
  return { value, isMachineValue: true };
}

/** The values of the member whose name has the same words. A list of one object counts as that object. */
function listMembersNamed(value: unknown, name: string): readonly unknown[] {
  const object = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isJsonObject(object)) return [];
  if (Object.hasOwn(object, name)) return toList(object[name]);
  const key = toNameKey(name);
  const member = Object.keys(object).find((candidate) => toNameKey(candidate) === key);
  return member === undefined ? [] : toList(object[member]);
}

/** The values of `application/json` scripts, in which pages embed their state. */
function readEmbeddedJson(tree: Tree): readonly unknown[] {
  const values: unknown[] = [];
  for (let at = 1; at < tree.count && values.length < MAX_EMBEDDED_SCRIPTS; at++) {
    if (getTag(tree, at) !== TAG.script) continue;
    if (!/^application\/(?:[\w.-]+\+)?json/i.test(getKnownAttribute(tree, at, ATTRIBUTE.type) ?? '')) continue;
    const value = parseJson(readOwnText(tree, at));
    if (value !== undefined) values.push(value);
  }
  return values;
}

const PLAIN_DECIMAL = /^\s*-?\d{1,15}(?:\.\d{1,6})?\s*$/;

/** An amount whose comma may be a decimal or a thousands separator, depending on the country. */
const SINGLE_COMMA = /^\s*\d{1,3},\d{3}\s*$/;

/**
 * Converts a raw value to the requested type; null if it cannot be parsed. With `tree`, the markup of a price shows
 * which digits are cents.
 */
export function toTypedValue(
  type: ValueType,
  { value, isMachineValue: machine, node }: RawValue,
  context: ValueContext,
  tree: Tree | null = null,
): TypedValue | null {
  if (type === 'money' && node !== undefined && tree !== null) return readPriceAt(tree, node, context);
  if (typeof value === 'boolean') return type === 'boolean' ? value : type === 'string' ? String(value) : null;
  const text = findTextValue(value);
  if (text === null) return null;
  const number = typeof value === 'number' ? value : machine && PLAIN_DECIMAL.test(text) ? Number(text) : null;
  if (machine && type === 'money' && SINGLE_COMMA.test(text)) {
    const amount = parseMoneyText(text, { ...context, currency: null })?.amount;
    return amount === parseMoneyText(text, { locale: null, currency: null })?.amount && amount !== undefined
      ? { amount, currency: context.currency }
      : null;
  }
  if (number === null || !Number.isFinite(number))
    return typeof value === 'number' ? null : parseValue(type, text, context);
  if (type === 'number') return number;
  if (type === 'integer') return Number.isSafeInteger(number) ? number : null;
  if (type === 'money') return { amount: number, currency: context.currency };
  return parseValue(type, text, context);
}
