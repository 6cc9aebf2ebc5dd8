import { uint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { isText, parentOf, subtreeEndOf, tagOf, type Tree, WHITESPACE } from '#extract/html/tree.ts';
import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import { methodOf } from '#extract/view/http-method.ts';
import { type LinkPlaces, linkPlacesOf } from './link-places.ts';
import { readsAsStory, type ScoredPage } from './scored-page.ts';

/** Operations from which on a page is a reference of an interface. */
const MIN = 3;
/** Probability of an article above which a page that names methods tells of them. */
const MAX_ARTICLE = 0.25;
/** Names of methods that buttons and links have too. */
const COMMON: ReadonlySet<string> = new Set(['POST', 'DELETE', 'OPTIONS', 'HEAD']);

/** The elements that lead to operations: chrome where the text names operations too, else all that the page tells of them. */
export type OperationIndex = {
  readonly elements: ReadonlySet<number>;
  /** 1 for every node in them. */
  readonly holds: Uint8Array;
  readonly isContent: boolean;
};

/**
 * What leads to the operations of a reference of an interface; null for a page of another kind, as one that names operations
 * only where it leads to other pages.
 */
export function operationIndexOf(page: ScoredPage): OperationIndex | null {
  const { tree, url, kinds } = page;
  const operations = readsAsStory(kinds) && kinds.article > MAX_ARTICLE ? [] : operationsOf(page);
  if (operations.length === 0) return null;
  const placesOf = linkPlacesOf(tree, url);
  const elements = new Set<number>();
  const holds = uint8s(tree.count);
  let inText = 0;
  for (const operation of operations) {
    if (holds[operation] === 1) continue;
    let widest = 0;
    for (
      let node = parentOf(tree, operation);
      node !== 0 && tagOf(tree, node) !== TAG.body;
      node = parentOf(tree, node)
    ) {
      if (leads(page, node, placesOf)) widest = node;
    }
    if (widest === 0) inText++;
    else {
      elements.add(widest);
      holds.fill(1, widest, subtreeEndOf(tree, widest));
    }
  }
  const staysHere = [...elements].every((element) => isLocal(placesOf(element)));
  return inText > 0 || staysHere ? { elements, holds, isContent: inText === 0 } : null;
}

/**
 * The texts by which a page names operations of an interface: each is the method alone, in an element of its own, beside a
 * path or a title (`<b>GET</b> /sacks`). Empty where there are few of them, or none that can only mean a method.
 */
function operationsOf({ tree, surroundings }: ScoredPage): readonly number[] {
  const operations: number[] = [];
  let isCertain = false;
  for (let node = 1; node < tree.count; node++) {
    const method = isText(tree, node) ? methodOf(tree, node) : null;
    if (method === null) continue;
    const around = parentOf(tree, node);
    const isShown = surroundings.unseen[node] === 0 && surroundings.hidden[around] === 0;
    if (!isShown || subtreeEndOf(tree, around) !== node + 1 || !hasTitle(tree, node)) continue;
    operations.push(node);
    isCertain ||= !COMMON.has(method);
  }
  return isCertain && operations.length >= MIN ? operations : [];
}

/** Elements around a method in which its path or its title stands. */
const LEVELS = 4;
/** Characters of what stands there, and its nodes; more are a paragraph that tells of a method. */
const MAX_LENGTH = 200;
const MAX_NODES = 100;

/** Whether a method begins or ends the innermost element around it that says more, and that says little. */
function hasTitle(tree: Tree, method: number): boolean {
  let around = parentOf(tree, method);
  for (let level = 0; level < LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    let before = 0;
    let after = 0;
    const end = subtreeEndOf(tree, around);
    if (end - around > MAX_NODES) return false;
    for (let node = around + 1; node < end; node++) {
      if (node === method || !isText(tree, node) || ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
      const characters = (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
      if (node < method) before += characters;
      else after += characters;
    }
    if (before + after > 0) return before + after <= MAX_LENGTH && (before === 0 || after === 0);
  }
  return false;
}

const MIN_LINKS = 3;
/** The least share of the links of an index that lead to places of the page, and of its characters that are in links. */
const LOCAL = 0.7;
const LINKED = 0.6;

/** Whether an element is navigation, or leads to places of its page. */
function leads({ tree, surroundings, containers }: ScoredPage, node: number, placesOf: LinkPlaces): boolean {
  if (tagOf(tree, node) === TAG.nav || ((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return true;
  const places = placesOf(node);
  if (places.all < MIN_LINKS || !isLocal(places)) return false;
  return (containers.linked[node] ?? 0) >= LINKED * (containers.characters[node] ?? 0);
}

function isLocal({ all, local }: ReturnType<LinkPlaces>): boolean {
  return local >= LOCAL * all;
}
