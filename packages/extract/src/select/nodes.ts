import { TAG } from '#extract/html/tag-names.ts';
import {
  type Tree,
  attributeOf,
  attributesOf,
  charactersOf,
  childrenOf,
  isElement,
  isText,
  nameOf,
  nextOf,
  parentOf,
  previousOf,
  subtreeEndOf,
  tagOf,
} from '#extract/html/tree.ts';
import { measureCpuMs, MAX_SELECTION_MS, SelectionTooCostly } from './cpu-time.ts';

/** One node of a flat tree as the object that selector libraries work on; the same node is always the same object. */
export type PageNode = {
  readonly page: NodePage;
  readonly id: number;
  readonly nodeType: number;
  readonly nodeName: string;
  readonly localName: string;
  readonly namespaceURI: null;
  readonly prefix: null;
};

/** An attribute as XPath sees it. */
type PageAttribute = {
  readonly owner: PageNode;
  readonly nodeType: 2;
  readonly name: string;
  readonly nodeName: string;
  readonly localName: string;
  readonly namespaceURI: null;
  readonly prefix: null;
  readonly value: string;
};

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
const DOCUMENT_NODE = 9;

/** Time of the thread that all selections of a page may take together, ms. */
const MAX_PAGE_MS = 3000;
/** Steps between two looks at the clock. */
const CLOCK_INTERVAL_STEPS = 256;
/** Characters of text that count as a step. */
const CHARACTERS_PER_STEP = 64;

/**
 * The nodes of one page made on demand, and the steps and the time that a selection may still take over them. Steps alone
 * bound nothing: what a library does between two of them costs from nanoseconds to milliseconds.
 */
export class NodePage {
  readonly tree: Tree;
  readonly #nodes = new Map<number, PageNode>();
  readonly #children = new Map<number, PageNode[]>();
  readonly #attributes = new Map<number, readonly PageAttribute[]>();
  readonly #most: number;
  #steps: number;
  #leftMs = MAX_PAGE_MS;
  /** When the selection that runs has had its time. */
  #until = Infinity;
  #lookAt = 0;

  constructor(tree: Tree, steps: number) {
    this.tree = tree;
    this.#most = steps;
    this.#steps = steps;
  }

  /** Counts work; throws SelectionTooCostly when the selection has had its share. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new SelectionTooCostly();
    if (this.#steps > this.#lookAt) return;
    this.#lookAt = this.#steps - CLOCK_INTERVAL_STEPS;
    if (measureCpuMs() > this.#until) throw new SelectionTooCostly();
  }

  /**
   * Runs one selection, with all that it consists of, within its steps and its time; throws SelectionTooCostly when those, or
   * the time of all, are used up.
   */
  select<T>(work: () => T): T {
    if (this.#until !== Infinity) return work();
    const began = measureCpuMs();
    this.#until = began + Math.min(MAX_SELECTION_MS, this.#leftMs);
    this.#steps = this.#most;
    this.#lookAt = this.#steps;
    try {
      this.spend(1);
      const selected = work();
      // The last stretch is without a step.
      this.#lookAt = this.#steps;
      this.spend(1);
      return selected;
    } finally {
      this.#leftMs -= measureCpuMs() - began;
      this.#until = Infinity;
    }
  }

  node(id: number): PageNode {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const name = nameOf(this.tree, id);
    const node: PageNode = {
      page: this,
      id,
      nodeType: id === 0 ? DOCUMENT_NODE : isElement(this.tree, id) ? ELEMENT_NODE : TEXT_NODE,
      nodeName: name,
      localName: name,
      namespaceURI: null,
      prefix: null,
    };
    this.#nodes.set(id, node);
    return node;
  }

  parent(node: PageNode): PageNode | null {
    return node.id === 0 ? null : this.node(parentOf(this.tree, node.id));
  }

  children(node: PageNode): PageNode[] {
    const known = this.#children.get(node.id);
    if (known !== undefined) return known;
    // What a template holds is not part of the page before a script puts it there.
    const isInert = tagOf(this.tree, node.id) === TAG.template;
    const children = isInert ? [] : childrenOf(this.tree, node.id).map((child) => this.node(child));
    this.spend(children.length);
    this.#children.set(node.id, children);
    return children;
  }

  next(node: PageNode): PageNode | null {
    const id = nextOf(this.tree, node.id);
    return id === 0 ? null : this.node(id);
  }

  previous(node: PageNode): PageNode | null {
    const id = previousOf(this.tree, node.id);
    return id === 0 ? null : this.node(id);
  }

  attribute(node: PageNode, name: string): string | null {
    return attributeOf(this.tree, node.id, name);
  }

  attributes(node: PageNode): readonly PageAttribute[] {
    const known = this.#attributes.get(node.id);
    if (known !== undefined) return known;
    const attributes = attributesOf(this.tree, node.id).map(({ name, value }): PageAttribute => {
      return {
        owner: node,
        nodeType: 2,
        name,
        nodeName: name,
        localName: name,
        namespaceURI: null,
        prefix: null,
        value,
      };
    });
    this.#attributes.set(node.id, attributes);
    return attributes;
  }

  /** The text of a node and all below it, as `:contains` compares it. */
  text(node: PageNode): string {
    if (isText(this.tree, node.id)) {
      const characters = charactersOf(this.tree, node.id);
      this.spend(Math.ceil(characters.length / CHARACTERS_PER_STEP));
      return characters;
    }
    const end = subtreeEndOf(this.tree, node.id);
    this.spend(end - node.id);
    let text = '';
    for (let at = node.id + 1; at < end; at++) if (isText(this.tree, at)) text += charactersOf(this.tree, at);
    this.spend(Math.ceil(text.length / CHARACTERS_PER_STEP));
    return text;
  }

  /** The elements below a node in document order, without what templates hold. */
  *elementsBelow(id: number): Generator<PageNode> {
    const end = subtreeEndOf(this.tree, id);
    for (let at = id + 1; at < end; at++) {
      if (!isElement(this.tree, at)) continue;
      yield this.node(at);
      if (tagOf(this.tree, at) === TAG.template) at = subtreeEndOf(this.tree, at) - 1;
    }
  }
}

export function isPageNode(value: unknown): value is PageNode {
  return typeof value === 'object' && value !== null && 'page' in value;
}

export function isPageAttribute(value: unknown): value is PageAttribute {
  return typeof value === 'object' && value !== null && 'owner' in value;
}
