import {
  readCollapsedText,
  getAttribute,
  readCharacters,
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  findNextTag,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { replaceCharacter } from '#extract/values/portions.ts';
import { isBlock, type View } from '#extract/view/view.ts';
import { hasOwnLine } from './inline-style.ts';

const GUTTER_CLASS =
  /(?:^|[\s_-])(?:line-?numbers?|linenos?|linenodiv|linenums?|gutter|lnt?|nums|crayon-num|hljs-ln-numbers|blob-num)(?=$|[\s_-])/i;
const COPY_BUTTON_CLASS = /(?:^|[\s_-])copy-?(?:button|btn|to-clipboard)(?=$|[\s_-])/i;
/** The text of a gutter; code whose class merely looks like a gutter's has other text. */
const GUTTER_TEXT = /^[\d\s.:|]*$/;
/** The most characters of a gutter that are examined. */
const MAX_GUTTER_LENGTH = 1000;
const NOT_GUTTER_CLASS = /(?:^|[\s_-])(?:highlight|code|table|block)(?=$|[\s_-])/i;
const LINE_TAGS = buildTagSet('div li p tr');

/**
 * The text of a code block without line numbers and copy buttons. In a diff that marks lines only by class, each line
 * gets its sign.
 */
export function readCodeText({ tree }: View, node: number): string {
  const lines: string[] = [];
  const isDiff = getTag(tree, node) === TAG.pre && findCodeLanguage(tree, node) === 'diff';
  addCode(tree, node, lines, isDiff);
  return replaceCharacter(lines.join(''), '\u00a0', ' ');
}

function addCode(tree: Tree, parent: number, parts: string[], isDiff = false): void {
  for (let node = getFirstChild(tree, parent); node !== 0; node = getNextSibling(tree, node)) {
    if (isText(tree, node)) {
      parts.push(readCharacters(tree, node));
      continue;
    }
    const tag = getTag(tree, node);
    if (tag === TAG.br) parts.push('\n');
    else if (tag !== TAG.button && tag !== TAG.style && tag !== TAG.script && !isGutter(tree, node)) {
      const isLine = LINE_TAGS[tag] === 1 || isStyledLine(tree, node);
      if (isDiff && LINE_TAGS[tag] === 1) parts.push(getDiffSign(tree, node));
      const marker = tree.attributeCount[node] === 0 ? null : getAttribute(tree, node, 'data-code-marker');
      if (marker === '+' || marker === '-' || marker === ' ') parts.push(marker);
      addCode(tree, node, parts, isDiff);
      if (isLine && parts.at(-1)?.endsWith('\n') !== true) parts.push('\n');
    }
  }
}

/** Class names of line elements that highlighters use. */
const LINE_CLASS = /(?:^|\s)(?:line|code-line|token-line|view-line|cm-line)(?:\s|$)/;

/** Whether an element is a line of code: by its style, or by its class if no text separates it from the next line. */
function isStyledLine(tree: Tree, node: number): boolean {
  if (tree.attributeCount[node] === 0) return false;
  if (hasOwnLine(tree, node)) return true;
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class);
  if (names === null || !LINE_CLASS.test(names)) return false;
  const next = getNextSibling(tree, node);
  return next !== 0 && !isText(tree, next) && LINE_CLASS.test(getKnownAttribute(tree, next, ATTRIBUTE.class) ?? '');
}

/** The sign of a diff line by its class; `''` if it has none. */
function getDiffSign(tree: Tree, node: number): '+' | '-' | '' {
  const change = /(?:^|\s)(ins|del)(?:\s|$)/.exec(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '')?.[1];
  if (change === undefined) return '';
  return change === 'ins' ? '+' : '-';
}

/** Whether an element of a code block is a line number, a copy button or short unselectable text. */
export function isGutter(tree: Tree, node: number): boolean {
  if (getTag(tree, node) === TAG.pre || isWholeCode(tree, node)) return false;
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class);
  if (names !== null && !NOT_GUTTER_CLASS.test(names)) {
    if (COPY_BUTTON_CLASS.test(names)) return true;
    if (GUTTER_CLASS.test(names) && GUTTER_TEXT.test(readCollapsedText(tree, node, MAX_GUTTER_LENGTH))) return true;
  }
  const style = getKnownAttribute(tree, node, ATTRIBUTE.style);
  const isUnselectable =
    (style !== null && /user-select:\s*none/.test(style)) || (names !== null && UNSELECTABLE_CLASS.test(names));
  return isUnselectable && readCollapsedText(tree, node, 20).length <= MAX_NUMBER_LENGTH;
}

