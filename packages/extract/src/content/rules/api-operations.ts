import { parseUrl } from '#extract/values/parse-url.ts';
import { LANDMARK } from '#extract/content/features/name-evidence.ts';
import { allocateInt32s, allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  getAttribute,
  isText,
  getKnownAttribute,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { readHttpMethod } from '#extract/view/view.ts';
import { isStoryLike, type ScoredPage } from './scored-page.ts';

/**
 * Counts the links inside an element: all, those to places on the same page, and those to the previous, next or parent
 * page.
 */
export type CountLinks = (node: number) => { readonly all: number; readonly local: number; readonly pager: number };

/** Counts the links of a page once, so that the links of every element can be looked up. */
export function createLinkCounter(tree: Tree, url: string): CountLinks {
  const all = allocateInt32s(tree.count + 1);
  const local = allocateInt32s(tree.count + 1);
  const pager = allocateInt32s(tree.count + 1);
  const file = readFileName(url);
  for (let node = 0; node < tree.count; node++) {
    const href = getTag(tree, node) === TAG.a ? getKnownAttribute(tree, node, ATTRIBUTE.href) : null;
    const isPager = href !== null && isPagerLink(tree, node);
    all[node + 1] = (all[node] ?? 0) + Number(href !== null);
    local[node + 1] = (local[node] ?? 0) + Number(href !== null && !isPager && isLocalReference(href.trim(), file));
    pager[node + 1] = (pager[node] ?? 0) + Number(isPager);
  }
  return (node) => {
    const end = getSubtreeEnd(tree, node);
    const within = (counts: Int32Array) => (counts[end] ?? 0) - (counts[node] ?? 0);
    return { all: within(all), local: within(local), pager: within(pager) };
  };
}

function isLocalReference(href: string, file: string): boolean {
  return href.startsWith('#') || (file !== '' && href.startsWith(`${file}#`));
}

/** The last segment of the page's path, as relative links write it. */
function readFileName(url: string): string {
  return parseUrl(url)?.pathname.split('/').at(-1) ?? '';
}

const PAGER_REL = /^(?:next|prev|previous|up|start|first|last|contents|index)$/i;
/** Access keys with which generated manuals turn pages. */
const PAGER_KEYS = /^[nphui]$/i;

/** Whether a link turns the pages of a manual, by its `rel` or its access key. */
function isPagerLink(tree: Tree, node: number): boolean {
  const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel);
  if (rel !== null && rel.split(/\s/).some((one) => PAGER_REL.test(one))) return true;
  return PAGER_KEYS.test(getAttribute(tree, node, 'accesskey') ?? '');
}

/** A page with at least this many operations is an API reference. */
const MIN_OPERATIONS = 3;
/** Above this probability of an article, a page with method names only writes about them. */
const MAX_ARTICLE_PROBABILITY = 0.5;
/** Method names that are also labels of buttons and links. */
const COMMON_METHODS: ReadonlySet<string> = new Set(['POST', 'DELETE', 'OPTIONS', 'HEAD']);

/**
 * The elements that link to the operations. They are page chrome if the text lists operations too. Otherwise they are
 * all that the page has, and so its content.
 */
export type OperationIndex = {
  readonly elements: ReadonlySet<number>;
  /** 1 for every node in these elements. */
  readonly isInside: Uint8Array;
  readonly isContent: boolean;
};

/**
 * Finds the elements that link to the operations of an API reference. Null for any other page, including one that names
 * operations only in links to other pages.
 */
export function findOperationIndex(page: ScoredPage): OperationIndex | null {
  const { tree, url, kinds } = page;
  const operations = isStoryLike(kinds) && kinds.article > MAX_ARTICLE_PROBABILITY ? [] : listOperations(page);
  if (operations.length === 0) return null;
  const countLinks = createLinkCounter(tree, url);
  const elements = new Set<number>();
  const holds = allocateUint8s(tree.count);
  let inText = 0;
  for (const operation of operations) {
    if (holds[operation] === 1) continue;
    let widest = 0;
    for (
      let node = getParent(tree, operation);
      node !== 0 && getTag(tree, node) !== TAG.body;
      node = getParent(tree, node)
    ) {
      if (isIndexElement(page, node, countLinks)) widest = node;
    }
    if (widest === 0) inText++;
    else {
      elements.add(widest);
      holds.fill(1, widest, getSubtreeEnd(tree, widest));
    }
  }
  const staysHere = [...elements].every((element) => isMostlyLocal(countLinks(element)));
  return inText > 0 || staysHere ? { elements, isInside: holds, isContent: inText === 0 } : null;
}

/**
 * The text nodes that name an operation: a method by itself in an element, next to a path or a title (`<b>GET</b>
 * /sacks`). Empty if there are few of them, or if none is certainly a method.
 */
function listOperations({ tree, surroundings }: ScoredPage): readonly number[] {
  const operations: number[] = [];
  let isCertain = false;
  for (let node = 1; node < tree.count; node++) {
    const method = isText(tree, node) ? readHttpMethod(tree, node) : null;
    if (method === null) continue;
    const ancestor = getParent(tree, node);
    const isShown = surroundings.unseen[node] === 0 && surroundings.hidden[ancestor] === 0;
    if (!isShown || getSubtreeEnd(tree, ancestor) !== node + 1 || !hasTitle(tree, node)) continue;
    operations.push(node);
    isCertain ||= !COMMON_METHODS.has(method);
  }
  return isCertain && operations.length >= MIN_OPERATIONS ? operations : [];
}

/** Levels above a method in which its path or title is searched. */
const MAX_TITLE_LEVELS = 4;
/** Maximum characters and nodes of a path or title. More text is a paragraph about a method. */
const MAX_TITLE_LENGTH = 200;
const MAX_TITLE_NODES = 100;

/** Whether the innermost ancestor with other text is short, and starts or ends with the method. */
function hasTitle(tree: Tree, method: number): boolean {
  let ancestor = getParent(tree, method);
  for (let level = 0; level < MAX_TITLE_LEVELS && ancestor !== 0; level++, ancestor = getParent(tree, ancestor)) {
    let before = 0;
    let after = 0;
    const end = getSubtreeEnd(tree, ancestor);
    if (end - ancestor > MAX_TITLE_NODES) return false;
    for (let node = ancestor + 1; node < end; node++) {
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
/** Minimum share of an index's links that lead to the same page, and of its characters that are in links. */
const MIN_LOCAL_SHARE = 0.7;
const MIN_LINKED_SHARE = 0.6;

/** Whether an element is navigation, or mostly links to places on its page. */
function isIndexElement({ tree, surroundings, containers }: ScoredPage, node: number, countLinks: CountLinks): boolean {
  if (getTag(tree, node) === TAG.nav || ((surroundings.evidence[node] ?? 0) & LANDMARK) !== 0) return true;
  const links = countLinks(node);
  if (links.all < MIN_LINKS || !isMostlyLocal(links)) return false;
  return (containers.linked[node] ?? 0) >= MIN_LINKED_SHARE * (containers.characters[node] ?? 0);
}

function isMostlyLocal({ all, local }: ReturnType<CountLinks>): boolean {
  return local >= MIN_LOCAL_SHARE * all;
}
