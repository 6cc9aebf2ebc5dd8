import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, firstChildOf, knownAttribute, nextTagged, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { toHtmlAttribute, toHtmlText } from '#extract/values/html-text.ts';

/**
 * A page of frames as an HTML page with a body: what it tells those who show no frames, and a link to what stands in each
 * frame. Null for any other page.
 */
export function framesToHtml(tree: Tree): string | null {
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
