import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, firstChildOf, isText, knownAttribute, nextOf, parentOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import type { View } from '#extract/content/view.ts';

const GUTTER =
  /(?:^|[\s_-])(?:line-?numbers?|linenos?|linenodiv|gutter|lnt?|hljs-ln-numbers|blob-num|copy-?(?:button|btn))(?=$|[\s_-])/i;
const NOT_GUTTER = /(?:^|[\s_-])(?:highlight|code|table|block)(?=$|[\s_-])/i;
const LINES = tagSet('div li p tr');

/** The text of code as it stands in the page, line numbers and copy buttons left out. */
export function codeText(view: View, node: number): string {
  const lines: string[] = [];
  addCode(view.tree, node, lines);
  return lines.join('').replaceAll('\u00a0', ' ');
}

function addCode(tree: Tree, parent: number, parts: string[]): void {
  for (let node = firstChildOf(tree, parent); node !== 0; node = nextOf(tree, node)) {
    if (isText(tree, node)) {
      parts.push(charactersOf(tree, node));
      continue;
    }
    const tag = tagOf(tree, node);
    if (tag === TAG.br) parts.push('\n');
    else if (tag !== TAG.button && tag !== TAG.style && tag !== TAG.script && !isGutter(tree, node)) {
      addCode(tree, node, parts);
      if (LINES[tag] === 1 && parts.at(-1)?.endsWith('\n') !== true) parts.push('\n');
    }
  }
}

/** Whether an element of a code block numbers its lines. */
export function isGutter(tree: Tree, node: number): boolean {
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  return names !== null && GUTTER.test(names) && !NOT_GUTTER.test(names) && tagOf(tree, node) !== TAG.pre;
}

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush|highlight)[-:]\s*([\w+#.-]{1,30})/i;
const NO_LANGUAGE = /^(?:line|wrap|theme|copy|highlight|none|plain|text$|default)/;

/** The language of a code block, as its own class or that of what stands close around it says; `''` when none does. */
export function codeLanguage(tree: Tree, node: number): string {
  const places = [node];
  for (let child = firstChildOf(tree, node); child !== 0; child = nextOf(tree, child)) {
    if (tagOf(tree, child) === TAG.code) places.push(child);
  }
  places.push(parentOf(tree, node), parentOf(tree, parentOf(tree, node)));
  for (const place of places) {
    const language = languageOf(tree, place);
    if (language !== '') return language;
  }
  return '';
}

function languageOf(tree: Tree, node: number): string {
  const named = knownAttribute(tree, node, ATTRIBUTE.dataLang) ?? knownAttribute(tree, node, ATTRIBUTE.dataLanguage);
  const found = named ?? LANGUAGE.exec(knownAttribute(tree, node, ATTRIBUTE.class) ?? '')?.[1] ?? '';
  const language = found.trim().toLowerCase();
  return /^[\w+#.-]{1,30}$/.test(language) && !NO_LANGUAGE.test(language) ? language : '';
}

/** Backticks, at least as many as `least`, that the text does not contain. */
export function fenceFor(text: string, least: string): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(least.length, longest + 1));
}