/** Utility classes for unselectable text, such as prompts. */
const UNSELECTABLE_CLASS = /(?:^|\s)(?:un-?selectable|no-?select|select-none|user-select-none)(?:\s|$)/i;

/** Whether an element is the only content of its `pre`. */
function isWholeCode(tree: Tree, node: number): boolean {
  if (getTag(tree, node) !== TAG.code || getTag(tree, getParent(tree, node)) !== TAG.pre) return false;
  return findPreviousVisible(tree, node) === 0 && findNextVisible(tree, node) === 0;
}

const MAX_NUMBER_LENGTH = 12;
const BLOCK_CLASS = /(?:^|\s)(?:block|code-?block|source-?code|code-?snippet)(?:\s|$)/i;

/** Whether a `code` element without `pre` is a code block: alone between blocks, and with several lines or styled as a block. */
export function isLoneCode({ tree }: View, node: number): boolean {
  if (!isBlockBorder(tree, findPreviousVisible(tree, node)) || !isBlockBorder(tree, findNextVisible(tree, node)))
    return false;
  if (!isBlock(tree, getParent(tree, node))) return false;
  if (BLOCK_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '')) return true;
  if (/white-space:\s*pre/.test(getKnownAttribute(tree, node, ATTRIBUTE.style) ?? '')) return true;
  return hasLines(tree, node);
}

/** The container of the lines in CodeMirror, Ace and Monaco editors. */
const EDITOR_CLASS = /(?:^|\s)(?:CodeMirror-code|cm-content|ace_text-layer|view-lines)(?:\s|$)/;
/** The gutters of such editors. */
const EDITOR_GUTTER_CLASS =
  /(?:^|\s)(?:CodeMirror-gutters|CodeMirror-gutter-wrapper|cm-gutters|ace_gutter|margin-view-overlays)(?:\s|$)/;

/** Whether an element contains the lines of a code editor. */
export function isEditor(tree: Tree, node: number): boolean {
  return EDITOR_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}

/** Whether an element is the gutter of a code editor. */
export function isEditorGutter(tree: Tree, node: number): boolean {
  return EDITOR_GUTTER_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}

/** Whether a container without blocks is code: its language or class says so, and it has several lines. */
export function isCodeBox({ tree }: View, node: number): boolean {
  if (tree.attributeCount[node] === 0) return false;
  const named =
    getKnownAttribute(tree, node, ATTRIBUTE.dataLang) ?? getKnownAttribute(tree, node, ATTRIBUTE.dataLanguage);
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  if (/(?:^|\s)mermaid(?:\s|$)/.test(names)) return !hasDrawing(tree, node);
  if (named === null && !BLOCK_CLASS.test(names)) return false;
  return (named !== null && BLOCK_CLASS.test(names)) || hasLines(tree, node);
}

const ROW_TAGS = buildTagSet('div p li');
/** Class names of lists and containers whose rows are lines of code. */
const LISTING_CLASS = /(?:^|[\s_-])(?:code|listing|linenums|source-?code)(?:$|[\s_-])/i;

/** The code of a list or container with one line per row, marked as such by line numbers or its class; null for any other. */
export function readListedCode(view: View, box: number): string | null {
  const { tree } = view;
  const lines: string[] = [];
  let number: number | null = null;
  for (let row = getFirstChild(tree, box); row !== 0; row = getNextSibling(tree, row)) {
    if (isText(tree, row) && ((tree.flags[row] ?? 0) & WHITESPACE) !== 0) continue;
    const line = ROW_TAGS[getTag(tree, row)] === 1 ? readCodeRow(tree, row) : null;
    if (line === null) return null;
    const isFirst = lines.length === 0;
    if (isFirst && line.number === null && !LISTING_CLASS.test(getKnownAttribute(tree, box, ATTRIBUTE.class) ?? ''))
      return null;
    if (!isFirst && line.number !== (number === null ? null : number + 1)) return null;
    number = line.number;
    lines.push(readCodeText(view, line.code).replaceAll(/^\n+|\n+$/g, ''));
  }
  return lines.length < 2 ? null : lines.join('\n');
}

type CodeRow = { readonly number: number | null; readonly code: number };

/** The code element of a row that contains nothing else but a line number; null for any other row. */
function readCodeRow(tree: Tree, row: number): CodeRow | null {
  let number: number | null = null;
  let code = 0;
  for (let node = getFirstChild(tree, row); node !== 0; node = getNextSibling(tree, node)) {
    if (isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
    if (code !== 0 || isText(tree, node)) return null;
    if (getTag(tree, node) === TAG.code) code = node;
    else if (number !== null) return null;
    else {
      const text = readCollapsedText(tree, node, MAX_NUMBER_LENGTH + 1);
      if (!/^\d{1,6}[.:|]?$/.test(text)) return null;
      number = Number.parseInt(text, 10);
    }
  }
  return code === 0 ? null : { number, code };
}

function hasDrawing(tree: Tree, node: number): boolean {
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child))
    if (getTag(tree, child) === TAG.svg) return true;
  return false;
}

