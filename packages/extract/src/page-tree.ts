import { parseHtml, type Syntax } from '#extract/html/parse.ts';
import { placeShadowRoots } from '#extract/html/shadow-roots.ts';
import { getAttribute, getFirstChild, getKnownAttribute, findNextTag, getTag, type Tree } from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { findFrames, type Frame, type FrameNode } from '#extract/urls/find-frames.ts';
import { escapeHtmlAttribute, escapeHtmlText } from './values/portions.ts';
import { createResolver } from '#extract/view/resolve-reference.ts';
import type { PlacedDocument } from './reading.ts';

/**
 * A page as a visitor sees it: with shadow trees in place, and with the documents of frames or the fallback content.
 */
export type PageTree = {
  readonly tree: Tree;
  /** Whether the page itself is only a frameset. */
  readonly isFrames: boolean;
  /**
   * The frames whose documents may be content, in order, including placed ones. If none are placed, only the likely
   * ones.
   */
  readonly frames: readonly Frame[];
};

/** How the frames of a page are read. */
export type FrameOptions = {
  /** The URL of the page, and the charset of its bytes. */
  readonly url: string;
  readonly charset: string | null;
  /** The documents to place in frames. Null if frames are only listed. */
  readonly placed: readonly PlacedDocument[] | null;
};

/** Parses a page in the syntax of its media type. Frames are listed only if `reading` is set. Linear in the source. */
export function parsePageTree(
  html: string,
  mediaType: string,
  { hasNul, reading = null }: { readonly hasNul?: boolean | undefined; readonly reading?: FrameOptions | null } = {},
): PageTree {
  const syntax: Syntax = /[+/]xml$/.test(mediaType) ? 'xhtml' : 'html';
  const parsed = parseHtml(html, syntax, hasNul);
  const frameset = findNextTag(parsed, TAG.frameset, 1);
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

function listFrames(tree: Tree, { url, charset, placed }: FrameOptions): readonly FrameNode[] {
  const search = placed === null ? 'likely' : 'all';
  return findFrames(tree, { pageUrl: url, resolve: createResolver(tree, url, charset), search });
}

/** The HTML that replaces each frame element. */
type PlacedHtml = ReadonlyMap<number, string>;

/** Wraps a document in a shadow tree, so that its markup cannot close elements around it. */
function wrapPlaced(found: FrameNode | undefined, html: string): [number, string][] {
  return found === undefined ? [] : [[found.node, `<div><template shadowrootmode="open">${html}</template></div>`]];
}

/**
 * Converts a frameset to an HTML page with a body: the documents of its frames, and a link for each other frame. If no
 * document was placed, it starts with the content of `noframes`.
 */
function framesToHtml(tree: Tree, frameset: number, placed: PlacedHtml): string {
  const parts = [tree.source.slice(0, tree.start[frameset]), '<body>'];
  const links: string[] = [];
  for (let node = frameset; node < tree.count; node++) {
    const html = placed.get(node);
    if (html !== undefined) parts.push(html);
    else if (getTag(tree, node) === TAG.noframes && placed.size === 0) parts.push(readRawText(tree, node));
    else if (getTag(tree, node) === TAG.frame) links.push(toLink(tree, node));
  }
  return [...parts, '<ul>', ...links, '</ul>'].join('');
}

/**
 * The source of a page with documents in place of their frames. An `object` element stays, because its content is not
 * shown.
 */
function insertPlaced(tree: Tree, placed: PlacedHtml): string {
  const parts: string[] = [];
  let from = 0;
  for (const [node, html] of [...placed].toSorted(([one], [other]) => getStart(tree, one) - getStart(tree, other))) {
    parts.push(tree.source.slice(from, getStart(tree, node)), html);
    const inside = getFirstChild(tree, node);
    from = getTag(tree, node) === TAG.object ? getStart(tree, node) : (tree.end[inside === 0 ? node : inside] ?? 0);
  }
  return [...parts, tree.source.slice(from)].join('');
}

function getStart(tree: Tree, node: number): number {
  return tree.start[node] ?? 0;
}

/** Reads the content of `noframes` as markup. */
function readRawText(tree: Tree, node: number): string {
  const text = getFirstChild(tree, node);
  return text === 0 ? '' : tree.source.slice(tree.start[text], tree.end[text]);
}

function toLink(tree: Tree, frame: number): string {
  const address = getKnownAttribute(tree, frame, ATTRIBUTE.src) ?? '';
  if (address === '') return '';
  const name = getAttribute(tree, frame, 'title') ?? getAttribute(tree, frame, 'name') ?? address;
  return `<li><a href="${escapeHtmlAttribute(address)}">${escapeHtmlText(name)}</a></li>`;
}
