import { parseHtml } from '#extract/html/parse.ts';
import type { Syntax } from '#extract/html/parse.ts';
import { withShadowRoots } from '#extract/html/shadow-roots.ts';
import type { Tree } from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, firstChildOf, knownAttribute, nextTagged, tagOf } from '#extract/html/tree.ts';
import { toHtmlAttribute, toHtmlText } from '#extract/values/html-text.ts';

/** A page as a visitor sees it: shadow trees in place, and of frames what there is without them. */
export type PageTree = {
  readonly tree: Tree;
  /** Whether the page itself is only a set of frames. */
  readonly isFrames: boolean;
};

/** Parses a page whose type names its syntax. Linear in the source. */
export function toPageTree(html: string, mediaType: string, hasNul = html.includes('\0')): PageTree {
  const syntax: Syntax = /[+/]xml$/.test(mediaType) ? 'xhtml' : 'html';
  const tree = parseHtml(html, syntax, hasNul);
  const unframed = framesToHtml(tree);
  return { tree: withShadowRoots(unframed === null ? tree : parseHtml(unframed, syntax)), isFrames: unframed !== null };
}

/**
 * A page of frames as an HTML page with a body: what it tells those who show no frames, and a link to what stands in each
 * frame. Null for any other page.
 */
function framesToHtml(tree: Tree): string | null {
  const frameset = nextTagged(tree, TAG.frameset, 1);
  if (frameset === 0) return null;
  const parts = [tree.source.slice(0, tree.start[frameset]), '<body>'];
  const links: string[] = [];
  for (let node = frameset; node < tree.count; node++) {
    if (tagOf(tree, node) === TAG.noframes) parts.push(rawTextOf(tree, node));
    if (tagOf(tree, node) === TAG.frame) links.push(toLink(tree, node));
  }
  return [...parts, '<ul>', ...links, '</ul>'].join('');
}

/** Without frames to show, a reader takes what `noframes` holds as markup. */
function rawTextOf(tree: Tree, node: number): string {
  const text = firstChildOf(tree, node);
  return text === 0 ? '' : tree.source.slice(tree.start[text], tree.end[text]);
}

function toLink(tree: Tree, frame: number): string {
  const address = knownAttribute(tree, frame, ATTRIBUTE.src) ?? '';
  if (address === '') return '';
  const name = attributeOf(tree, frame, 'title') ?? attributeOf(tree, frame, 'name') ?? address;
  return `<li><a href="${toHtmlAttribute(address)}">${toHtmlText(name)}</a></li>`;
}
