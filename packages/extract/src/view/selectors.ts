import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import {
  getKnownAttribute,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getTag,
  getTagName,
  isElement,
  isText,
  type Tree,
} from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';

/** A name that needs no escaping in a selector. */
const PLAIN_NAME = /^-?[a-z_][\w-]*$/i;
/** Longer selectors are refused where they are used. */
const MAX_LENGTH = 900;

/** A selector that matches an element and similar ones, and its number of matches. */
export type SimilarSelector = { readonly selector: string; readonly matches: number };

/** Builds CSS selectors for the elements of a page. */
export class ElementSelectors {
  readonly #tree: Tree;
  readonly #ids = new Map<string, number>();
  /** Elements by tag and class. */
  readonly #byClass = new Map<string, number>();
  /** Elements by the first class of their parent and their own tag. */
  readonly #byParent = new Map<string, number>();

  constructor(tree: Tree) {
    this.#tree = tree;
    for (let node = 1; node < tree.count; node += 1) {
      if (!isElement(tree, node)) continue;
      const id = findPlainId(tree, node);
      if (id !== null) incrementCount(this.#ids, id);
      for (const name of listPlainClasses(tree, node))
        incrementCount(this.#byClass, `${getTagName(tree, node)}.${name}`);
      const below = this.#belowParent(node);
      if (below !== null) incrementCount(this.#byParent, below);
    }
  }

  /**
   * A selector that matches only this element: the path from the nearest ancestor with a unique id, or from the root.
   * Null if it would be too long or need escaping.
   */
  findUnique(node: number): string | null {
    const steps: string[] = [];
    for (let at = node; at !== 0; at = getParent(this.#tree, at)) {
      const id = findPlainId(this.#tree, at);
      if (id !== null && this.#ids.get(id) === 1) {
        steps.unshift(`#${id}`);
        break;
      }
      const name = getTagName(this.#tree, at);
      if (!PLAIN_NAME.test(name)) return null;
      steps.unshift(name + formatNthOfType(this.#tree, at));
    }
    const selector = steps.join(' > ');
    return selector.length > MAX_LENGTH ? null : selector;
  }

  /**
   * A selector that matches this element and similar ones: by the rarest of its classes, or by a class of its parent.
   * Null if there is no such class.
   */
  findSimilar(node: number): SimilarSelector | null {
    const byClass = [...listPlainClasses(this.#tree, node)].map((name) => `${getTagName(this.#tree, node)}.${name}`);
    const selectors = byClass.map((selector) => ({ selector, matches: this.#byClass.get(selector) ?? 0 }));
    const [rarest] = selectors.toSorted((one, other) => one.matches - other.matches);
    if (rarest !== undefined) return rarest;
    const below = this.#belowParent(node);
    return below === null ? null : { selector: below, matches: this.#byParent.get(below) ?? 0 };
  }

  #belowParent(node: number): string | null {
    const parent = getParent(this.#tree, node);
    const [first] = parent === 0 ? [] : listPlainClasses(this.#tree, parent);
    const [name, own] = [getTagName(this.#tree, parent), getTagName(this.#tree, node)];
    return first === undefined || !PLAIN_NAME.test(name) || !PLAIN_NAME.test(own) ? null : `${name}.${first} > ${own}`;
  }
}

/** `:nth-of-type()` if siblings have the same tag, else an empty string. */
function formatNthOfType(tree: Tree, node: number): string {
  const tag = getTag(tree, node);
  let place = 1;
  for (let at = getPreviousSibling(tree, node); at !== 0; at = getPreviousSibling(tree, at))
    if (getTag(tree, at) === tag) place += 1;
  if (place > 1) return `:nth-of-type(${place})`;
  for (let at = getNextSibling(tree, node); at !== 0; at = getNextSibling(tree, at))
    if (getTag(tree, at) === tag) return ':nth-of-type(1)';
  return '';
}

function findPlainId(tree: Tree, node: number): string | null {
  const id = getKnownAttribute(tree, node, ATTRIBUTE.id);
  return id !== null && PLAIN_NAME.test(id) ? id : null;
}

/** The classes of an element that need no escaping in a selector. */
function listPlainClasses(tree: Tree, node: number): ReadonlySet<string> {
  const names = (getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '').split(/\s+/);
  return new Set(PLAIN_NAME.test(getTagName(tree, node)) ? names.filter((name) => PLAIN_NAME.test(name)) : []);
}

function incrementCount(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const MAX_LEVELS = 4;
const MAX_NAME_LENGTH = 40;

/**
 * The ancestors of a node and itself, the nearest last, each with its first class or else its id: `main > article.post
 * > p`.
 */
export function formatElementPath(tree: Tree, node: number): string {
  const names: string[] = [];
  const from = isText(tree, node) ? getParent(tree, node) : node;
  for (let at = from; at !== 0 && names.length < MAX_LEVELS; at = getParent(tree, at)) {
    const [first] = collapseSpace(getKnownAttribute(tree, at, ATTRIBUTE.class) ?? '').split(' ');
    const id = collapseSpace(getKnownAttribute(tree, at, ATTRIBUTE.id) ?? '');
    const mark = first !== undefined && first !== '' ? `.${first}` : id === '' ? '' : `#${id}`;
    names.unshift(getTagName(tree, at) + mark.slice(0, MAX_NAME_LENGTH));
  }
  return names.join(' > ');
}
