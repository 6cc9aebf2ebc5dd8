import { resolverOf } from '#extract/view/resolve-reference.ts';
import { type View, viewOf } from '#extract/view/view.ts';
import { withoutHidden } from '#extract/view/hidden-inline.ts';
import { toCleanHtml } from '#extract/renderers/clean-html.ts';
import {
  type Entities,
  type Entity,
  toEntities,
  toEntity,
  textValueOf,
  valuesOf,
} from '#extract/structured/entities.ts';
import { collapsedText, ownText } from '#extract/html/element-text.ts';
import { tokensOf, valueOf } from '#extract/structured/items.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJson, toList } from '#extract/values/json.ts';
import { countShown, ratingShown } from './counted.ts';
import { collectLabels, findLabel, type Label } from './labels.ts';
import { nameKey } from './names.ts';
import { NodePage } from '#extract/select/nodes.ts';
import {
  isBuyable,
  isPlaceholder,
  isProductName,
  productFact,
  type ProductName,
} from '#extract/structured/products.ts';
import type { PageMetadata, StructuredData } from '#extract/reading.ts';
import { shownFact, type ShownProduct, toShownProduct } from './shown-product.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** The input of extraction: a tree, or the value of a JSON document. */
export type Material = {
  readonly content: { readonly tree: Tree } | { readonly json: unknown };
  readonly url: string;
  readonly structured: StructuredData;
  readonly metadata: PageMetadata | null;
};

/** Where a field is looked for: the whole page, one row of it, or one JSON value. */
export type LookupScope =
  | { readonly kind: 'page' }
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'json'; readonly value: unknown };

/** A value before it has a type; a machine writes `1234.5` where a page writes `1.234,50`. `node` is the element that shows it. */
export type Raw = { readonly value: unknown; readonly machine: boolean; readonly node?: number };

const MAX_STEPS = 20_000_000;
const MAX_EMBEDDED = 50;
const MAX_TEXT_LENGTH = 1_000_000;
/** Things every page of a site repeats; what they say is not about this page. */
const FURNITURE: ReadonlySet<string> = new Set([
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

/** Names of what a page is about, by which its main heading is asked for. */
const NAMING: ReadonlySet<string> = new Set(
  ['name', 'product name', 'item name', 'heading', 'headline', 'main heading'].map(nameKey),
);
/** Members of a rating by the names that ask for them. */
const RATINGS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['ratingValue', 'rating', 'rating value', 'average rating', 'stars', 'score'],
    ['reviewCount ratingCount', 'reviews', 'review count', 'reviews count', 'number of reviews', 'total reviews'],
    ['ratingCount reviewCount', 'ratings', 'rating count', 'ratings count', 'number of ratings', 'votes'],
  ].flatMap(([members = '', ...names]) => names.map((name) => [nameKey(name), members.split(' ')] as const)),
);

/** One page being asked for many fields; what several fields need is worked out once. */
export class Lookup {
  readonly material: Material;
  readonly page: NodePage | null;
  readonly entities: Entities;
  /** What the page says one way to machines and shows another way, where it matters. */
  readonly disagreements = new Set<string>();
  readonly #labels = new Map<number, readonly Label[]>();
  #embedded: readonly unknown[] | null = null;
  #text: string | null = null;
  #view: View | null = null;
  #shown: ShownProduct | null = null;

  constructor(material: Material) {
    this.material = material;
    this.page = 'tree' in material.content ? new NodePage(material.content.tree, MAX_STEPS) : null;
    this.entities = toEntities(material.structured);
  }