function isBlockBorder(tree: Tree, node: number): boolean {
  return node === 0 || isBlock(tree, node);
}

function findPreviousVisible(tree: Tree, node: number): number {
  const previous = getPreviousSibling(tree, node);
  return ((tree.flags[previous] ?? 0) & WHITESPACE) === 0 ? previous : getPreviousSibling(tree, previous);
}

function findNextVisible(tree: Tree, node: number): number {
  const next = getNextSibling(tree, node);
  return ((tree.flags[next] ?? 0) & WHITESPACE) === 0 ? next : getNextSibling(tree, next);
}

function hasLines(tree: Tree, node: number): boolean {
  const parts: string[] = [];
  addCode(tree, node, parts);
  return parts.join('').trim().includes('\n');
}

/** Removes the indentation that all lines share, which comes from the HTML source. */
export function removeIndent(code: string): string {
  const lines = code
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  let shared = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== '') shared = Math.min(shared, line.length - line.trimStart().length);
  return lines.map((line) => line.slice(shared)).join('\n');
}

const LANGUAGE_CLASS =
  /(?:^|\s)(?:language|(?:mw-highlight-)?lang|src|highlight-source|highlight-text|brush|highlight)(?:-|:\s*)([\p{L}\p{N}][\p{L}\p{N}_+#.-]{0,29})/iu;
const NOT_LANGUAGE =
  /^(?:line|wrap|theme|copy|highlight|none|plain|text$|default|box|wrapper|container|body|content|inner|output|dark|light|with-|block)/;

/** The language of a code block by its own class or that of a close ancestor; `''` if unknown. */
export function findCodeLanguage(tree: Tree, node: number): string {
  const places = [node];
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) {
    if (getTag(tree, child) === TAG.code) places.push(child);
  }
  places.push(getParent(tree, node), getParent(tree, getParent(tree, node)));
  for (const place of places) {
    const language = readLanguage(tree, place);
    if (language !== '') return language;
  }
  return '';
}

function readLanguage(tree: Tree, node: number): string {
  const named =
    getKnownAttribute(tree, node, ATTRIBUTE.dataLang) ?? getKnownAttribute(tree, node, ATTRIBUTE.dataLanguage);
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  const found =
    named ?? LANGUAGE_CLASS.exec(names)?.[1] ?? readLangAttribute(tree, node) ?? findKnownLanguage(tree, node, names);
  const language = found.trim().toLowerCase();
  return /^[\p{L}\p{N}_+#.-]{1,30}$/u.test(language) && !NOT_LANGUAGE.test(language) ? language : '';
}

const KNOWN_LANGUAGES = new Set(
  'ada awk bash c c++ clojure cmake coffeescript cpp cs csharp css d dart diff dockerfile elixir elm erlang fortran fsharp go graphql groovy haskell haxe html http ini java javascript js json jsx julia kotlin latex lean less lisp lua makefile matlab mermaid nasm nginx nim nix objc objectivec ocaml pascal perl php powershell prolog protobuf python r racket ruby rust sass scala scheme scss sh shell solidity sql swift tcl toml ts tsx typescript verilog vhdl vim vue wasm xml yaml zig zsh'.split(
    ' ',
  ),
);

/** Human language codes that are also names of programming languages. */
const HUMAN_LANGUAGES = new Set(['cs', 'pl', 'el', 'hs', 'fs', 'sh', 'tr', 'sql']);

/** The `lang` attribute of preformatted text if it is a programming language, as GitHub writes it. */
function readLangAttribute(tree: Tree, node: number): string | null {
  if (getTag(tree, node) !== TAG.pre && getTag(tree, node) !== TAG.code) return null;
  const language = getKnownAttribute(tree, node, ATTRIBUTE.lang)?.trim().toLowerCase() ?? '';
  return KNOWN_LANGUAGES.has(language) && !HUMAN_LANGUAGES.has(language) ? language : null;
}

/** A class that is the bare name of a language, as several highlighters write it. */
function findKnownLanguage(tree: Tree, node: number, names: string): string {
  const tag = getTag(tree, node);
  if (names === '' || (tag !== TAG.code && tag !== TAG.pre && !HIGHLIGHTER_CLASS.test(names))) return '';
  return (
    names
      .toLowerCase()
      .split(/\s+/)
      .map((name) => (/^html(?:5|4strict)$/.test(name) ? 'html' : name))
      .find((name) => KNOWN_LANGUAGES.has(name)) ?? ''
  );
}

/** Classes of a container around code next to which a language name may occur. */
const HIGHLIGHTER_CLASS = /(?:^|\s)(?:highlight|sourceCode|code-block|codehilite|mermaid)(?:\s|$)/;

/** A fence of backticks that is longer than any run in the text, and at least as long as `least`. */
export function buildFence(text: string, least: string): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(least.length, longest + 1));
}

