import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import { allocateInt32s, allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  attributeOf,
  isText,
  knownAttribute,
  parentOf,
  subtreeEndOf,
  tagOf,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { readHttpMethod } from '#extract/view/view.ts';
import { isStoryLike, type ScoredPage } from './scored-page.ts';

/** How many links an element holds, and of these to places on the page itself, and to the pages before, after and above. */
export type CountLinks = (node: number) => { readonly all: number; readonly local: number; readonly pager: number };

/** The links of every element of a page by where they lead, counted once. */
export function createLinkCounter(tree: Tree, url: string): CountLinks {
  const all = allocateInt32s(tree.count + 1);
  const local = allocateInt32s(tree.count + 1);
  const pager = allocateInt32s(tree.count + 1);
  const file = readFileName(url);
  for (let node = 0; node < tree.count; node++) {
    const href = tagOf(tree, node) === TAG.a ? knownAttribute(tree, node, ATTRIBUTE.href) : null;
    const isPager = href !== null && isPagerLink(tree, node);
    all[node + 1] = (all[node] ?? 0) + Number(href !== null);
    local[node + 1] = (local[node] ?? 0) + Number(href !== null && !isPager && isLocalReference(href.trim(), file));
    pager[node + 1] = (pager[node] ?? 0) + Number(isPager);
  }
  return (node) => {
    const end = subtreeEndOf(tree, node);
    const within = (counts: Int32Array) => (counts[end] ?? 0) - (counts[node] ?? 0);
    return { all: within(all), local: within(local), pager: within(pager) };
  };
}

function isLocalReference(href: string, file: string): boolean {
  return href.startsWith('#') || (file !== '' && href.startsWith(`${file}#`));
}

/** The last part of the path of a page, as links of its folder name it. */
function readFileName(url: string): string {
  return URL.parse(url)?.pathname.split('/').at(-1) ?? '';
}

const PAGER_REL = /^(?:next|prev|previous|up|start|first|last|contents|index)$/i;
/** Keys by which generators of manuals let a reader turn pages. */
const PAGER_KEYS = /^[nphui]$/i;

/** Whether a link turns the pages of a manual, by its relation or its key. */
function isPagerLink(tree: Tree, node: number): boolean {
  const rel = knownAttribute(tree, node, ATTRIBUTE.rel);
  if (rel !== null && rel.split(/\s/).some((one) => PAGER_REL.test(one))) return true;
  return PAGER_KEYS.test(attributeOf(tree, node, 'accesskey') ?? '');
}

/** Operations from which on a page is a reference of an interface. */
const MIN_OPERATIONS = 3;
/** Probability of an article above which a page that names methods tells of them. */
const MAX_ARTICLE_PROBABILITY = 0.25;
/** Names of methods that buttons and links have too. */
const COMMON_METHODS: ReadonlySet<string> = new Set(['POST', 'DELETE', 'OPTIONS', 'HEAD']);

/** The elements that lead to operations: chrome where the text names operations too, else all that the page tells of them. */
export type OperationIndex = {
  readonly elements: ReadonlySet<number>;
  /** 1 for every node in them. */
  readonly isInside: Uint8Array;
  readonly isContent: boolean;
};

/**
 * What leads to the operations of a reference of an interface; null for a page of another kind, as one that names operations
 * only where it leads to other pages.
 */
export function findOperationIndex(page: ScoredPage): OperationIndex | null {
  const { tree, url, kinds } = page;
  const operations = isStoryLike(kinds) && kinds.article > MAX_ARTICLE_PROBABILITY ? [] : listOperations(page);
  if (operations.length === 0) return null;
  const placesOf = createLinkCounter(tree, url);
  const elements = new Set<number>();
  const holds = allocateUint8s(tree.count);
  let inText = 0;
  for (const operation of operations) {
    if (holds[operation] === 1) continue;
    let widest = 0;
    for (
      let node = parentOf(tree, operation);
      node !== 0 && tagOf(tree, node) !== TAG.body;
      node = parentOf(tree, node)
    ) {
      if (isIndexElement(page, node, placesOf)) widest = node;
    }
    if (widest === 0) inText++;
    else {
      elements.add(widest);
      holds.fill(1, widest, subtreeEndOf(tree, widest));
    }
  }
  const staysHere = [...elements].every((element) => isMostlyLocal(placesOf(element)));
  return inText > 0 || staysHere ? { elements, isInside: holds, isContent: inText === 0 } : null;
}

/**
 * The texts by which a page names operations of an interface: each is the method alone, in an element of its own, beside a
 * path or a title (`<b>GET</b> /sacks`). Empty where there are few of them, or none that can only mean a method.
 */
function listOperations({ tree, surroundings }: ScoredPage): readonly number[] {
  const operations: number[] = [];
  let isCertain = false;
  for (let node = 1; node < tree.count; node++) {
    const method = isText(tree, node) ? readHttpMethod(tree, node) : null;
    if (method === null) continue;
    const around = parentOf(tree, node);
    const isShown = surroundings.unseen[node] === 0 && surroundings.hidden[around] === 0;
    if (!isShown || subtreeEndOf(tree, around) !== node + 1 || !hasTitle(tree, node)) continue;
    operations.push(node);
    isCertain ||= !COMMON_METHODS.has(method);
  }
  return isCertain && operations.length >= MIN_OPERATIONS ? operations : [];
}

/** Elements around a method in which its path or its title stands. */
const MAX_TITLE_LEVELS = 4;
/** Characters of what stands there, and its nodes; more are a paragraph that tells of a method. */
const MAX_TITLE_LENGTH = 200;
const MAX_TITLE_NODES = 100;

/** Whether a method begins or ends the innermost element around it that says more, and that says little. */
function hasTitle(tree: Tree, method: number): boolean {
  let around = parentOf(tree, method);
  for (let level = 0; level < MAX_TITLE_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    let before = 0;
    let after = 0;
    const end = subtreeEndOf(tree, around);
    if (end - around > MAX_TITLE_NODES) return false;
    for (let node = around + 1; node < end; node++) {
      if (node === method || !isText(tree, node) || ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
      const characters = (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
      if (node < method) before += characters;
      else after += characters;
    }
    if (before + after > 0) return before + after <= MAX_TITLE_LENGTH && (before === 0 || after === 0);
  }
  return false;
}

const MIN_LINKS = 3;
/** The least share of the links of an index that lead to places of the page, and of its characters that are in links. */
const MIN_LOCAL_SHARE = 0.7;
const MIN_LINKED_SHARE = 0.6;

/** Whether an element is navigation, or leads to places of its page. */
function isIndexElement({ tree, surroundings, containers }: ScoredPage, node: number, placesOf: CountLinks): boolean {
  if (tagOf(tree, node) === TAG.nav || ((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return true;
  const places = placesOf(node);
  if (places.all < MIN_LINKS || !isMostlyLocal(places)) return false;
  return (containers.linked[node] ?? 0) >= MIN_LINKED_SHARE * (containers.characters[node] ?? 0);
}

function isMostlyLocal({ all, local }: ReturnType<CountLinks>): boolean {
  return local >= MIN_LOCAL_SHARE * all;
}