  /** The values that a name has in the best source that knows it: structured data, OpenGraph, metadata, then labelled text. */
  named(name: string, description: string, scope: LookupScope, { isNumber = false } = {}): readonly Raw[] {
    if (scope.kind === 'json') return membersNamed(scope.value, name).map(byMachine);
    if (scope.kind === 'node') return this.#namedBelow(name, description, scope.node);
    if ('json' in this.material.content) return membersNamed(this.material.content.json, name).map(byMachine);
    const sources = [
      () => (isProductName(name) ? this.#product(name) : []),
      () => this.#inEntities(name),
      () => this.#inOpenGraph(name),
      () => this.#inMetadata(name),
      () => (isProductName(name) ? this.#shownProduct(name) : []),
      () => this.#labelled(name, description, 0),
      () => this.#rated(name),
      () => this.#counted(name, isNumber),
      () => (NAMING.has(nameKey(name)) ? this.#inMetadata('title') : []),
    ];
    for (const source of sources) {
      const found = source().filter(({ value }) => typeof value !== 'string' || !isPlaceholder(value));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The JSON documents that a JSONPath is asked of: the page itself, or what an HTML page embeds. */
  documents(): readonly unknown[] {
    if ('json' in this.material.content) return [this.material.content.json];
    this.#embedded ??= [...this.material.structured.json_ld, ...embeddedJson(this.material.content.tree)];
    return this.#embedded;
  }

  /** The text that a regular expression is asked of. */
  text(): string {
    const { content } = this.material;
    this.#text ??=
      'json' in content ? (JSON.stringify(content.json) ?? '') : collapsedText(content.tree, 0, MAX_TEXT_LENGTH);
    return this.#text;
  }

  /** An element of the page as HTML to show elsewhere. */
  html(tree: Tree, node: number): string {
    const { url, metadata } = this.material;
    const resolve = resolverOf(tree, url, metadata?.charset);
    this.#view ??= withoutHidden(viewOf(tree, new Uint8Array(tree.count).fill(1), resolve));
    return toCleanHtml(this.#view, node).trimEnd();
  }

  /** The currency of the product that the page describes or shows; null when it names none. */
  currency(): string | null {
    const shown = () => this.#shownProduct('currency').map(({ value }) => textValueOf(value));
    return this.#told('currency') ?? shown()[0] ?? null;
  }

  #told(name: ProductName): string | null {
    const { structured, url } = this.material;
    return productFact(name, this.entities, structured.opengraph, url);
  }

  #product(name: ProductName): readonly Raw[] {
    const fact = this.#told(name);
    if (fact === null) return [];
    if (name !== 'availability' || !isBuyable(fact) || this.#shownProductFacts()?.isSoldOut !== true)
      return [byMachine(fact)];
    this.disagreements.add(`availability: the page tells machines ${fact}, and shows readers that it is sold out`);
    return [byMachine('OutOfStock')];
  }

  #shownProduct(name: ProductName): readonly Raw[] {
    const shown = this.#shownProductFacts();
    if (shown === null) return [];
    const sells = this.#told('price') !== null;
    const fact = shownFact(name, shown, { url: this.material.url, sells });
    return fact === null ? [] : [byMachine(fact)];
  }

  #shownProductFacts(): ShownProduct | null {
    const { content, metadata } = this.material;
    if (!('tree' in content)) return null;
    this.#shown ??= toShownProduct(content.tree, this.#labelsIn(content.tree, 0), metadata?.language ?? null);
    return this.#shown;
  }

  #inEntities(name: string): readonly Raw[] {
    const key = nameKey(name);
    const own = this.entities.all.filter(({ types }) => !types.some((type) => FURNITURE.has(type)));
    for (const entity of own) {
      const member = Object.keys(entity.members).find(
        (candidate) => !candidate.startsWith('@') && nameKey(candidate) === key,
      );
      if (member !== undefined) return this.#valuesIn(entity, member);
    }
    return [];
  }

  #valuesIn(entity: Entity, member: string): readonly Raw[] {
    return valuesOf(entity, member, this.entities).map(byMachine);
  }

  #inOpenGraph(name: string): readonly Raw[] {
    const key = nameKey(name);
    const property = Object.keys(this.material.structured.opengraph).find(
      (candidate) => nameKey(candidate.slice(candidate.indexOf(':') + 1)) === key,
    );
    return property === undefined ? [] : toList(this.material.structured.opengraph[property]).map(byMachine);
  }

