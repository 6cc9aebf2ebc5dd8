import { parseHtml, type Syntax } from '#extract/html/parse.ts';
import { placeShadowRoots } from '#extract/html/shadow-roots.ts';
import { attributeOf, firstChildOf, knownAttribute, nextTagged, tagOf, type Tree } from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { findFrames, type Frame, type FrameNode } from '#extract/urls/find-frames.ts';
import { toHtmlAttribute, toHtmlText } from '#extract/values/html-text.ts';
import { resolverOf } from '#extract/view/resolve-reference.ts';
import type { PlacedFrame } from './reading.ts';

/** A page as a visitor sees it: shadow trees in place, and of frames what was placed in them or what there is without. */
export type PageTree = {
  readonly tree: Tree;
  /** Whether the page itself is only a set of frames. */
  readonly isFrames: boolean;
  /** The frames whose documents can be content, in order, placed ones included; where none are placed, the likely ones. */
  readonly frames: readonly Frame[];
};

/** How the frames of a page are read. */
export type FrameReading = {
  /** The address of the page, and how its bytes are encoded. */
  readonly url: string;
  readonly charset: string | null;
  /** What to place in frames; null where they are only to be found. */
  readonly placed: readonly PlacedFrame[] | null;
};

/** Parses a page whose type names its syntax; frames are found where it is said how. Linear in the source. */
export function parsePageTree(
  html: string,
  mediaType: string,
  { hasNul, reading = null }: { readonly hasNul?: boolean | undefined; readonly reading?: FrameReading | null } = {},
): PageTree {
  const syntax: Syntax = /[+/]xml$/.test(mediaType) ? 'xhtml' : 'html';
  const parsed = parseHtml(html, syntax, hasNul);
  const frameset = nextTagged(parsed, TAG.frameset, 1);
  const tree = frameset === 0 ? placeShadowRoots(parsed) : parsed;
  const found = reading === null ? [] : listFrames(tree, reading);
  const placed = new Map(reading?.placed?.flatMap(({ at, html: own }) => wrapPlaced(found[at], own)));
  const frames = found.map(({ frame }) => frame);
  if (frameset !== 0) {
    const unframed = framesToHtml(tree, frameset, placed);
    return { tree: placeShadowRoots(parseHtml(unframed, syntax)), isFrames: true, frames };
  }
  if (placed.size === 0) return { tree, isFrames: false, frames };
  return { tree: placeShadowRoots(parseHtml(insertPlaced(tree, placed), syntax)), isFrames: false, frames };
}

function listFrames(tree: Tree, { url, charset, placed }: FrameReading): readonly FrameNode[] {
  const search = placed === null ? 'likely' : 'all';
  return findFrames(tree, { pageUrl: url, resolve: resolverOf(tree, url, charset), search });
}

/** By frame element, the HTML that stands in its place. */
type PlacedHtml = ReadonlyMap<number, string>;

/** A shadow tree, so that the markup of a frame cannot close what is around it. */
function wrapPlaced(found: FrameNode | undefined, html: string): [number, string][] {
  return found === undefined ? [] : [[found.node, `<div><template shadowrootmode="open">${html}</template></div>`]];
}

/**
 * A page of frames as an HTML page with a body: what was placed in its frames, and a link to what stands in each other
 * one. Where nothing was placed, it begins with what it tells those who show no frames.
 */
function framesToHtml(tree: Tree, frameset: number, placed: PlacedHtml): string {
  const parts = [tree.source.slice(0, tree.start[frameset]), '<body>'];
  const links: string[] = [];
  for (let node = frameset; node < tree.count; node++) {
    const html = placed.get(node);
    if (html !== undefined) parts.push(html);
    else if (tagOf(tree, node) === TAG.noframes && placed.size === 0) parts.push(readRawText(tree, node));
    else if (tagOf(tree, node) === TAG.frame) links.push(toLink(tree, node));
  }
  return [...parts, '<ul>', ...links, '</ul>'].join('');
}

/** The source of a page with documents in the place of their frames. An `object` stays, since what it holds is not shown. */
function insertPlaced(tree: Tree, placed: PlacedHtml): string {
  const parts: string[] = [];
  let from = 0;
  for (const [node, html] of [...placed].toSorted(([one], [other]) => getStart(tree, one) - getStart(tree, other))) {
    parts.push(tree.source.slice(from, getStart(tree, node)), html);
    const inside = firstChildOf(tree, node);
    from = tagOf(tree, node) === TAG.object ? getStart(tree, node) : (tree.end[inside === 0 ? node : inside] ?? 0);
  }
  return [...parts, tree.source.slice(from)].join('');
}

function getStart(tree: Tree, node: number): number {
  return tree.start[node] ?? 0;
}

/** Without frames to show, a reader takes what `noframes` holds as markup. */
function readRawText(tree: Tree, node: number): string {
  const text = firstChildOf(tree, node);
  return text === 0 ? '' : tree.source.slice(tree.start[text], tree.end[text]);
}

function toLink(tree: Tree, frame: number): string {
  const address = knownAttribute(tree, frame, ATTRIBUTE.src) ?? '';
  if (address === '') return '';
  const name = attributeOf(tree, frame, 'title') ?? attributeOf(tree, frame, 'name') ?? address;
  return `<li><a href="${toHtmlAttribute(address)}">${toHtmlText(name)}</a></li>`;
}
