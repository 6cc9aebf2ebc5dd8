import { groupBy } from '#extract/values/collections.ts';
import {
  readCollapsedText,
  getAttribute,
  listElementsWith,
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
  findFirstAfter,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { isBlock, type View } from '#extract/view/view.ts';

/** The tabs of a page: the label of each panel, and the tab lists that have no other content. */
export type PageTabs = { readonly labels: ReadonlyMap<number, string>; readonly lists: ReadonlySet<number> };

/** The most characters of a tab label. */
const MAX_LABEL_LENGTH = 100;

type TabParts = {
  readonly lists: readonly number[];
  readonly tabs: readonly number[];
  readonly panels: readonly number[];
};

/** Finds the label of each panel: that of the tab linked to it by ID, else of the tab at the same position. */
export function findTabs({ tree, kept }: View): PageTabs {
  const parts = findParts(tree);
  const toggled = mayHaveBootstrapTabs(tree) ? pairBootstrapTabs(tree) : [];
  const paired = new Map([...pairInOrder(tree, parts), ...pairById(tree, parts), ...toggled]);
  const labels = new Map<number, string>();
  const shown = new Set<number>();
  for (const [panel, tab] of paired) {
    const label = readCollapsedText(tree, tab, MAX_LABEL_LENGTH + 1);
    if (kept[panel] !== 1 || label.length > MAX_LABEL_LENGTH || !/\p{L}/u.test(label)) continue;
    shown.add(tab);
    // A panel may start with a heading of the same text.
    if (readFirstLine(tree, panel) !== label) labels.set(panel, label);
  }
  const isTold = (list: number) => listTabs(tree, list, parts.tabs).every((tab) => shown.has(tab));
  const around = toggled.filter(([, tab]) => shown.has(tab)).map(([, tab]) => findList(tree, tab));
  const items = groupBy(around, (list) => list);
  const wholeLists = [...items].filter(([list, own]) => own.length === countItems(tree, list)).map(([list]) => list);
  // A list may contain the panels too, as in an accordion.
  const panels = [...paired.keys()].toSorted((one, other) => one - other);
  const holdsPanel = (list: number) => (panels[findFirstAfter(panels, list)] ?? tree.count) < getSubtreeEnd(tree, list);
  const lists = [...parts.lists.filter(isTold), ...wholeLists].filter((list) => !holdsPanel(list));
  return { labels, lists: new Set(lists) };
}

/** The text of the first nonempty block of a panel. */
function readFirstLine(tree: Tree, panel: number): string {
  const end = getSubtreeEnd(tree, panel);
  for (let node = panel + 1; node < end; node++) {
    if (!isText(tree, node) || ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
    let block = getParent(tree, node);
    while (block > panel && !isBlock(tree, block)) block = getParent(tree, block);
    return readCollapsedText(tree, block, MAX_LABEL_LENGTH + 1);
  }
  return '';
}

/** Whether a page uses Bootstrap's toggle attributes, whose tabs need no ARIA roles. */
export function mayHaveBootstrapTabs({ attributeId }: Tree): boolean {
  return attributeId.includes(ATTRIBUTE.dataToggle) || attributeId.includes(ATTRIBUTE.dataBsToggle);
}

/** Pairs panels with the Bootstrap tabs that refer to them in an attribute or by their link. */
function pairBootstrapTabs(tree: Tree): readonly (readonly [panel: number, tab: number])[] {
  const tabs = ['data-toggle', 'data-bs-toggle'].flatMap((name) =>
    listElementsWith(tree, name).filter((node) => /^(?:tab|pill)$/.test(getAttribute(tree, node, name) ?? '')),
  );
  if (tabs.length === 0) return [];
  const targets = new Map<string, number>();
  for (const tab of tabs) {
    const target = [ATTRIBUTE.dataTarget, ATTRIBUTE.dataBsTarget, ATTRIBUTE.href]
      .map((id) => getKnownAttribute(tree, tab, id) ?? '')
      .find((reference) => reference.startsWith('#'));
    if (target !== undefined) targets.set(target.slice(1), tab);
  }
  return listElementsWith(tree, 'id').flatMap((panel) => {
    const tab = targets.get(getKnownAttribute(tree, panel, ATTRIBUTE.id) ?? '');
    return tab === undefined ? [] : [[panel, tab] as const];
  });
}

const LIST_TAGS = buildTagSet('ul ol');
/** The most elements between a tab and its list. */
const MAX_LIST_LEVELS = 3;

/** The list around a tab; 0 if there is none. */
function findList(tree: Tree, tab: number): number {
  let list = getParent(tree, tab);
  for (let level = 0; level < MAX_LIST_LEVELS && LIST_TAGS[getTag(tree, list)] !== 1; level++)
    list = getParent(tree, list);
  return LIST_TAGS[getTag(tree, list)] === 1 ? list : 0;
}

function findParts(tree: Tree): TabParts {
  const lists: number[] = [];
  const tabs: number[] = [];
  const panels: number[] = [];
  for (const node of listElementsWith(tree, 'role')) {
    const role = getKnownAttribute(tree, node, ATTRIBUTE.role)?.trim().toLowerCase();
    if (role === 'tablist') lists.push(node);
    else if (role === 'tab') tabs.push(node);
    else if (role === 'tabpanel') panels.push(node);
  }
  return { lists, tabs, panels };
}

/** The tabs in a tab list; `tabs` is in document order. */
function listTabs(tree: Tree, list: number, tabs: readonly number[]): readonly number[] {
  const end = getSubtreeEnd(tree, list);
  const first = findFirstAfter(tabs, list);
  return tabs.slice(first, findFirstAfter(tabs, end - 1));
}

/** Pairs panels and tabs by position: a list is paired if as many panels follow it as it has tabs, not counting nested panels. */
function pairInOrder(
  tree: Tree,
  { lists, tabs, panels }: TabParts,
): readonly (readonly [panel: number, tab: number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (const [at, list] of lists.entries()) {
    const own = listTabs(tree, list, tabs);
    const found: number[] = [];
    let end = list;
    let next = at + 1;
    for (let place = findFirstAfter(panels, list); place < panels.length && found.length < own.length; place++) {
      const panel = panels[place] ?? 0;
      if (panel < end) continue;
      // Panels after the next list outside of these panels belong to that list.
      while ((lists[next] ?? panel) < end) next++;
      if ((lists[next] ?? panel) < panel) break;
      found.push(panel);
      end = getSubtreeEnd(tree, panel);
    }
    if (found.length === own.length) for (const [which, panel] of found.entries()) pairs.push([panel, own[which] ?? 0]);
  }
  return pairs;
}

/** Pairs panels and tabs that refer to each other by ID. */
function pairById(tree: Tree, { tabs, panels }: TabParts): readonly (readonly [panel: number, tab: number])[] {
  const pairs: (readonly [number, number])[] = [];
  const tabById = new Map(tabs.map((tab) => [getKnownAttribute(tree, tab, ATTRIBUTE.id) ?? '', tab]));
  const tabByPanel = new Map(
    tabs.map((tab) => [getKnownAttribute(tree, tab, ATTRIBUTE.ariaControls)?.trim() ?? '', tab]),
  );
  for (const panel of panels) {
    const named = (getAttribute(tree, panel, 'aria-labelledby') ?? '').trim();
    const id = getKnownAttribute(tree, panel, ATTRIBUTE.id) ?? '';
    const tab = (named === '' ? undefined : tabById.get(named)) ?? (id === '' ? undefined : tabByPanel.get(id));
    if (tab !== undefined) pairs.push([panel, tab]);
  }
  return pairs;
}

/** The number of direct items of a list. */
export function countItems(tree: Tree, list: number): number {
  let items = 0;
  for (let node = getFirstChild(tree, list); node !== 0; node = getNextSibling(tree, node))
    if (getTag(tree, node) === TAG.li) items++;
  return items;
}
