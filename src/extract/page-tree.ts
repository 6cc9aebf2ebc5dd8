import { parseHtml } from './html/parse.ts';
import type { Syntax } from './html/parse.ts';
import { withShadowRoots } from './html/shadow-roots.ts';
import type { Tree } from './html/tree.ts';
import { framesToHtml } from './kinds/frames-page.ts';

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
