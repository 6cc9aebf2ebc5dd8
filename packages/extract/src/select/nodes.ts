import { measureCpuMs } from '#extract/platform/node.ts';
import { TAG } from '#extract/html/tag-names.ts';
import {
  getAttribute,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  getTagName,
  isElement,
  isText,
  listAttributes,
  listChildren,
  readCharacters,
  type Tree,
} from '#extract/html/tree.ts';

/** A node of a flat tree as an object for selector libraries. There is one object per node. */
export type PageNode = {
  readonly page: PageNodes;
  readonly id: number;
  readonly nodeType: number;
  readonly nodeName: string;
  readonly localName: string;
  readonly namespaceURI: null;
  readonly prefix: null;
};

/** An attribute for XPath. */
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

/** CPU time of the thread that all selections of a page may use together. */
const MAX_PAGE_MS = 3000;
/** The clock is read after this many steps. */
const CLOCK_INTERVAL_STEPS = 256;
/** Characters of text that count as one step. */
const CHARACTERS_PER_STEP = 64;

/**
 * The nodes of one page, created on demand, with the steps and the time that a selection may still use. Steps alone are
 * not a limit: the work of a library between two steps takes from nanoseconds to milliseconds.
 */
export class PageNodes {
  readonly tree: Tree;
  readonly #nodes = new Map<number, PageNode>();
  readonly #children = new Map<number, PageNode[]>();
  readonly #attributes = new Map<number, readonly PageAttribute[]>();
  readonly #maxSteps: number;
  #steps: number;
  #leftMs = MAX_PAGE_MS;
  /** CPU time at which the current selection has used up its limit. */
  #until = Infinity;
  #lookAt = 0;

  constructor(tree: Tree, steps: number) {
    this.tree = tree;
    this.#maxSteps = steps;
    this.#steps = steps;
  }

  /** Counts steps. Throws SelectionTooCostly when the selection exceeds its limit. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new SelectionTooCostly();
    if (this.#steps > this.#lookAt) return;
    this.#lookAt = this.#steps - CLOCK_INTERVAL_STEPS;
    if (measureCpuMs() > this.#until) throw new SelectionTooCostly();
  }

  /**
   * Runs one selection, including nested ones, within the limits of steps and time. Throws SelectionTooCostly if they,
   * or the time limit of the page, are exceeded.
   */
  select<T>(work: () => T): T {
    if (this.#until !== Infinity) return work();
    const began = measureCpuMs();
    this.#until = began + Math.min(MAX_SELECTION_MS, this.#leftMs);
    this.#steps = this.#maxSteps;
    this.#lookAt = this.#steps;
    try {
      this.spend(1);
      const selected = work();
      // Check the time since the last step.
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
    const name = getTagName(this.tree, id);
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
    return node.id === 0 ? null : this.node(getParent(this.tree, node.id));
  }

  children(node: PageNode): PageNode[] {
    const known = this.#children.get(node.id);
    if (known !== undefined) return known;
    // The content of a template is not part of the page until a script inserts it.
    const isInert = getTag(this.tree, node.id) === TAG.template;
    const children = isInert ? [] : listChildren(this.tree, node.id).map((child) => this.node(child));
    this.spend(children.length);
    this.#children.set(node.id, children);
    return children;
  }

  next(node: PageNode): PageNode | null {
    const id = getNextSibling(this.tree, node.id);
    return id === 0 ? null : this.node(id);
  }

  previous(node: PageNode): PageNode | null {
    const id = getPreviousSibling(this.tree, node.id);
    return id === 0 ? null : this.node(id);
  }

  attribute(node: PageNode, name: string): string | null {
    return getAttribute(this.tree, node.id, name);
  }

  attributes(node: PageNode): readonly PageAttribute[] {
    const known = this.#attributes.get(node.id);
    if (known !== undefined) return known;
    const attributes = listAttributes(this.tree, node.id).map(({ name, value }): PageAttribute => {
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

  /** The text of a node and its descendants, as `:contains` compares it. */
  text(node: PageNode): string {
    if (isText(this.tree, node.id)) {
      const characters = readCharacters(this.tree, node.id);
      this.spend(Math.ceil(characters.length / CHARACTERS_PER_STEP));
      return characters;
    }
    const end = getSubtreeEnd(this.tree, node.id);
    this.spend(end - node.id);
    let text = '';
    for (let at = node.id + 1; at < end; at++) if (isText(this.tree, at)) text += readCharacters(this.tree, at);
    this.spend(Math.ceil(text.length / CHARACTERS_PER_STEP));
    return text;
  }

  /** The elements below a node in document order, except inside templates. */
  *elementsBelow(id: number): Generator<PageNode> {
    const end = getSubtreeEnd(this.tree, id);
    for (let at = id + 1; at < end; at++) {
      if (!isElement(this.tree, at)) continue;
      yield this.node(at);
      if (getTag(this.tree, at) === TAG.template) at = getSubtreeEnd(this.tree, at) - 1;
    }
  }
}

/** Whether a value from a selector library is a node of a page. */
export function isPageNode(value: unknown): value is PageNode {
  return typeof value === 'object' && value !== null && 'page' in value;
}

/** Whether a value from a selector library is an attribute of a page. */
export function isPageAttribute(value: unknown): value is PageAttribute {
  return typeof value === 'object' && value !== null && 'owner' in value;
}

/** CPU time of the thread that one selection may use. */
export const MAX_SELECTION_MS = 1000;

/** A selection exceeded its limit of steps or time. */
export class SelectionTooCostly extends Error {
  constructor() {
    super('the selection takes too much work');
    this.name = 'SelectionTooCostly';
  }
}