const CODE_BOX_TAGS = buildTagSet('div figure span');
const CODE_LABEL_TAGS = buildTagSet('div span header figcaption small button label');
const MAX_BOX_LEVELS = 6;
const MAX_SIBLINGS = 12;
/** The most siblings of code that are examined, including those that are not part of the output. */
const MAX_ALL_SIBLINGS = 60;
const MAX_LABEL_LENGTH = 30;
/** Language names as code toolbars show them, optionally with the text of a copy button. */
const LANGUAGE_LABEL =
  /^(?:ada|apache|assembly|awk|bash|c|c\+\+|c#|clojure|cmake|coffeescript|console|css|dart|diff|docker(?:file)?|elixir|elm|erlang|f#|fortran|go|golang|graphql|groovy|haskell|html|http|ini|java|javascript|js|json|jsx|julia|kotlin|latex|less|lisp|lua|makefile|markdown|matlab|nginx|nim|nix|objective-c|ocaml|pascal|perl|php|plain ?text|powershell|prolog|protobuf|python|r|racket|ruby|rust|sass|scala|scheme|scss|sh|shell|solidity|sql|swift|tcl|terminal|text|toml|ts|tsx|typescript|vim|vue|wasm|xml|ya?ml|zig|zsh)(?: (?:copy|copy code|copied!?))?$/i;

/** Finds elements next to code that only name its language, as code toolbars do. */
export function findCodeLabels(view: View): Set<number> {
  const { tree, kept } = view;
  const labels = new Set<number>();
  for (let code = findNextTag(tree, TAG.pre, 1); code !== 0; code = findNextTag(tree, TAG.pre, code + 1)) {
    if (kept[code] !== 1) continue;
    let inner = code;
    for (let level = 0; level < MAX_BOX_LEVELS && CODE_BOX_TAGS[getTag(tree, getParent(tree, inner))] === 1; level++) {
      const found = listLabelsBeside(view, inner);
      for (const label of found ?? []) labels.add(label);
      if (found === null || found.length > 0) break;
      inner = getParent(tree, inner);
    }
  }
  return labels;
}

/** The language labels next to a node in its container; null if the container shows anything else. */
function listLabelsBeside({ tree, kept }: View, inner: number): readonly number[] | null {
  const labels: number[] = [];
  let beside = 0;
  let looked = 0;
  for (let node = getFirstChild(tree, getParent(tree, inner)); node !== 0; node = getNextSibling(tree, node)) {
    if (++looked > MAX_ALL_SIBLINGS) return null;
    if (node === inner || kept[node] !== 1) continue;
    if (++beside > MAX_SIBLINGS) return null;
    const text = isText(tree, node) ? '' : readCollapsedText(tree, node, MAX_LABEL_LENGTH + 1, (at) => kept[at] === 1);
    if (text === '' && getTag(tree, node) !== TAG.pre) continue;
    if (CODE_LABEL_TAGS[getTag(tree, node)] !== 1 || !LANGUAGE_LABEL.test(text)) return null;
    labels.push(node);
  }
  return labels;
}

const COPY_CLASS = /cop(?:y|ied)|clipboard/i;
const COPY_TEXT =
  /^(?:cop(?:y|ied)(?: (?:code|link|text|to clipboard))?|kopi(?:eren|ert|ëren|uj|era)|gekopieerd|in die zwischenablage kopieren|copi(?:er|é|ar|ado|a|ato)(?: (?:le code|el código|o código|il codice))?|скопирован[оы]|(?:с)?копировать|コピー(?:しました)?|(?:已)?复制(?:代码|成功)?|(?:已)?複製|복사(?:됨)?|kopyala(?:ndı)?|zkopírov(?:at|áno)|skopiowano)[!.…]?$/i;
/** The most nodes and characters of a copy button. */
const MAX_COPY_NODES = 8;
const MAX_COPY_LENGTH = 40;

/** Whether an element is only a button that copies the code next to it, or its confirmation. */
export function isCopyButton(tree: Tree, node: number, names: string): boolean {
  if (getSubtreeEnd(tree, node) - node > MAX_COPY_NODES || !COPY_CLASS.test(names)) return false;
  return COPY_TEXT.test(readCollapsedText(tree, node, MAX_COPY_LENGTH));
}
