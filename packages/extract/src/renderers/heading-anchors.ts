import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  getKnownAttribute,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  isText,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';

/** For each line that is a heading, the anchors of the headings with this line, in order; null for one without. */
export type HeadingAnchors = Map<string, (string | null)[]>;

type Heading = { readonly tree: Tree; readonly node: number };

/** Adds the anchor of a heading that is written as the given line. */
export function addHeadingAnchor(anchors: HeadingAnchors, line: string, { tree, node }: Heading): void {
  const anchor = findAnchor(tree, node);
  const known = anchors.get(line);
  if (known === undefined) anchors.set(line, [anchor]);
  else known.push(anchor);
}

/** The most nodes of a heading in which an anchor is searched for. */
const MAX_NODES = 40;
/** Generators of documentation put a title into up to three boxes. */
const MAX_BOXES = 4;
const SECTION_TAGS = buildTagSet('section article');
const SECTION_CLASS = /(?:^|\s)(?:section|(?:ref)?sect\d|chapter|appendix|preface)(?:\s|$)/;
const POINT_TAGS = buildTagSet('a span');

/**
 * The anchor that leads to a heading: its own ID, that of an element in it, of the empty element before it, or of the
 * section that it starts. Null if it has none.
 */
function findAnchor(tree: Tree, heading: number): string | null {
  const end = Math.min(getSubtreeEnd(tree, heading), heading + MAX_NODES);
  for (let node = heading; node < end; node++) {
    const anchor = readAnchor(tree, node);
    if (anchor !== null) return anchor;
  }
  let node = heading;
  for (let boxes = 0; boxes < MAX_BOXES && node !== 0; boxes++) {
    const before = findBefore(tree, node);
    if (before !== 0) {
      const isPoint = POINT_TAGS[getTag(tree, before)] === 1 && getSubtreeEnd(tree, before) === before + 1;
      return isPoint ? readAnchor(tree, before) : null;
    }
    node = getParent(tree, node);
    if (isSection(tree, node)) return readAnchor(tree, node);
  }
  return null;
}

/** The element or text before a node, without white space; 0 if there is none. */
function findBefore(tree: Tree, node: number): number {
  let before = getPreviousSibling(tree, node);
  while (before !== 0 && isText(tree, before) && ((tree.flags[before] ?? 0) & WHITESPACE) !== 0)
    before = getPreviousSibling(tree, before);
  return before;
}

function isSection(tree: Tree, node: number): boolean {
  if (SECTION_TAGS[getTag(tree, node)] === 1) return true;
  return SECTION_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}

/** The ID of an element, or the name of an anchor. */
function readAnchor(tree: Tree, node: number): string | null {
  if (isText(tree, node) || tree.attributeCount[node] === 0) return null;
  const id = getKnownAttribute(tree, node, ATTRIBUTE.id) ?? '';
  const name = id === '' && getTag(tree, node) === TAG.a ? (getKnownAttribute(tree, node, ATTRIBUTE.name) ?? '') : id;
  return name.trim() === '' ? null : name;
}
