import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getTagFlags, RAW, buildTagSet, VOID } from '#extract/html/tags.ts';
import {
  type Attribute,
  listAttributes,
  readCharacters,
  getFirstChild,
  isText,
  getKnownAttribute,
  getTagName,
  getNextSibling,
  findNextTag,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import type { ResolveReference } from '#extract/view/resolve-reference.ts';
import { escapeHtmlAttribute, escapeHtmlText } from '#extract/values/portions.ts';

/** Elements that describe the document, run code, or are inert. */
const OMITTED_TAGS = buildTagSet('base head link meta script style template title');
/** Elements whose text is not parsed as markup; written as `pre`. */
const PLAIN_TEXT = buildTagSet('xmp plaintext listing');
const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src poster cite action data background longdesc itemid data-src data-original data-lazy-src'.split(' '),
);
const SOURCE_SET_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'data-srcset']);

/**
 * Renders the body of a frame's document as HTML for the page around it: all elements closed, URLs absolute, no
 * scripts. The structured data of its head comes first.
 */
export function toFrameHtml(tree: Tree, resolve: ResolveReference): string {
  const parts: string[] = listStructuredData(tree);
  const body = findNextTag(tree, TAG.body, 1);
  writeChildren({ tree, resolve, parts }, body);
  return parts.join('');
}

type HtmlWriter = { readonly tree: Tree; readonly resolve: ResolveReference; readonly parts: string[] };

function listStructuredData(tree: Tree): string[] {
  const scripts: string[] = [];
  for (let node = findNextTag(tree, TAG.script, 1); node !== 0; node = findNextTag(tree, TAG.script, node + 1)) {
    const type = getKnownAttribute(tree, node, ATTRIBUTE.type)?.trim().toLowerCase();
    const text = getFirstChild(tree, node);
    if (type !== 'application/ld+json' || text === 0) continue;
    const json = readCharacters(tree, text).replaceAll('<', String.raw`\u003c`);
    scripts.push(`<script type="application/ld+json">${json}</script>`);
  }
  return scripts;
}

function writeChildren(w: HtmlWriter, parent: number): void {
  for (let child = getFirstChild(w.tree, parent); child !== 0; child = getNextSibling(w.tree, child))
    writeNode(w, child);
}

function writeNode(w: HtmlWriter, node: number): void {
  const { tree, parts } = w;
  if (isText(tree, node)) {
    parts.push(escapeHtmlText(readCharacters(tree, node)));
    return;
  }
  const tag = getTag(tree, node);
  if (OMITTED_TAGS[tag] === 1) return;
  const name = getOutputName(tree, node);
  parts.push(`<${name}`);
  for (const attribute of listAttributes(tree, node)) writeAttribute(w, attribute);
  parts.push('>');
  if ((getTagFlags(tag) & VOID) !== 0) return;
  // HTML parsers drop the first line feed of these elements.
  if (name === 'pre' || name === 'textarea') parts.push('\n');
  // Raw text elements hold fallback content.
  if ((getTagFlags(tag) & RAW) === 0 || PLAIN_TEXT[tag] === 1) writeChildren(w, node);
  parts.push(`</${name}>`);
}

/** Slots become spans: a `slot` would take content of the surrounding page. */
function getOutputName(tree: Tree, node: number): string {
  const tag = getTag(tree, node);
  if (tag === TAG.slot) return 'span';
  return PLAIN_TEXT[tag] === 1 ? 'pre' : getTagName(tree, node);
}

function writeAttribute({ resolve, parts }: HtmlWriter, { name, value }: Attribute): void {
  if (!/^[\w:.@-]+$/.test(name) || name.startsWith('on')) return;
  const isSourceSet = SOURCE_SET_ATTRIBUTES.has(name);
  const shown = URL_ATTRIBUTES.has(name)
    ? (resolve(value) ?? value)
    : isSourceSet
      ? resolveSourceSet(value, resolve)
      : value;
  parts.push(` ${name}="${escapeHtmlAttribute(shown)}"`);
}

function resolveSourceSet(sourceSet: string, resolve: ResolveReference): string {
  return sourceSet.replace(/(?:^|,)\s*([^\s,]\S*[^\s,])/g, (candidate, url: string) => {
    return `${candidate.slice(0, -url.length)}${resolve(url) ?? url}`;
  });
}
