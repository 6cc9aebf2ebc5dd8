import { setMember } from './json.ts';
import { ATTRIBUTE, TAG } from './tag-names.ts';
import { BLOCK, flagsOf } from './tags.ts';
import {
  charactersOf,
  firstChildOf,
  isText,
  knownAttribute,
  nextOf,
  previousOf,
  subtreeEndOf,
  tagOf,
  type Tree,
} from './tree.ts';
import { toAbsoluteUrl } from './urls.ts';

/** An embedded item in the JSON form of HTML microdata: types, an id where given, lists of values by property name. */
export type Item = {
  readonly type: readonly string[];
  readonly id?: string;
  readonly properties: Readonly<Record<string, readonly unknown[]>>;
};

const LONGEST_VALUE = 50_000;
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

/** The value an element gives its property (HTML, "the value of a property"): a URL absolute, text with white space collapsed. */
export function valueOf(tree: Tree, node: number, url: string): string {
  const tag = tagOf(tree, node);
  const link = URL_ATTRIBUTES.get(tag);
  if (link !== undefined) {
    const reference = knownAttribute(tree, node, link) ?? '';
    return toAbsoluteUrl(reference, url) ?? reference;
  }
  const content = knownAttribute(tree, node, ATTRIBUTE.content);
  if (content !== null) return content;
  if (tag === TAG.meta) return '';
  if (tag === TAG.data || tag === TAG.meter) return knownAttribute(tree, node, ATTRIBUTE.value) ?? '';
  if (tag === TAG.time) return knownAttribute(tree, node, ATTRIBUTE.datetime) ?? collapsedText(tree, node);
  return collapsedText(tree, node);
}

/** Adds a value to a property's list. */
export function addValue(properties: Record<string, unknown[]>, name: string, value: unknown): void {
  if (Object.hasOwn(properties, name)) properties[name]?.push(value);
  else setMember(properties, name, [value]);
}

/** The tokens of an attribute that is a list of names, each once. */
export function tokensOf(value: string | null): readonly string[] {
  return value === null ? [] : [...new Set(value.split(/\s+/).filter((token) => token !== ''))].slice(0, 50);
}

/** The text of an element with runs of white space as one space; blocks and line breaks part words. */
export function collapsedText(tree: Tree, node: number, longest = LONGEST_VALUE): string {
  let text = '';
  const end = subtreeEndOf(tree, node);
  for (let at = node + 1; at < end && text.length < longest; at++) {
    const tag = tagOf(tree, at);
    if (tag === TAG.script || tag === TAG.style) at = subtreeEndOf(tree, at) - 1;
    else if (tag === TAG.br || (flagsOf(tag) & BLOCK) !== 0) text += ' ';
    if (isText(tree, at)) {
      const before = previousOf(tree, at);
      if (before !== 0 && (flagsOf(tagOf(tree, before)) & BLOCK) !== 0) text += ' ';
      text += charactersOf(tree, at, longest);
    }
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The characters directly inside an element: the source of a script, the text of a title. */
export function ownText(tree: Tree, node: number): string {
  let text = '';
  for (let child = firstChildOf(tree, node); child !== 0; child = nextOf(tree, child)) {
    if (isText(tree, child)) text += charactersOf(tree, child);
  }
  return text;
}