  #inMetadata(name: string): readonly Raw[] {
    const key = nameKey(name);
    const member = Object.entries(this.material.metadata ?? {}).find(([candidate]) => nameKey(candidate) === key);
    return member === undefined ? [] : toList(member[1]).map(byMachine);
  }

  #labelled(name: string, description: string, scope: number): readonly Raw[] {
    if (!('tree' in this.material.content)) return [];
    const { tree } = this.material.content;
    const label = findLabel(this.#labelsIn(tree, scope), name, description);
    if (label === null) return [];
    const raw = { value: label.text, machine: false };
    const isShown = subtreeEndOf(tree, label.node) > label.node + 1;
    return [isShown ? { ...raw, node: label.node } : raw];
  }

  /** The rating of what a page describes, and how many rated it. */
  #rated(name: string): readonly Raw[] {
    const members = RATINGS.get(nameKey(name));
    if (members === undefined) return [];
    for (const entity of this.entities.all) {
      for (const rating of valuesOf(entity, 'aggregateRating', this.entities).flatMap(
        (value) => toEntity(value) ?? [],
      )) {
        const member = members.find((one) => valuesOf(rating, one, this.entities).length > 0);
        if (member !== undefined) return valuesOf(rating, member, this.entities).slice(0, 1).map(byMachine);
      }
    }
    const { content } = this.material;
    const shown = 'tree' in content && members.includes('ratingValue') ? ratingShown(content.tree, 0) : null;
    return shown === null ? [] : [{ value: shown, machine: false }];
  }

  #counted(name: string, isNumber: boolean): readonly Raw[] {
    const { content } = this.material;
    const shown = 'tree' in content ? countShown(content.tree, 0, name, isNumber) : null;
    return shown === null ? [] : [{ value: shown, machine: false }];
  }

  #labelsIn(tree: Tree, scope: number): readonly Label[] {
    const labels = this.#labels.get(scope) ?? collectLabels(tree, scope);
    this.#labels.set(scope, labels);
    return labels;
  }

  #namedBelow(name: string, description: string, node: number): readonly Raw[] {
    if (!('tree' in this.material.content)) return [];
    const { tree } = this.material.content;
    const key = nameKey(name);
    this.page?.spend(subtreeEndOf(tree, node) - node);
    for (let at = node + 1; at < subtreeEndOf(tree, node); at++) {
      if ((tree.attributeCount[at] ?? 0) === 0) continue;
      const names = tokensOf(
        knownAttribute(tree, at, ATTRIBUTE.itemprop) ?? knownAttribute(tree, at, ATTRIBUTE.property),
      );
      if (names.some((candidate) => nameKey(candidate) === key))
        return [byMachine(valueOf(tree, at, { names, url: this.material.url }))];
    }
    return this.#labelled(name, description, node);
  }
}

function byMachine(value: unknown): Raw {
  return { value, machine: true };
}

/** The values of the member whose name has the same words; in an array of one object, of that object. */
function membersNamed(value: unknown, name: string): readonly unknown[] {
  const object = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isJsonObject(object)) return [];
  if (Object.hasOwn(object, name)) return toList(object[name]);
  const key = nameKey(name);
  const member = Object.keys(object).find((candidate) => nameKey(candidate) === key);
  return member === undefined ? [] : toList(object[member]);
}

/** The values of `application/json` scripts, where pages keep the state they were drawn from. */
function embeddedJson(tree: Tree): readonly unknown[] {
  const values: unknown[] = [];
  for (let at = 1; at < tree.count && values.length < MAX_EMBEDDED; at++) {
    if (tagOf(tree, at) !== TAG.script) continue;
    if (!/^application\/(?:[\w.-]+\+)?json/i.test(knownAttribute(tree, at, ATTRIBUTE.type) ?? '')) continue;
    const value = parseJson(ownText(tree, at));
    if (value !== undefined) values.push(value);
  }
  return values;
}
