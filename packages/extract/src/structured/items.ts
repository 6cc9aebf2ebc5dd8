import { setMember } from '#extract/values/json.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, knownAttribute, tagOf, type Tree } from '#extract/html/tree.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { priceTextIn } from '#extract/view/price-texts.ts';

/** An embedded item in the JSON form of HTML microdata: types, an id where given, lists of values by property name. */
export type Item = {
  readonly type: readonly string[];
  readonly id?: string;
  readonly properties: Readonly<Record<string, readonly unknown[]>>;
};

const URL_ATTRIBUTES: ReadonlyMap<number, number> = new Map([
  [TAG.a, ATTRIBUTE.href],
  [TAG.area, ATTRIBUTE.href],
  [TAG.link, ATTRIBUTE.href],
  [TAG.audio, ATTRIBUTE.src],
  [TAG.embed, ATTRIBUTE.src],
  [TAG.iframe, ATTRIBUTE.src],
  [TAG.img, ATTRIBUTE.src],
  [TAG.source, ATTRIBUTE.src],
  [TAG.track, ATTRIBUTE.src],
  [TAG.video, ATTRIBUTE.src],
]);

/** Properties whose text is an amount, of which the markup tells the cents. */
const AMOUNT_PROPERTIES: ReadonlySet<string> = new Set(['price', 'lowPrice', 'highPrice', 'minPrice', 'maxPrice']);

/** Where the value of a property is read: under these names, relative URLs against that one. */
type PropertyContext = { readonly names: readonly string[]; readonly url: string };

/** The value an element gives its property (HTML, "the value of a property"): a URL absolute, text with white space collapsed, of a price without what is struck out. */
export function readPropertyValue(tree: Tree, node: number, { names, url }: PropertyContext): string {
  const tag = tagOf(tree, node);
  const link = URL_ATTRIBUTES.get(tag);
  if (link !== undefined || tag === TAG.object) {
    const reference = (link === undefined ? attributeOf(tree, node, 'data') : knownAttribute(tree, node, link)) ?? '';
    return toAbsoluteUrl(reference, url) ?? reference;
  }
  const content = knownAttribute(tree, node, ATTRIBUTE.content);
  if (content !== null) return content;
  if (tag === TAG.meta) return '';
  if (tag === TAG.data || tag === TAG.meter) return knownAttribute(tree, node, ATTRIBUTE.value) ?? '';
  if (tag === TAG.time) return knownAttribute(tree, node, ATTRIBUTE.datetime) ?? collapsedText(tree, node);
  return names.some((name) => AMOUNT_PROPERTIES.has(getLastName(name)))
    ? priceTextIn(tree, node)
    : collapsedText(tree, node);
}

/** The context of reading values: the URL they resolve against, and whether running texts are read too. */
export type ItemContext = { readonly url: string; readonly includesBodies: boolean };

const BODY_PROPERTIES: ReadonlySet<string> = new Set([
  'articleBody',
  'reviewBody',
  'text',
  'transcript',
  'recipeInstructions',
]);

/** Whether an element of these property names is read. */
export function isReadProperty(names: readonly string[], { includesBodies: bodies }: ItemContext): boolean {
  return names.length > 0 && (bodies || !names.every((name) => BODY_PROPERTIES.has(getLastName(name))));
}

/** `text` of `schema:text` or `https://schema.org/text`. */
function getLastName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}

/** Adds a value to a property's list. */
export function addValue(properties: Record<string, unknown[]>, name: string, value: unknown): void {
  if (Object.hasOwn(properties, name)) properties[name]?.push(value);
  else setMember(properties, name, [value]);
}

/** The tokens of an attribute that is a list of names, each once. */
export function splitTokens(value: string | null): readonly string[] {
  return value === null ? [] : [...new Set(value.split(/\s+/).filter((token) => token !== ''))].slice(0, 50);
}
