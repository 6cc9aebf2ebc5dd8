import { allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  getAttribute,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';

/** Ids of the attributes by which a control refers to the element that it opens: ARIA and common libraries. */
const FIRST_OPENING = ATTRIBUTE.ariaControls;
const LAST_OPENING = ATTRIBUTE.dataBsToggle;
const OUTSIDE_TAGS = buildTagSet('nav header footer aside dialog menu form');
/** Roles and class names of overlays and of site navigation. */
const OVERLAY_ROLE = /^(?:dialog|alertdialog|menu|menubar|listbox|navigation|search|tooltip|tree)$/i;
const OVERLAY_NAME =
  /(?:^|[\s_-])(?:modal|dialog|popup|popover|dropdown|drop-down|menu|nav|navbar|navigation|offcanvas|drawer|flyout|tooltip|overlay|search|cookies?|consent|lightbox|sidebar|toast|share|login|newsletter)(?:$|[\s_-])/i;
/** Levels above a panel that are checked. */
const MAX_LEVELS = 6;
/** Maximum nodes of a heading that are searched for its button. */
const MAX_HEADING_NODES = 20;
const HEADING_TAGS = buildTagSet('h1 h2 h3 h4 h5 h6 dt button summary');

/**
 * Returns a test for hidden elements that a control in the text opens, such as answers of an accordion or panels of
 * tabs.
 */
export function createPanelTest(tree: Tree): (node: number) => boolean {
  let opened: ReadonlySet<string> | null = null;
  const known = allocateUint8s(tree.count);
  return (node) => {
    const before = known[node] ?? 0;
    if (before !== 0) return before === OPENED;
    opened ??= listOpenedIds(tree);
    const isOpened = isPanel(tree, node, opened) && !isOverlayOrChrome(tree, node) && !isFilter(tree, node);
    known[node] = isOpened ? OPENED : CLOSED;
    return isOpened;
  };
}

const OPENED = 1;
const CLOSED = 2;

/** The ids of elements that controls open, without menus and dialogs. */
function listOpenedIds(tree: Tree): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let node = 1; node < tree.count; node++) {
    const first = tree.attributeStart[node] ?? 0;
    const end = first + (tree.attributeCount[node] ?? 0);
    for (let at = first; at < end; at++) {
      const id = tree.attributeId[at] ?? 0;
      if (id < FIRST_OPENING || id > LAST_OPENING) continue;
      if (getAttribute(tree, node, 'aria-haspopup') !== null || isOutsideText(tree, node)) break;
      for (const name of listOpenedNames(tree, node, id)) ids.add(name);
    }
  }
  return ids;
}

