import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { flagsOf, RAW, tagSet, VOID } from '#extract/html/tags.ts';
import {
  type Attribute,
  attributesOf,
  charactersOf,
  firstChildOf,
  isText,
  knownAttribute,
  nameOf,
  nextOf,
  nextTagged,
  tagOf,
  type Tree,
} from '#extract/html/tree.ts';
import type { ResolveReference } from '#extract/view/resolve-reference.ts';
import { toHtmlAttribute, toHtmlText } from '#extract/values/html-text.ts';

/** Elements that say something about their document, or run, or are not yet part of it. */
const OMITTED_TAGS = tagSet('base head link meta script style template title');
/** Elements without markup inside, which as others hold the same text. */
const PLAIN_TEXT = tagSet('xmp plaintext listing');
const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src poster cite action data background longdesc itemid data-src data-original data-lazy-src'.split(' '),
);
const SOURCE_SET_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'data-srcset']);

/**
 * The body of a document as HTML that stands in the page around its frame: every element is closed, addresses are
 * absolute, and no script runs. Structured data of its head comes first.
 */
export function toFrameHtml(tree: Tree, resolve: ResolveReference): string {
  const parts: string[] = listStructuredData(tree);
  const body = nextTagged(tree, TAG.body, 1);
  writeChildren({ tree, resolve, parts }, body);
  return parts.join('');
}

type HtmlWriter = { readonly tree: Tree; readonly resolve: ResolveReference; readonly parts: string[] };

function listStructuredData(tree: Tree): string[] {
  const scripts: string[] = [];
  for (let node = nextTagged(tree, TAG.script, 1); node !== 0; node = nextTagged(tree, TAG.script, node + 1)) {
    const type = knownAttribute(tree, node, ATTRIBUTE.type)?.trim().toLowerCase();
    const text = firstChildOf(tree, node);
    if (type !== 'application/ld+json' || text === 0) continue;
    const json = charactersOf(tree, text).replaceAll('<', String.raw`\u003c`);
    scripts.push(`<script type="application/ld+json">${json}</script>`);
  }
  return scripts;
}

function writeChildren(w: HtmlWriter, parent: number): void {
  for (let child = firstChildOf(w.tree, parent); child !== 0; child = nextOf(w.tree, child)) writeNode(w, child);
}

function writeNode(w: HtmlWriter, node: number): void {
  const { tree, parts } = w;
  if (isText(tree, node)) {
    parts.push(toHtmlText(charactersOf(tree, node)));
    return;
  }
  const tag = tagOf(tree, node);
  if (OMITTED_TAGS[tag] === 1) return;
  const name = getOutputName(tree, node);
  parts.push(`<${name}`);
  for (const attribute of attributesOf(tree, node)) writeAttribute(w, attribute);
  parts.push('>');
  if ((flagsOf(tag) & VOID) !== 0) return;
  // The first line feed of these is dropped.
  if (name === 'pre' || name === 'textarea') parts.push('\n');
  // What a frame holds is shown only where there are no frames.
  if ((flagsOf(tag) & RAW) === 0 || PLAIN_TEXT[tag] === 1) writeChildren(w, node);
  parts.push(`</${name}>`);
}

/** A slot would take what stands around the frame. */
function getOutputName(tree: Tree, node: number): string {
  const tag = tagOf(tree, node);
  if (tag === TAG.slot) return 'span';
  return PLAIN_TEXT[tag] === 1 ? 'pre' : nameOf(tree, node);
}

function writeAttribute({ resolve, parts }: HtmlWriter, { name, value }: Attribute): void {
  if (!/^[\w:.@-]+$/.test(name) || name.startsWith('on')) return;
  const isSourceSet = SOURCE_SET_ATTRIBUTES.has(name);
  const shown = URL_ATTRIBUTES.has(name)
    ? (resolve(value) ?? value)
    : isSourceSet
      ? resolveSourceSet(value, resolve)
      : value;
  parts.push(` ${name}="${toHtmlAttribute(shown)}"`);
}

function resolveSourceSet(sourceSet: string, resolve: ResolveReference): string {
  return sourceSet.replace(/(?:^|,)\s*([^\s,]\S*[^\s,])/g, (candidate, url: string) => {
    return `${candidate.slice(0, -url.length)}${resolve(url) ?? url}`;
  });
}
