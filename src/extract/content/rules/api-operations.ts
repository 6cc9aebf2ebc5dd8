import { TAG } from '#extract/html/tag-names.ts';
import { isText, parentOf, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import { methodOf } from '#extract/view/http-method.ts';
import { linkPlacesOf } from './link-places.ts';
import type { LinkPlaces } from './link-places.ts';
import { readsAsStory } from './scored-page.ts';
import type { ScoredPage } from './scored-page.ts';

/** Operations from which on a page is a reference of an interface. */
const LEAST = 3;
/** Probability of an article above which a page that names methods tells of them. */
const MOST_ARTICLE = 0.25;
/** Names of methods that buttons and links have too. */
const COMMON: ReadonlySet<string> = new Set(['POST', 'DELETE', 'OPTIONS', 'HEAD']);

/** The elements that lead to operations: chrome where the text names operations too, else all that the page tells of them. */
export type OperationIndex = { readonly elements: readonly number[]; readonly isContent: boolean };

/** What leads to the operations of a reference of an interface; null for a page of another kind. */
export function operationIndexOf(page: ScoredPage): OperationIndex | null {
  const { tree, url, kinds } = page;
  const operations = readsAsStory(kinds) && kinds.article > MOST_ARTICLE ? [] : operationsOf(page);
  if (operations.length === 0) return null;
  const placesOf = linkPlacesOf(tree, url);
  const elements: number[] = [];
  let isContent = true;
  for (const operation of operations) {
    if (operation < subtreeEndOf(tree, elements.at(-1) ?? 0) && elements.length > 0) continue;
    let widest = 0;
    for (
      let node = parentOf(tree, operation);
      node !== 0 && tagOf(tree, node) !== TAG.body;
      node = parentOf(tree, node)
    ) {
      if (leads(page, node, placesOf)) widest = node;
    }
    if (widest === 0) isContent = false;
    else elements.push(widest);
  }
  return { elements, isContent };
}

/**
 * The texts by which a page names operations of an interface: each is the method alone, in an element of its own
 * (`<b>GET</b> /sacks`). Empty where there are few of them, or none that can only mean a method.
 */
function operationsOf({ tree, surroundings }: ScoredPage): readonly number[] {
  const operations: number[] = [];
  let isCertain = false;
  for (let node = 1; node < tree.count; node++) {
    const method = isText(tree, node) ? methodOf(tree, node) : null;
    if (method === null) continue;
    const around = parentOf(tree, node);
    const isShown = surroundings.unseen[node] === 0 && surroundings.hidden[around] === 0;
    if (!isShown || subtreeEndOf(tree, around) !== node + 1) continue;
    operations.push(node);
    isCertain ||= !COMMON.has(method);
  }
  return isCertain && operations.length >= LEAST ? operations : [];
}

const LEAST_LINKS = 3;
/** The least share of the links of an index that lead to places of the page, and of its characters that are in links. */
const LOCAL = 0.7;
const LINKED = 0.6;

/** Whether an element is navigation, or leads to places of its page. */
function leads({ tree, surroundings, containers }: ScoredPage, node: number, placesOf: LinkPlaces): boolean {
  if (tagOf(tree, node) === TAG.nav || ((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return true;
  const { all, local } = placesOf(node);
  if (all < LEAST_LINKS || local < LOCAL * all) return false;
  return (containers.linked[node] ?? 0) >= LINKED * (containers.characters[node] ?? 0);
}