/** The ids in one attribute of a control. */
function listOpenedNames(tree: Tree, control: number, id: number): readonly string[] {
  if (id === ATTRIBUTE.dataToggle || id === ATTRIBUTE.dataBsToggle) {
    const href = getKnownAttribute(tree, control, ATTRIBUTE.href) ?? '';
    return href.startsWith('#') ? [href.slice(1)] : [];
  }
  return (getKnownAttribute(tree, control, id) ?? '').split(/\s+/).map((name) => name.replace(/^#/, ''));
}

/** Whether a control is outside the text. Tabs are never: many pages declare them as navigation. */
function isOutsideText(tree: Tree, control: number): boolean {
  return getKnownAttribute(tree, control, ATTRIBUTE.role) !== 'tab' && isOverlayOrChrome(tree, control);
}

function isPanel(tree: Tree, node: number, opened: ReadonlySet<string>): boolean {
  const role = getKnownAttribute(tree, node, ATTRIBUTE.role)?.trim().toLowerCase();
  if (role === 'tabpanel') return true;
  const id = getKnownAttribute(tree, node, ATTRIBUTE.id);
  if (id !== null && opened.has(id)) return true;
  return hasButtonHeading(tree, node);
}

/** Whether the previous element is a heading with a button, or a button that opens something. */
function hasButtonHeading(tree: Tree, node: number): boolean {
  let before = getPreviousSibling(tree, node);
  if (isText(tree, before) && ((tree.flags[before] ?? 0) & WHITESPACE) !== 0) before = getPreviousSibling(tree, before);
  if (before === 0 || HEADING_TAGS[getTag(tree, before)] !== 1) return false;
  if (getTag(tree, before) === TAG.button) return isPanelButton(tree, before);
  const end = Math.min(getSubtreeEnd(tree, before), before + MAX_HEADING_NODES);
  for (let inside = before; inside < end; inside++) if (isExpandControl(tree, inside)) return true;
  return false;
}

function isExpandControl(tree: Tree, node: number): boolean {
  if (isText(tree, node) || getAttribute(tree, node, 'aria-haspopup') !== null) return false;
  if (getTag(tree, node) === TAG.button) return true;
  return (
    getKnownAttribute(tree, node, ATTRIBUTE.role) === 'button' || getAttribute(tree, node, 'aria-expanded') !== null
  );
}

const CHOICE_TYPE = /^(?:checkbox|radio)$/i;
/** From this number of checkboxes on, a panel is a filter. */
const MIN_CHOICES = 3;

/** Whether a panel is a form with choices, such as a shop's filter. Those do not belong to the text. */
function isFilter(tree: Tree, node: number): boolean {
  const end = Math.min(getSubtreeEnd(tree, node), node + MAX_PANEL_NODES);
  let choices = 0;
  for (let inside = node + 1; inside < end && choices < MIN_CHOICES; inside++) {
    if (getTag(tree, inside) === TAG.input && CHOICE_TYPE.test(getAttribute(tree, inside, 'type') ?? '')) choices++;
  }
  return choices >= MIN_CHOICES;
}

/** Whether an element is an overlay or page chrome, by its tag, role or name. */
function isOverlayOrChrome(tree: Tree, node: number): boolean {
  let ancestor = node;
  for (let level = 0; level < MAX_LEVELS && ancestor !== 0; level++, ancestor = getParent(tree, ancestor)) {
    if (getTag(tree, ancestor) === TAG.body) return false;
    if (OUTSIDE_TAGS[getTag(tree, ancestor)] === 1) return true;
    if (OVERLAY_ROLE.test(getKnownAttribute(tree, ancestor, ATTRIBUTE.role)?.trim() ?? '')) return true;
    if (level < 2 && OVERLAY_NAME.test(getKnownAttribute(tree, ancestor, ATTRIBUTE.class) ?? '')) return true;
  }
  return false;
}

/** Whether a button is the heading of the block right after it: it has an expanded state, and both are in the text. */
export function isPanelButton(tree: Tree, button: number): boolean {
  const expandedState = getAttribute(tree, button, 'aria-expanded') ?? getAttribute(tree, button, 'aria-controls');
  const isNamed = ACCORDION_CLASS.test(getKnownAttribute(tree, button, ATTRIBUTE.class) ?? '');
  if ((expandedState === null && !isNamed) || getAttribute(tree, button, 'aria-haspopup') !== null) return false;
  let next = getNextSibling(tree, button);
  if (isText(tree, next) && ((tree.flags[next] ?? 0) & WHITESPACE) !== 0) next = getNextSibling(tree, next);
  if (PANEL_TAGS[getTag(tree, next)] !== 1 || !hasText(tree, next)) return false;
  return !isOverlayOrChrome(tree, button) && !isOverlayOrChrome(tree, next);
}

/** Maximum nodes of a panel that are searched for text. */
const MAX_PANEL_NODES = 200;

function hasText(tree: Tree, panel: number): boolean {
  const end = Math.min(getSubtreeEnd(tree, panel), panel + MAX_PANEL_NODES);
  for (let node = panel + 1; node < end; node++) {
    if (isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) === 0) return true;
  }
  return false;
}

const ACCORDION_CLASS = /(?:^|[\s_-])(?:accordion|collapsible|faq)(?:$|[\s_-])/i;
const PANEL_TAGS = buildTagSet('div section p article dd');
